package memory

import (
	"errors"
	"fmt"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/openkruise/kruise/pkg/util/expectations"
)

// memory is one set of everything that the CloneSet controller remembers of
// its writes.
type memory struct {
	scale    expectations.ScaleExpectations
	versions expectations.ResourceVersionExpectation
}

func newMemory() *memory {
	return &memory{expectations.NewScaleExpectations(), expectations.NewResourceVersionExpectation()}
}

var errUnknown = errors.New("unknown")

// take does one step and tells what can then be seen. "-" is an empty version.
func (m *memory) take(step string) (string, error) {
	words := strings.Fields(step)
	do, args := words[0], words[1:]
	switch {
	case do == "wait":
		d, err := time.ParseDuration(args[0])
		time.Sleep(d)
		return "", err
	case strings.HasSuffix(do, "Version"):
		return m.takeVersion(do, &metav1.ObjectMeta{UID: types.UID(args[0]), ResourceVersion: strings.Trim(args[1], "-")})
	default:
		return m.takeScale(do, args)
	}
}

func (m *memory) takeScale(do string, args []string) (string, error) {
	seen, key := "", args[0]
	switch do {
	case "expect":
		m.scale.ExpectScale(key, expectations.ScaleAction(args[1]), args[2])
	case "observe":
		m.scale.ObserveScale(key, expectations.ScaleAction(args[1]), args[2])
	case "look":
		satisfied, waited, dirty := m.scale.SatisfiedExpectations(key)
		seen = fmt.Sprint(satisfied, " ", waited, " ", dirty, " ")
	case "forget":
		m.scale.DeleteExpectations(key)
	default:
		return "", errUnknown
	}
	names := m.scale.GetExpectations(key)
	if names == nil {
		return seen + "none", nil
	}
	return seen + fmt.Sprint(names[expectations.Create].List(), names[expectations.Delete].List()), nil
}

func (m *memory) takeVersion(do string, object *metav1.ObjectMeta) (string, error) {
	switch do {
	case "expectVersion":
		m.versions.Expect(object)
	case "observeVersion":
		m.versions.Observe(object)
	case "lookVersion":
		return fmt.Sprint(m.versions.IsSatisfied(object)), nil
	case "forgetVersion":
		m.versions.Delete(object)
	default:
		return "", errUnknown
	}
	return "", nil
}
