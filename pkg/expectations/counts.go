package expectations

import (
	"sync"

	"k8s.io/utils/clock"
)

// Counts keeps the records of the objects of one controller, by namespace/name,
// as ControllerExpectations does (controller_utils.go, v1.37.1).
type Counts struct {
	clock clock.PassiveClock

	lock    sync.Mutex
	records map[string]*Record
}

// NewCounts is an empty memory whose records take their time from c.
func NewCounts(c clock.PassiveClock) *Counts {
	return &Counts{clock: c, records: map[string]*Record{}}
}

// Get is a copy of the record for key, nil for none.
func (c *Counts) Get(key string) *Record {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.records[key].Clone()
}

// Satisfied reports whether the controller may create and delete for key
// (SatisfiedExpectations).
func (c *Counts) Satisfied(key string) bool {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.records[key].Satisfied(c.clock.Now())
}

// Set replaces the counts and the time of key's record (SetExpectations).
func (c *Counts) Set(key string, adds, dels int64) {
	c.lock.Lock()
	defer c.lock.Unlock()
	r := ExpectCreations(c.records[key], adds, c.clock.Now())
	r.Dels = dels
	c.records[key] = r
}

// ExpectCreations expects n creations and nothing else.
func (c *Counts) ExpectCreations(key string, n int64) { c.Set(key, n, 0) }

// ExpectDeletions expects n deletions and nothing else.
func (c *Counts) ExpectDeletions(key string, n int64) { c.Set(key, 0, n) }

// Raise adds to key's record, if there is one (RaiseExpectations).
func (c *Counts) Raise(key string, adds, dels int64) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.records[key].Raise(adds, dels)
}

// Lower takes from key's record, if there is one (LowerExpectations).
func (c *Counts) Lower(key string, adds, dels int64) { c.Raise(key, -adds, -dels) }

// CreationObserved tells that a pod of key's object was seen for the first time.
func (c *Counts) CreationObserved(key string) { c.Lower(key, 1, 0) }

// DeletionObserved tells that a pod of key's object was seen to go.
func (c *Counts) DeletionObserved(key string) { c.Lower(key, 0, 1) }

// Delete forgets key's record (DeleteExpectations).
func (c *Counts) Delete(key string) {
	c.lock.Lock()
	defer c.lock.Unlock()
	delete(c.records, key)
}
