package simulate

import (
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Sync is one sync of a controller, and what becomes of it.
type Sync struct {
	Decision *decision.Decision
	// Wanted is spec.replicas; Pods are those that count towards it, as they
	// are before the sync; Terminating counts those on their way out.
	Wanted, Terminating int
	Pods                []Pod
	// Revised tells that the target's pods differ by revision.
	Revised bool
	// Begin schedules what happens to the pods that are there already. It is
	// called once, on the first Sync. Nil for nothing.
	Begin func(*cluster.Model)
	// StartUps are the times that pods of the target have taken to become ready. Nil for
	// none that are known.
	StartUps func() []StartUp
	// Writes are the sync's requests, which its actions name by number.
	Writes []cluster.Write
	// Looks tells that the controller goes by the status that it writes, so that
	// it may act after a sync that wrote nothing else. The event of such a write comes
	// to nothing for others, and is not heard.
	Looks bool
	// Minor tells actions that change neither which pods there are nor which
	// revision they run. Nil for none.
	Minor func(decision.Action) bool
	// Left says why the sync leaves something undone: by the controller's own
	// rulings, and whether the target's spec is what holds it. Nil for a controller that
	// does not say.
	Left func() (why []decision.Ruling, bySpec bool)
	// Overdue says that the controller reports that a deadline for progress has passed, nil
	// where it does not.
	Overdue *decision.Ruling
	// Beyond is on what it depends, and is not simulated, what the controller does after
	// the sync; empty for nothing. Nil for never.
	Beyond func() string
	// Say makes the sentence of a ruling of the controller; nil leaves the rule's ID.
	Say func(decision.Ruling) string
	// Retries tells that the sync fails on its own write, and is tried again within
	// milliseconds.
	Retries bool
	// Waits is after how long an earlier sync has asked for one, 0 for not.
	Waits time.Duration
	// Ripens is after how long a sync that failed finds Pods available that are ready, by
	// when its back-off has brought the next one; 0 where that changes nothing.
	Ripens time.Duration
	// Doubt is what actions depend on that are not certain; nil for what they tell
	// themselves.
	Doubt func() *decision.Caveat
	// Refused says what refused the last creations of what is missing, empty where
	// nothing did. Again is the sync if that refuses them again, nil where that can be
	// asked; Blocks tells that it is to be expected, and not only possible. Fits tells
	// that what refused them may accept them once Pods are gone.
	Refused string
	Again   *Sync
	Blocks  bool
	Fits    bool
	// Retried says what refused the last creations and accepts them now, so that they wait
	// for the back-off of the controller; empty for nothing.
	Retried string
	// Latest names the dependent whose Pods run what is being rolled out.
	Latest string
}

// Attempt is how the last attempt at what a sync does was refused.
type Attempt struct {
	// Why says what refused it; Creates: it was a creation of what is missing.
	Why     string
	Creates bool
	// Retried, Blocks and Fits are those of a Sync.
	Retried, Blocks, Fits bool
}

// After notes that the last attempt at what the sync does was refused. again is the sync that
// meets the same once more.
func (s *Sync) After(a Attempt, again func() (*Sync, error)) (*Sync, error) {
	s.Refused = ""
	if a.Retried {
		s.Retried = a.Why
		return s, nil
	}
	s.Blocks, s.Fits = a.Blocks, a.Fits
	if a.Creates {
		s.Refused = a.Why
	}
	refused, err := again()
	if err != nil {
		return nil, err
	}
	s.Refuse(a.Why, refused)
	return s, nil
}

// Refuse notes what becomes of the sync if what refused the last one refuses it again.
func (s *Sync) Refuse(why string, again *Sync) {
	again.Refused = s.Refused
	again.Left = func() ([]decision.Ruling, bool) { return []decision.Ruling{Refused(why)}, false }
	s.Again = again
}

// Pod is how one pod stands.
type Pod struct {
	Name, Revision string
	// Updated pods carry the revision that is being rolled out.
	Updated, Ready, Available bool
	// Surplus: it stands for none of those that are desired, whose number may be short
	// without it.
	Surplus bool
}

// StartUp is how long one pod took to become ready, since it was created or
// updated in place.
type StartUp struct {
	Took    time.Duration
	InPlace bool
}

// Options say how far and how fast.
type Options struct {
	// Rounds is how many numbered rounds to simulate, 0 for until nothing is
	// left to do.
	Rounds int
	// ReadyAfter is how long a pod takes to become ready; nil to learn it from
	// the target's own pods.
	ReadyAfter *time.Duration
	// WatchLag is how long after a change the caches of the controllers show it.
	WatchLag time.Duration
	// Profile is what the cluster runs.
	Profile profile.Profile
	// order is that in which a sync's actions are picked from; nil for the controller's.
	order func([]decision.Action) []decision.Action
}

// Result is what a simulation comes to.
type Result struct {
	// First is the decision of the first sync.
	First *decision.Decision
	// Scaled are those of the first syncs of what the target scales.
	Scaled []*decision.Decision
	// Timeline is nil while a Reader misses something.
	Timeline *decision.Timeline
	// Caveats are those of all syncs, each once.
	Caveats []decision.Caveat
	// Readers tell what was read. Of the Readers of a long simulation only
	// those are kept that asked something new.
	Readers []*view.Reader
	// shed counts the Pods that are deleted and were none of those desired.
	shed int
}
