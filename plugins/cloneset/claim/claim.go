// Package claim answers: which Pods and volume claims are the CloneSet's own?
package claim

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// Claims is what the controller finds to be its own.
type Claims struct {
	// Active are the Pods that count, Inactive those that finished or are being
	// deleted.
	Active, Inactive []*corev1.Pod
	// Contested are those of Active that others may adopt first.
	Contested []*corev1.Pod
	// Volumes are the volume claims that are not being deleted.
	Volumes []metav1.Object
	// Verdicts are those on all Pods that are looked at; those on owned ones only where the
	// decision is shown.
	Verdicts []decision.Claim
	// Err is a refusal; the sync ends there.
	Err error
}

// finding is the step of a sync that finds them.
type finding struct {
	*reconcile.Run
	found Claims
	// lost are the Pods that others adopt first.
	lost ownership.Lost
	// rechecked: the set was read again before an adoption.
	rechecked bool
}

// Find mirrors getOwnedPods, getOwnedPVCs and claimPods
// (cloneset_controller.go, v1.9.1): what refers to the set's UID is looked up
// in an index, so a pod without a reference is never found. Other controllers have
// adopted the lost Pods first.
func Find(run *reconcile.Run, lost ownership.Lost) Claims {
	pods := look(run.Reader, run.Set)
	s := &finding{Run: run, lost: lost, found: Claims{Active: make([]*corev1.Pod, 0, len(pods))}}
	if !s.Reader.Brief() {
		s.found.Verdicts = make([]decision.Claim, 0, len(pods))
	}
	s.found.Volumes = s.cleanUp(ownVolumes(run), pods)
	if s.found.Err != nil {
		return s.found
	}
	s.Decision.ClaimBy(ownership.RefManagerDiffers())
	owner, owned := claimer(s.Set), ownership.Verdict{}
	for i := range pods {
		switch p := &pods[i].Found; {
		case p.pod == nil:
		case !p.owned || len(lost) > 0:
			s.claim(owner, p.pod)
		default:
			if owned.Decision == "" {
				owned = owner.Claim(p.pod)
			}
			s.found.Active = append(s.found.Active, p.pod)
			if !s.Reader.Brief() {
				s.found.Verdicts = append(s.found.Verdicts, decision.Claim{Object: p.ref, Decision: owned.Decision, Ruling: owned.Ruling})
			}
		}
	}
	s.orphans()
	return s.found
}

// Terminating counts the Pods that are being deleted.
func (c *Claims) Terminating() int {
	n := 0
	for _, p := range c.Inactive {
		if p.DeletionTimestamp != nil {
			n++
		}
	}
	return n
}

func (s *finding) claim(owner *ownership.Claimer, pod *corev1.Pod) {
	if !kruise.Active(pod) {
		s.found.Inactive = append(s.found.Inactive, pod)
		s.verdict(pod, decision.Inactive, inactiveRuling(pod))
		return
	}
	if s.lost.Has(pod.UID) {
		return // another controller's now, and ignored
	}
	v := owner.Claim(pod)
	if v.Decision == decision.ToAdopt {
		s.adopt(pod, v)
		return
	}
	s.verdict(pod, v.Decision, v.Ruling)
	switch v.Decision { //exhaustive:enforce
	case decision.Owned:
		s.found.Active = append(s.found.Active, pod)
	case decision.ToRelease:
		s.own(decision.Release, pod, v)
	case decision.ToAdopt, decision.Ignored, decision.Inactive:
	}
}

// adopt makes an adoption possible that another controller may make first. The
// Pod then keeps its reference to this set, which ignores it (claimObject of
// pkg/util/refmanager, v1.9.1).
func (s *finding) adopt(pod *corev1.Pod, v ownership.Verdict) {
	s.found.Active = append(s.found.Active, pod)
	if !s.rechecked {
		s.rechecked = true
		s.Decision.ClaimBy(ownership.CachedRecheck(s.Set.Ref, nil))
	}
	why, n := ownership.Contested(s.Reader, view.Pods, s.Set.GetUID(), s.Set.Selector, pod)
	if n > 0 {
		v.Ruling = why
		s.found.Contested = append(s.found.Contested, pod)
	}
	s.verdict(pod, v.Decision, v.Ruling)
	if s.own(decision.Adopt, pod, v) && n > 0 {
		s.Share(&decision.Choice{K: 1, N: n + 1})
	}
}

// own is an adoption or release, ok is false where it is refused. Upstream updates
// the whole pod, so there is no patch to show.
func (s *finding) own(verb decision.Verb, pod *corev1.Pod, v ownership.Verdict) (ok bool) {
	write, err := s.Send(reconcile.Once(s.owning(verb, pod)))
	if err != nil {
		s.found.Fail(err)
		return false
	}
	s.Does(reconcile.Action(verb, ownership.RefTo(view.Pods, pod), v.Ruling), write)
	return true
}

// owning is the request that adopts or releases a Pod.
func (s *finding) owning(verb decision.Verb, pod *corev1.Pod) cluster.Write {
	return cluster.Write{
		Verb: cluster.Update, Kind: view.Pods, Namespace: pod.Namespace, Name: pod.Name,
		Stored: func(now metav1.Object) metav1.Object {
			free := ownership.Without(now, s.Set.GetUID())
			if verb == decision.Release {
				return free
			}
			return ownership.With(free, s.Set.Reference())
		},
	}
}

// Fail notes the first refusal.
func (c *Claims) Fail(err error) { c.Err = cmp.Or(c.Err, err) }

//go:noinline // it is called at many places
func (s *finding) verdict(pod metav1.Object, hold decision.ClaimDecision, why decision.Ruling) {
	s.found.Verdicts = append(s.found.Verdicts, decision.Claim{Object: ownership.RefTo(view.Pods, pod), Decision: hold, Ruling: why})
}

// Own returns the pods with an owner reference of the set's UID, whether that
// makes it their controller or not.
func Own(r *view.Reader, set *api.Set) []*corev1.Pod {
	found := look(r, set)
	own := make([]*corev1.Pod, 0, len(found))
	for i := range found {
		if p := found[i].Found.pod; p != nil {
			own = append(own, p)
		}
	}
	return own
}

// looked is what a set finds of one Pod in its namespace.
type looked struct {
	// pod is the Pod that refers to the set, nil for another.
	pod *corev1.Pod
	// owned: it counts, and is controlled and selected. ref is what it is called then.
	owned bool
	ref   decision.Ref
}

// looks is where that is kept of a set.
type looks struct {
	set      decision.Ref
	selector string
	deleting bool
}

// look is what the set finds of the Pods in its namespace.
func look(r *view.Reader, set *api.Set) []view.Finding[looked] {
	owner := claimer(set)
	whole := r.Readable(set.PodsNeed(), set.Selector)
	earlier := view.Carried[[]view.Finding[looked]](r.View, looks{set.Ref, set.Selector.String(), set.Deleting()})
	return view.Refound(earlier, r.Metadata(set.PodsNeed()), func(obj metav1.Object) (l looked) {
		if !refersTo(obj, set.GetUID()) {
			return looked{}
		}
		need := set.PodsNeed()
		need.Name = obj.GetName()
		switch pod, full := view.Decoded(obj).(*corev1.Pod); {
		case !set.Selector.Matches(labels.Set(obj.GetLabels())):
			l.pod, _ = view.Get[*corev1.Pod](r, need)
		case whole && full:
			l.pod = pod
			l.owned = kruise.Active(pod) && owner.Claim(pod).Decision == decision.Owned
			l.ref = ownership.RefTo(view.Pods, pod)
		}
		return l
	})
}

// claimer is the set as it claims Pods.
func claimer(set *api.Set) *ownership.Claimer {
	return &ownership.Claimer{Ref: set.Ref, Deleting: set.Deleting(), Selector: set.Selector}
}

// orphans are told apart because a user of ReplicaSets expects them adopted.
func (s *finding) orphans() {
	for _, m := range s.Reader.Orphans(s.Set.PodsNeed()) {
		if s.Set.Selector.Matches(labels.Set(m.GetLabels())) && !refersTo(m, s.Set.GetUID()) {
			s.verdict(m, decision.Ignored, decision.Ruled(rules.NeverAdopts, decision.F(rules.KeySet, s.Set.Ref.String())))
		}
	}
}

func ownVolumes(s *reconcile.Run) []metav1.Object {
	var own []metav1.Object
	for _, m := range s.Set.VolumeClaims(s.Reader) {
		if refersTo(m, s.Set.GetUID()) && m.GetDeletionTimestamp() == nil {
			own = append(own, m)
		}
	}
	return own
}

func refersTo(obj metav1.Object, uid types.UID) bool {
	for _, ref := range obj.GetOwnerReferences() {
		if ref.UID == uid {
			return true
		}
	}
	return false
}

func inactiveRuling(pod *corev1.Pod) decision.Ruling {
	rule := rules.FinishedIgnored
	if pod.DeletionTimestamp != nil {
		rule = rules.TerminatingIgnored
	}
	return decision.Ruled(rule, decision.At(rules.KeyPhase, string(pod.Status.Phase), "status.phase"),
		decision.At(rules.KeyDeletionTimestamp, deletionOf(pod), "metadata.deletionTimestamp"))
}

func deletionOf(obj metav1.Object) string {
	if t := obj.GetDeletionTimestamp(); t != nil {
		return format.Instant(t.Time)
	}
	return ""
}
