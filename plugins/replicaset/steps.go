package replicaset

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Step decides as Decide does, and says what becomes of what was decided.
func Step(r *view.Reader, p profile.Profile, t view.Target) (*simulate.Sync, error) {
	return stepFrom(r, p, t, Given{})
}

func stepFrom(r *view.Reader, p profile.Profile, t view.Target, given Given) (*simulate.Sync, error) {
	s, err := decide(r, p, t, given, &cluster.Log{})
	if err != nil {
		return nil, err
	}
	if s.d.Summary.Create > 0 {
		s.readVolumes()
	}
	step := s.step()
	why, found := s.lastRefusal()
	if !found {
		return step, nil
	}
	creates, refused := s.d.Summary.Create > 0, errors.New(why.Message)
	if creates {
		given.API.Create = func(int) error { return refused }
	} else {
		given.API.Delete = func(string) error { return refused }
	}
	return step.After(simulate.Attempt{Why: why.Label, Creates: creates, Retried: health.Retried(why), Blocks: why.Blocked, Fits: health.MayFit(why)}, func() (*simulate.Sync, error) {
		again, err := decide(r, p, t, given, &cluster.Log{})
		if err != nil {
			return nil, err
		}
		return again.step(), nil
	})
}

// readVolumes reads the volume claims that new Pods mount: they may have to wait for one that
// other Pods use.
func (t *target) readVolumes() {
	for _, v := range t.set.Spec.Template.Spec.Volumes {
		if v.PersistentVolumeClaim != nil {
			view.Get[*corev1.PersistentVolumeClaim](t.r, view.Need{
				Kind: view.PersistentVolumeClaims, Namespace: t.set.Namespace, Name: v.PersistentVolumeClaim.ClaimName,
				Detail: view.Full, IfMissing: "whether new Pods wait for its volume is not known", Spare: true,
			})
		}
	}
}

// lastRefusal is what refused the last creation or deletion, of a set that creates or deletes
// Pods now.
func (s *sync) lastRefusal() (why decision.Cause, found bool) {
	switch {
	case s.given.API.Create != nil || s.given.API.Delete != nil:
	case s.d.Summary.Create > 0:
		pods, o := s.controlled(), s.options()
		return health.RefusedBefore(s.r, s.creator(pods, health.Count(pods, s.set.want(), o)), o)
	case s.d.Summary.Delete() > 0:
		return s.surplus().Again(s.r, s.options())
	}
	return decision.Cause{}, false
}

// step is what becomes of the sync.
func (s *sync) step() *simulate.Sync {
	return &simulate.Sync{
		Decision: s.d, Wanted: s.set.want(), Terminating: s.claims.terminating, Pods: s.standing(),
		Begin:    func(w *cluster.Model) { cluster.BeginPods(w, s.claims.all, nil) },
		StartUps: s.startUps, Writes: *s.log.Log, Left: s.left, Refused: s.refusing,
		Say: func(r decision.Ruling) string { return Rules.Say(r.Rule, r.Facts) },
	}
}

// standing is how the pods stand that count.
func (s *sync) standing() []simulate.Pod {
	pods := make([]simulate.Pod, 0, len(s.claims.active))
	for _, p := range s.claims.active {
		if adopted := !metav1.IsControlledBy(p, s.set); adopted {
			continue // counts when that has happened
		}
		ready, since := view.Readiness(p)
		pods = append(pods, simulate.Pod{Name: p.Name, Ready: ready, Available: ready && s.available(since)})
	}
	return pods
}

func (s *sync) startUps() []simulate.StartUp {
	var seen []simulate.StartUp
	for _, p := range s.claims.active {
		if took, ok := cluster.PodStartUp(p); ok && metav1.IsControlledBy(p, s.set) {
			seen = append(seen, simulate.StartUp{Took: took})
		}
	}
	return seen
}

// left is why the number of pods stays as it is, if it does.
func (s *sync) left() ([]decision.Ruling, bool) {
	if s.d.Gate.Rule == InvalidSelector || s.d.Gate.Rule == SetDeleting {
		return []decision.Ruling{s.d.Gate.Ruling}, false
	}
	if cmp.Or(s.refusal, s.err) == nil {
		return nil, false
	}
	for _, e := range s.d.Evidence {
		if slices.Contains(refusalRules, e.Rule) {
			return []decision.Ruling{named(e)}, false
		}
	}
	return []decision.Ruling{simulate.Refused(cmp.Or(s.refusal, s.err).Error())}, false
}

// named is a ruling of what refuses creations, with the object that does.
func named(e decision.Evidence) decision.Ruling {
	r := e.Ruling
	if r.Message = Rules.Say(r.Rule, r.Facts); r.Rule == QuotaShortfall || !strings.Contains(r.Message, e.Source.Name) {
		r.Message = e.Source.Kind + " " + e.Source.Name + ": " + r.Message
	}
	return r
}
