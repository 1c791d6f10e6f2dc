package expectations

import (
	"maps"
	"slices"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// Timeout is how long a record can hold a controller of Kubernetes back
// (ExpectationsTimeout), and the default of Kruise's --expectation-timeout.
const Timeout = 5 * time.Minute

// Record is what a controller expects to observe for one object. A nil
// *Record is no record.
type Record struct {
	Adds, Dels int64
	// Keys are the namespace/name of the pods whose deletion is expected.
	Keys     map[string]bool
	Recorded time.Time
	// spared is how many of Keys are of Pods that are kept, which of them is not
	// deterministic.
	spared int64
}

// ExpectCreations is the record after setting n creations. Keys of an earlier
// record stay, as upstream keeps them in a store of their own.
func ExpectCreations(old *Record, n int64, now time.Time) *Record {
	r := &Record{Adds: n, Recorded: now}
	if old != nil {
		r.Keys, r.spared = maps.Clone(old.Keys), old.spared
	}
	return r
}

// ExpectDeletions is the record after expecting the deletion of keys.
func ExpectDeletions(keys []string, now time.Time) *Record {
	r := &Record{Keys: make(map[string]bool, len(keys)), Recorded: now}
	for _, k := range keys {
		r.Keys[k] = true
	}
	r.Dels = int64(len(r.Keys))
	return r
}

// spare takes back n of the deletions, which of them is not deterministic.
func (r *Record) spare(n int64) {
	if r != nil {
		r.Dels -= n
		r.spared += n
	}
}

// awaited is what the record's keys wait for, nil for nothing (GetUIDs).
func (r *Record) awaited(now time.Time) *decision.Expectation {
	if r == nil || int64(len(r.Keys)) <= r.spared {
		return nil
	}
	e := &decision.Expectation{Dels: int64(len(r.Keys)) - r.spared, Age: decision.Span(now.Sub(r.Recorded)), Recorded: r.Recorded}
	if keys := slices.Sorted(maps.Keys(r.Keys)); r.spared == 0 {
		e.DeleteKeys = keys
	} else {
		e.PossibleKeys = keys
	}
	return e
}

// Raise adds to what is outstanding. Like Lower it leaves the time alone.
func (r *Record) Raise(adds, dels int64) {
	if r != nil {
		r.Adds += adds
		r.Dels += dels
	}
}

// Lower takes from what is outstanding, which may become less than nothing.
func (r *Record) Lower(adds, dels int64) { r.Raise(-adds, -dels) }

// CreationObserved lowers the outstanding creations by n.
func (r *Record) CreationObserved(n int64) { r.Lower(n, 0) }

// DeletionObserved lowers the outstanding deletions if key is expected, once.
func (r *Record) DeletionObserved(key string) {
	if r != nil && r.Keys[key] {
		delete(r.Keys, key)
		r.Dels--
	}
}

// Fulfilled reports whether everything expected was observed; so it is without a record.
func (r *Record) Fulfilled() bool { return r == nil || r.Adds <= 0 && r.Dels <= 0 }

// Expired reports whether the record no longer holds anything back at now.
func (r *Record) Expired(now time.Time) bool { return now.Sub(r.Recorded) > Timeout }

// Satisfied reports whether the controller may create and delete
// (SatisfiedExpectations): there is no record, or it is fulfilled or expired.
func (r *Record) Satisfied(now time.Time) bool {
	return r.Fulfilled() || r.Expired(now)
}

// Clone is a copy that shares nothing with r.
func (r *Record) Clone() *Record {
	if r == nil {
		return nil
	}
	c := *r
	c.Keys = maps.Clone(r.Keys)
	return &c
}

// Show is the record as printed, nil for none.
func (r *Record) Show(now time.Time) *decision.Expectation {
	if r == nil {
		return nil
	}
	return &decision.Expectation{
		Adds: r.Adds, Dels: r.Dels, DeleteKeys: slices.Sorted(maps.Keys(r.Keys)),
		Age:       decision.Span(now.Sub(r.Recorded)),
		ExpiresIn: new(decision.Span(Timeout - now.Sub(r.Recorded))),
		Recorded:  r.Recorded, Expires: r.Recorded.Add(Timeout),
	}
}
