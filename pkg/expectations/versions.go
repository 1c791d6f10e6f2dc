package expectations

import (
	"strconv"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"
)

// Versioned is what Versions asks of an object; every metav1.Object has it.
type Versioned interface {
	GetUID() types.UID
	GetResourceVersion() string
}

// Versions keeps, by UID, the resource versions that updates led to and that
// the cache has yet to show. It mirrors Kruise's ResourceVersionExpectation
// (resource_version_expectation.go, v1.9.1).
type Versions struct {
	clock clock.PassiveClock

	lock    sync.Mutex
	records map[types.UID]*VersionRecord
}

// VersionRecord is the version that one object must have reached.
type VersionRecord struct {
	Version string
	// Unsatisfied is when a look first found an older version, zero if none has.
	Unsatisfied time.Time
}

// NewVersions is an empty memory that takes its time from c.
func NewVersions(c clock.PassiveClock) *Versions {
	return &Versions{clock: c, records: map[types.UID]*VersionRecord{}}
}

// Expect waits for o's version, unless a newer one is waited for already.
func (v *Versions) Expect(o Versioned) {
	v.lock.Lock()
	defer v.lock.Unlock()
	r := v.records[o.GetUID()]
	if r == nil {
		r = &VersionRecord{}
		v.records[o.GetUID()] = r
	}
	if reached(r.Version, o.GetResourceVersion()) {
		r.Version = o.GetResourceVersion()
	}
}

// Observe tells that o was seen.
func (v *Versions) Observe(o Versioned) {
	v.lock.Lock()
	defer v.lock.Unlock()
	v.observe(o)
}

func (v *Versions) observe(o Versioned) *VersionRecord {
	r := v.records[o.GetUID()]
	if r != nil && reached(r.Version, o.GetResourceVersion()) {
		delete(v.records, o.GetUID())
		return nil
	}
	return r
}

// Satisfied reports whether o is as new as expected, and if it is not, for how
// long looks have found it so (IsSatisfied). It is a look itself.
func (v *Versions) Satisfied(o Versioned) (bool, time.Duration) {
	v.lock.Lock()
	defer v.lock.Unlock()
	r := v.observe(o)
	if r == nil {
		return true, 0
	}
	if r.Unsatisfied.IsZero() {
		r.Unsatisfied = v.clock.Now()
	}
	return false, v.clock.Since(r.Unsatisfied)
}

// Delete forgets what is expected of the object with o's UID.
func (v *Versions) Delete(o Versioned) {
	v.lock.Lock()
	defer v.lock.Unlock()
	delete(v.records, o.GetUID())
}

// Get is a copy of the record for uid, nil for none. It is no look.
func (v *Versions) Get(uid types.UID) *VersionRecord {
	v.lock.Lock()
	defer v.lock.Unlock()
	r := v.records[uid]
	if r == nil {
		return nil
	}
	c := *r
	return &c
}

// reached compares as isResourceVersionNewer does: everything is as new as a
// version that is no number, and nothing else that is none is as new as one
// that is.
func reached(expected, seen string) bool {
	want, err := strconv.ParseUint(expected, 10, 64)
	if err != nil {
		return true
	}
	have, err := strconv.ParseUint(seen, 10, 64)
	return err == nil && have >= want
}
