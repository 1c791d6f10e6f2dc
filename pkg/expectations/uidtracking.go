package expectations

import "k8s.io/utils/clock"

// UIDTracking is Counts that knows which deletions it expects, so that a pod
// that is first marked and then removed counts once. It mirrors
// UIDTrackingControllerExpectations (controller_utils.go, v1.37.1), whose name
// is older than its habit: it tracks namespace/name and not UIDs.
type UIDTracking struct{ *Counts }

// NewUIDTracking is an empty memory whose records take their time from c.
func NewUIDTracking(c clock.PassiveClock) UIDTracking { return UIDTracking{NewCounts(c)} }

// ExpectDeletions expects the deletion of these pods, each a namespace/name,
// and nothing else.
func (u UIDTracking) ExpectDeletions(key string, pods []string) {
	u.lock.Lock()
	defer u.lock.Unlock()
	u.records[key] = ExpectDeletions(pods, u.clock.Now())
}

// DeletionObserved tells that a pod was seen to go, or to be marked for it.
// One that is not expected changes nothing.
func (u UIDTracking) DeletionObserved(key, pod string) {
	u.lock.Lock()
	defer u.lock.Unlock()
	u.records[key].DeletionObserved(pod)
}
