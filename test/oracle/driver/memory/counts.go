package memory

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"github.com/go-logr/logr"
	"k8s.io/kubernetes/pkg/controller"
)

// memory is one set of everything that a controller remembers of its writes.
type memory struct {
	plain    *controller.ControllerExpectations
	tracking *controller.UIDTrackingControllerExpectations
	writes
}

var quiet = logr.Discard()

func newMemory() *memory {
	return &memory{
		plain:    controller.NewControllerExpectations(),
		tracking: controller.NewUIDTrackingControllerExpectations(controller.NewControllerExpectations()),
		writes:   newWrites(),
	}
}

// take does one step and tells what can then be seen.
func (m *memory) take(step string) (string, error) {
	words := strings.Fields(step)
	if words[0] == "wait" {
		d, err := time.ParseDuration(words[1])
		time.Sleep(d)
		return "", err
	}
	if seen, known := m.write(words); known {
		return seen, nil
	}
	key := words[1]
	if err := m.count(words[0], key, words[2:]); err != nil {
		return "", err
	}
	return show(m.plain, key, nil) + " | " + show(m.tracking, key, m.tracking.GetUIDs(key).List()), nil
}

func (m *memory) count(do, key string, args []string) error {
	switch do {
	case "deletions":
		pods := strings.Split(args[0], ",")
		return errors.Join(m.plain.ExpectDeletions(quiet, key, len(pods)), m.tracking.ExpectDeletions(quiet, key, pods))
	case "deleted":
		m.plain.DeletionObserved(quiet, key)
		m.tracking.DeletionObserved(quiet, key, args[0])
		return nil
	}
	var numbers [2]int
	for i, a := range args {
		n, err := strconv.Atoi(a)
		if err != nil {
			return err
		}
		numbers[i] = n
	}
	return errors.Join(countBoth(m.plain, do, key, numbers), countBoth(m.tracking, do, key, numbers))
}

// counts are the methods that both kinds have.
type counts interface {
	GetExpectations(key string) (*controller.ControlleeExpectations, bool, error)
	SatisfiedExpectations(logger logr.Logger, key string) bool
	DeleteExpectations(logger logr.Logger, key string)
	SetExpectations(logger logr.Logger, key string, add, del int) error
	ExpectCreations(logger logr.Logger, key string, adds int) error
	CreationObserved(logger logr.Logger, key string)
	RaiseExpectations(logger logr.Logger, key string, add, del int)
	LowerExpectations(logger logr.Logger, key string, add, del int)
}

func countBoth(c counts, do, key string, n [2]int) error {
	switch do {
	case "set":
		return c.SetExpectations(quiet, key, n[0], n[1])
	case "creations":
		return c.ExpectCreations(quiet, key, n[0])
	case "raise":
		c.RaiseExpectations(quiet, key, n[0], n[1])
	case "lower":
		c.LowerExpectations(quiet, key, n[0], n[1])
	case "created":
		c.CreationObserved(quiet, key)
	case "forget":
		c.DeleteExpectations(quiet, key)
	default:
		return errors.New("unknown")
	}
	return nil
}

func show(c counts, key string, keys []string) string {
	satisfied := c.SatisfiedExpectations(quiet, key)
	record, exists, err := c.GetExpectations(key)
	if err != nil || !exists {
		return fmt.Sprint(satisfied, " none")
	}
	adds, dels := record.GetExpectations()
	return fmt.Sprint(satisfied, " ", adds, " ", dels, " ", keys, " ", time.Since(recorded(record)))
}

// recorded is the unexported time of a record.
func recorded(record *controller.ControlleeExpectations) time.Time {
	f := reflect.ValueOf(record).Elem().FieldByName("timestamp")
	return *(*time.Time)(unsafe.Pointer(f.UnsafeAddr()))
}
