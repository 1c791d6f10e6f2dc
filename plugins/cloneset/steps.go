package cloneset

import (
	"errors"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/answer"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/assess"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/status"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/inplace"
)

// Step decides as Decide does, and says what becomes of what was decided.
func Step(r *view.Reader, p profile.Profile, t view.Target) (*simulate.Sync, error) {
	return stepFrom(r, p, t, reconcile.Given{})
}

func stepFrom(r *view.Reader, p profile.Profile, t view.Target, given reconcile.Given) (*simulate.Sync, error) {
	log := &cluster.Log{}
	s, err := decide(r, p, t, given, log)
	if err != nil {
		return nil, err
	}
	step := s.step(*log)
	why, found := s.lastRefusal(p)
	if !found {
		return step, nil
	}
	step.Refused, step.Blocks = why.Label, why.Blocked
	if admission.Says(why.Message) { // those can be asked again
		return step, nil
	}
	given.Refuse, log = refusing(why.Message), &cluster.Log{}
	if s, err = decide(r, p, t, given, log); err != nil {
		return nil, err
	}
	step.Again = s.step(*log)
	step.Again.Refused = why.Label
	step.Again.Left = func() ([]decision.Ruling, bool) { return []decision.Ruling{simulate.Refused(why.Label)}, false }
	return step, nil
}

// refusing is an API server that refuses Pods.
func refusing(message string) func(reconcile.Call) error {
	return func(c reconcile.Call) error {
		if c.Verb == string(cluster.Create) && c.Kind == view.Pods.Kind {
			return errors.New(message)
		}
		return nil
	}
}

// lastRefusal is what refused the last creation, of a set that creates Pods now; none
// where one was created since.
func (s *sync) lastRefusal(p profile.Profile) (why decision.Cause, found bool) {
	if s.Decision.Summary.Create == 0 || s.Given.Refuse != nil {
		return decision.Cause{}, false
	}
	return assess.RefusedBefore(s.Reader, p, s.Set, s.Decision)
}

// step is what becomes of the sync, which makes these writes.
func (s *sync) step(writes []cluster.Write) *simulate.Sync {
	return &simulate.Sync{
		Decision: s.Decision, Wanted: s.Set.Desired(), Terminating: s.terminating(), Pods: s.standing(), Revised: true, Looks: s.promotes() || s.writesUnseen(),
		Begin: s.begin, StartUps: s.startUps, Writes: writes, Minor: minor, Left: s.left, Beyond: s.Budgets.Beyond,
		Say: func(r decision.Ruling) string { return rules.All.Say(r.Rule, r.Facts) },
	}
}

// promotes reports whether the sync changes status.currentRevision, which the
// next one goes by.
func (s *sync) promotes() bool {
	return s.Decision.Status.Writes && status.Next(s.Run).CurrentRevision != s.Set.Status.CurrentRevision
}

// writesUnseen reports whether the sync writes a pod without an action of its own.
func (s *sync) writesUnseen() bool {
	return slices.ContainsFunc(s.Pods, func(m *core.PodState) bool { return m.Written })
}

func (s *sync) terminating() int {
	n := 0
	for _, p := range s.claims.inactive {
		if p.DeletionTimestamp != nil {
			n++
		}
	}
	return n
}

func (s *sync) standing() []simulate.Pod {
	pods := make([]simulate.Pod, 0, len(s.Pods))
	for _, m := range s.Pods {
		revision := m.Revision
		if m.Updated {
			revision = s.Revisions.Update.Name // the label may hold the hash alone
		}
		pods = append(pods, simulate.Pod{Name: m.Name, Revision: revision, Updated: m.Updated, Ready: m.Ready, Available: m.Available})
	}
	return pods
}

// minor actions move a lifecycle on, or finish what an earlier sync began.
func minor(a decision.Action) bool {
	switch a.Verb {
	case decision.SetCondition:
		return true
	case decision.SetState:
		return a.Rule != rules.PreDeleteHooked && a.Rule != rules.UpdateHooked && a.Rule != rules.UpdateRestarted
	case decision.UpdateInPlace:
		return a.Rule == rules.GraceOver || a.Rule == rules.NextBatch
	}
	return a.Object.Kind == view.ControllerRevisions.Kind
}

// begin schedules what happens to the pods that are there: those in the middle
// of an update finish it, the others start or go as pods do.
func (s *sync) begin(w *cluster.Model) {
	var plain []*corev1.Pod
	for _, p := range append(append([]*corev1.Pod{}, s.claims.active...), s.claims.inactive...) {
		st, updating := inplace.StateOf(p)
		if done, _ := s.Done.Completed(p); !updating || done || kruise.Annotation(p, kruise.GraceAnnotation, kruise.OldGrace) != "" {
			plain = append(plain, p)
			continue
		}
		if left := s.up(w, p, st).Sub(w.Now()); left > 0 {
			cluster.LaterPod(w, p, left, func(p *corev1.Pod) { inplace.ContainersUp(w, p) })
			continue
		}
		plain = append(plain, p)
	}
	cluster.BeginPods(w, plain, since)
	inplace.Restarts(w)
	s.Budgets.Follow(w)
}

// up is when the containers are up that are being updated: after their batch's
// part of the time that pods take, or, when that is over, after all of it.
func (s *sync) up(w *cluster.Model, p *corev1.Pod, st inplace.State) time.Time {
	n := len(st.ContainerBatchesRecord)
	if n == 0 {
		return st.UpdateTimestamp.Add(s.Set.Grace() + w.ReadyAfter())
	}
	from := st.ContainerBatchesRecord[n-1].Timestamp
	if at := from.Add(st.Part(w, p)); at.After(w.Now()) {
		return at
	}
	return from.Add(w.ReadyAfter())
}

// since is from when on a pod starts: its last update in place, or its creation.
func since(p *corev1.Pod) time.Time {
	if st, ok := inplace.StateOf(p); ok {
		return st.UpdateTimestamp.Time
	}
	return p.CreationTimestamp.Time
}

func (s *sync) startUps() []simulate.StartUp {
	var seen []simulate.StartUp
	for _, p := range s.claims.active {
		st, inPlace := inplace.StateOf(p)
		took, ok := cluster.PodStartUp(p)
		if inPlace { // its containers were restarted for that
			took, ok = cluster.PodReadySince(p, st.UpdateTimestamp.Add(s.Set.Grace()))
		}
		if ok {
			seen = append(seen, simulate.StartUp{Took: took, InPlace: inPlace})
		}
	}
	return seen
}

// left is why the sync leaves something undone: what is in its way before what
// its spec asks for.
func (s *sync) left() (why []decision.Ruling, bySpec bool) {
	switch {
	case !s.Decision.Gate.Open:
		return []decision.Ruling{s.Decision.Gate.Ruling}, false
	case s.Outcome.Err() != nil:
		return append(answer.ForbiddenByBudget(s.Decision), s.failed()), false
	}
	var blocked, asked, passed []decision.Ruling
	seen := map[string]bool{}
	add := func(to *[]decision.Ruling, r decision.Ruling) {
		if !seen[r.Rule] {
			seen[r.Rule] = true
			*to = append(*to, r)
		}
	}
	for _, l := range s.Decision.Limits {
		switch {
		case answer.HoldsUp[l.Rule] || l.Rule == rules.PreparingStays:
			add(&blocked, l)
		case l.Rule == rules.DeadlinePassed:
			add(&passed, l)
		}
	}
	for _, u := range s.Decision.Updates {
		switch {
		case u.Course == decision.Kept && u.Rule == rules.PartitionKept:
			add(&asked, s.kept(u.Ruling))
		case bySpecRules[u.Rule]:
			add(&asked, u.Ruling)
		case u.Course == decision.Waiting || u.Course == decision.Refused:
			add(&blocked, u.Ruling)
		}
	}
	return slices.Concat(blocked, asked, passed), len(blocked) == 0
}

// failed is what made the sync fail: the creation or update that was refused, or what
// the API server said.
func (s *sync) failed() decision.Ruling {
	if s.Outcome.Uncreated.Rule != "" {
		return s.Outcome.Uncreated
	}
	for _, u := range s.Decision.Updates {
		if u.Course == decision.Refused && !rules.ByBudget[u.Rule] {
			return u.Ruling
		}
	}
	return simulate.Refused(s.Outcome.Err().Error())
}

// bySpecRules hold updates back because the spec says so.
var bySpecRules = map[string]bool{rules.UpdatePaused: true, rules.OnDeleteIgnored: true}

// kept is the reason of the partition, with its arithmetic where that was said.
func (s *sync) kept(r decision.Ruling) decision.Ruling {
	for _, why := range s.Decision.Reasons {
		if why.Rule == rules.PartitionStays {
			return why.Ruling
		}
	}
	return r
}
