package expectations

import (
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// UIDTracking is Counts that knows which deletions it expects, so that a pod
// that is first marked and then removed counts once. It mirrors
// UIDTrackingControllerExpectations (controller_utils.go, v1.37.1), whose name
// is older than its habit: it tracks namespace/name and not UIDs.
type UIDTracking struct{ *Counts }

// NewUIDTracking is an empty memory whose records take their time from c.
func NewUIDTracking(c clock.PassiveClock) UIDTracking { return UIDTracking{NewCounts(c)} }

// ExpectDeletions expects the deletion of these pods, each a namespace/name,
// and nothing else. It returns what was still awaited of others, nil for nothing, which
// upstream logs as an error, "Clobbering existing delete keys".
func (u UIDTracking) ExpectDeletions(key string, pods []string) (clobbered *decision.Expectation) {
	u.lock.Lock()
	defer u.lock.Unlock()
	now := u.clock.Now()
	clobbered = u.records[key].awaited(now)
	u.records[key] = ExpectDeletions(pods, now)
	return clobbered
}

// Spare takes back n of the deletions that are expected, which of them is not
// deterministic.
func (u UIDTracking) Spare(key string, n int64) {
	u.lock.Lock()
	defer u.lock.Unlock()
	u.records[key].spare(n)
}

// DeletionObserved tells that a pod was seen to go, or to be marked for it.
// One that is not expected changes nothing.
func (u UIDTracking) DeletionObserved(key, pod string) {
	u.lock.Lock()
	defer u.lock.Unlock()
	u.records[key].DeletionObserved(pod)
}
