package memory

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/expectations"
)

// kruiseMemory is what the CloneSet controller remembers, as we model it.
type kruiseMemory struct {
	scale    *expectations.Scale
	versions *expectations.Versions
}

func newKruise(clock *clocktesting.FakePassiveClock) ours {
	return &kruiseMemory{expectations.NewScale(clock), expectations.NewVersions(clock)}
}

func (m *kruiseMemory) take(do string, args []string) []string {
	var object *metav1.ObjectMeta
	if len(args) == 2 {
		object = &metav1.ObjectMeta{UID: types.UID(args[0]), ResourceVersion: args[1]}
	}
	switch do {
	case "expectVersion":
		m.versions.Expect(object)
	case "observeVersion":
		m.versions.Observe(object)
	case "lookVersion":
		return []string{fmt.Sprint(m.versions.Satisfied(object))}
	case "forgetVersion":
		m.versions.Delete(object)
	default:
		return m.takeScale(do, args)
	}
	return []string{""}
}

func (m *kruiseMemory) takeScale(do string, args []string) []string {
	key, looks := args[0], []string{""}
	switch do {
	case "expect":
		m.scale.Expect(key, expectations.ScaleAction(args[1]), args[2])
	case "observe":
		m.scale.Observe(key, expectations.ScaleAction(args[1]), args[2])
	case "look":
		looks = m.look(key)
	case "forget":
		m.scale.Delete(key)
	}
	names := "none"
	if r := m.scale.Get(key); r != nil {
		creates, deletes := r.Outstanding()
		names = fmt.Sprint(creates, deletes)
	}
	for i := range looks {
		looks[i] += names
	}
	return looks
}

// look is what SatisfiedExpectations may answer: it names one of the actions
// that are outstanding.
func (m *kruiseMemory) look(key string) []string {
	satisfied, waited := m.scale.Satisfied(key)
	if satisfied {
		return []string{fmt.Sprint(satisfied, " ", waited, " map[] ")}
	}
	var looks []string
	creates, deletes := m.scale.Get(key).Outstanding()
	for action, names := range map[expectations.ScaleAction][]string{expectations.ScaleCreate: creates, expectations.ScaleDelete: deletes} {
		if len(names) > 0 {
			looks = append(looks, fmt.Sprint(satisfied, " ", waited, " ", map[expectations.ScaleAction][]string{action: names}, " "))
		}
	}
	return looks
}
