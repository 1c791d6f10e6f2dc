package expectations

import (
	"maps"
	"slices"
	"sync"
	"time"

	"k8s.io/utils/clock"
)

// ScaleAction is what Scale expects to see happen to a name.
type ScaleAction string

// The two actions of Kruise's ScaleExpectations.
const (
	ScaleCreate ScaleAction = "create"
	ScaleDelete ScaleAction = "delete"
)

// Scale keeps, by the namespace/name of a CloneSet, the names of the pods and
// volume claims whose creation or deletion has not been seen. It mirrors
// Kruise's ScaleExpectations (scale_expectations.go, v1.9.1), which unlike
// those of Kubernetes never expire by themselves: how long a record has been
// in the way counts from the first look that found it so.
type Scale struct {
	clock clock.PassiveClock

	lock    sync.Mutex
	records map[string]*ScaleRecord
}

// ScaleRecord is what is expected for one CloneSet.
type ScaleRecord struct {
	Creates, Deletes map[string]bool
	// Unsatisfied is when a look first found the record unsatisfied, zero if
	// none has.
	Unsatisfied time.Time
}

// NewScale is an empty memory that takes its time from c.
func NewScale(c clock.PassiveClock) *Scale {
	return &Scale{clock: c, records: map[string]*ScaleRecord{}}
}

// names are those of an action, nil before the first was expected.
func (r *ScaleRecord) names(a ScaleAction) *map[string]bool {
	if a == ScaleCreate {
		return &r.Creates
	}
	return &r.Deletes
}

// Outstanding lists the names whose creation and deletion is expected, sorted.
func (r *ScaleRecord) Outstanding() (creates, deletes []string) {
	if r == nil {
		return nil, nil
	}
	return slices.Sorted(maps.Keys(r.Creates)), slices.Sorted(maps.Keys(r.Deletes))
}

func (r *ScaleRecord) empty() bool { return len(r.Creates)+len(r.Deletes) == 0 }

// Expect adds a name to what key's CloneSet waits for (ExpectScale).
func (s *Scale) Expect(key string, a ScaleAction, name string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	r := s.records[key]
	if r == nil {
		r = &ScaleRecord{}
		s.records[key] = r
	}
	names := r.names(a)
	if *names == nil {
		*names = map[string]bool{}
	}
	(*names)[name] = true
}

// Observe takes a name from what key's CloneSet waits for (ObserveScale). The
// record goes with its last name.
func (s *Scale) Observe(key string, a ScaleAction, name string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	r := s.records[key]
	if r == nil || *r.names(a) == nil {
		return
	}
	delete(*r.names(a), name)
	if r.empty() {
		delete(s.records, key)
	}
}

// Satisfied reports whether nothing is outstanding for key, and if something is,
// for how long looks have found it so (SatisfiedExpectations). It is a look
// itself: the first that finds something starts the time.
func (s *Scale) Satisfied(key string) (bool, time.Duration) {
	s.lock.Lock()
	defer s.lock.Unlock()
	r := s.records[key]
	if r == nil {
		return true, 0
	}
	if r.empty() {
		delete(s.records, key)
		return true, 0
	}
	if r.Unsatisfied.IsZero() {
		r.Unsatisfied = s.clock.Now()
	}
	return false, s.clock.Since(r.Unsatisfied)
}

// Delete forgets key's record (DeleteExpectations).
func (s *Scale) Delete(key string) {
	s.lock.Lock()
	defer s.lock.Unlock()
	delete(s.records, key)
}

// Get is a copy of key's record, nil for none. It is no look.
func (s *Scale) Get(key string) *ScaleRecord {
	s.lock.Lock()
	defer s.lock.Unlock()
	r := s.records[key]
	if r == nil {
		return nil
	}
	return &ScaleRecord{Creates: maps.Clone(r.Creates), Deletes: maps.Clone(r.Deletes), Unsatisfied: r.Unsatisfied}
}
