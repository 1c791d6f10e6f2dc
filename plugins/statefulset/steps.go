package statefulset

import (
	"errors"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// step decides as Decide does, and says what becomes of what was decided.
func step(r *view.Reader, p profile.Profile, t view.Target) (*simulate.Sync, error) {
	return stepFrom(r, p, t, Given{})
}

func stepFrom(r *view.Reader, p profile.Profile, t view.Target, given Given) (*simulate.Sync, error) {
	s, err := run(r, p, t, given)
	if err != nil {
		return nil, err
	}
	step := s.step()
	why, found := s.lastRefusal()
	if !found {
		return step, nil
	}
	verb, creates := cluster.Delete, s.out.Summary.Create > 0
	if creates {
		verb = cluster.Create
	}
	refuse := func(w cluster.Write) error {
		if w.Verb == verb && w.Kind.GroupKind() == view.Pods.GroupKind() {
			return errors.New(why.Message)
		}
		return nil
	}
	return step.After(simulate.Attempt{Why: why.Label, Creates: creates, Retried: health.Retried(why), Blocks: why.Blocked, Fits: health.MayFit(why)}, func() (*simulate.Sync, error) {
		again, err := run(r, p, t, Given{API: API{Refuse: refuse}})
		if err != nil {
			return nil, err
		}
		return again.step(), nil
	})
}

// lastRefusal is what refused the last creation or deletion, of a set that creates or deletes
// Pods now.
func (s *reconcile) lastRefusal() (why decision.Cause, found bool) {
	switch {
	case s.out.Summary.Create > 0:
		return health.RefusedBefore(s.r, s.creator(), s.options())
	default:
		return s.deletions().Again(s.r, s.options())
	}
}

// step is what becomes of the sync.
func (s *reconcile) step() *simulate.Sync {
	terminating := 0
	for _, p := range s.claims.pods {
		if p.DeletionTimestamp != nil {
			terminating++
		}
	}
	return &simulate.Sync{
		Decision: s.out, Wanted: int(*s.set.Spec.Replicas), Terminating: terminating, Pods: s.standing(), Revised: true, Looks: true,
		Begin:    func(w *cluster.Model) { cluster.BeginPods(w, s.claims.pods, s.starts) },
		StartUps: s.startUps, Writes: s.server.writes, Minor: minor, Left: s.left,
		Say: func(r decision.Ruling) string { return Rules.Say(r.Rule, r.Facts) },
	}
}

// starts is since when a Pod may become ready: one whose claim was missing, since now.
func (s *reconcile) starts(p *corev1.Pod) time.Time {
	if s.volumes.made[p.Name] {
		return s.now
	}
	return p.CreationTimestamp.Time
}

// minor actions change neither which Pods there are nor their revision.
func minor(a decision.Action) bool {
	return a.Object.Kind != view.Pods.Kind || a.Verb == decision.Modify
}

// standing is how the Pods stand that count.
func (s *reconcile) standing() []simulate.Pod {
	all := make([]simulate.Pod, 0, len(s.claims.pods))
	for _, p := range s.claims.pods {
		if view.Ended(p) || p.DeletionTimestamp != nil || !metav1.IsControlledBy(p, s.set) {
			continue
		}
		of := s.podOf(p, 0)
		updated := s.history.update != nil && of.revision == s.history.update.Name
		all = append(all, simulate.Pod{Name: p.Name, Revision: of.revision, Updated: updated, Ready: of.ready, Available: of.ready && of.available, Surplus: s.beyond(ordinalOf(p.Name))})
	}
	return all
}

func (s *reconcile) startUps() []simulate.StartUp {
	var seen []simulate.StartUp
	for _, p := range s.claims.pods {
		if took, ok := cluster.PodStartUp(p); ok && metav1.IsControlledBy(p, s.set) {
			seen = append(seen, simulate.StartUp{Took: took})
		}
	}
	return seen
}

// left is why the sync leaves something undone: what is in its way before what its spec
// asks for.
func (s *reconcile) left() (why []decision.Ruling, bySpec bool) {
	switch {
	case !s.out.Gate.Open:
		return []decision.Ruling{s.out.Gate.Ruling}, false
	case s.err != nil:
		return []decision.Ruling{simulate.Refused(s.err.Error())}, false
	}
	for _, e := range s.out.Evidence {
		if slices.Contains(holds, e.Rule) && !s.last(e.Rule) {
			return []decision.Ruling{e.Ruling}, false
		}
	}
	for _, why := range s.out.Reasons {
		if why.Rule != UpdateLater {
			return []decision.Ruling{why.Ruling}, true
		}
	}
	return nil, false
}

// last reports whether a rule is of a wait that nothing comes after: for a Pod beyond the
// ordinals, while all others are as desired.
func (s *reconcile) last(rule string) bool {
	a := s.assessor()
	return rule == WaitGoneBefore && !a.shrinks() && a.counted().Complete()
}
