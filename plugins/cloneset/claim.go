package cloneset

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/wording"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// claims is what the controller finds to be its own.
type claims struct {
	actions []decision.Action
	// active are the pods that count, inactive those that finished or are
	// being deleted.
	active, inactive []*corev1.Pod
	// contested are those of active that others may adopt first.
	contested []*corev1.Pod
	// err is a refusal; the sync ends there.
	err error
}

// find mirrors getOwnedPods, getOwnedPVCs and claimPods
// (cloneset_controller.go, v1.9.1): what refers to the set's UID is looked up
// in an index, so a pod without a reference is never found.
func (s *sync) find() {
	pods := ownPods(s.Reader, s.Set)
	s.Volumes = s.ownVolumes()
	if s.cleanUpVolumes(pods); s.claims.err != nil {
		return
	}
	s.Decision.Claims = make([]decision.Claim, 0, len(pods))
	s.claims.active = make([]*corev1.Pod, 0, len(pods))
	owner := &ownership.Claimer{Ref: s.Set.Ref, Deleting: s.Set.Deleting(), Selector: s.Set.Selector}
	for _, pod := range pods {
		s.claimOne(owner, pod)
	}
	s.orphans()
}

func (s *sync) claimOne(owner *ownership.Claimer, pod *corev1.Pod) {
	if !kruise.Active(pod) {
		s.claims.inactive = append(s.claims.inactive, pod)
		s.verdict(pod, decision.Inactive, inactiveRuling(pod))
		return
	}
	if s.rivals.lost.Has(pod.UID) {
		return // another controller's now, and ignored
	}
	v := owner.Claim(pod)
	if v.Hold == decision.ToAdopt {
		s.adopt(pod, v)
		return
	}
	s.verdict(pod, v.Hold, v.Ruling)
	switch v.Hold {
	case decision.Owned:
		s.claims.active = append(s.claims.active, pod)
	case decision.ToRelease:
		s.own(decision.Release, pod, v)
	}
}

// own is an adoption or release, ok is false where it is refused. Upstream updates
// the whole pod, so there is no patch to show.
func (s *sync) own(verb decision.Verb, pod *corev1.Pod, v ownership.Verdict) (ok bool) {
	write, err := s.Send(reconcile.Once(s.owning(verb, pod)))
	if err != nil {
		s.claims.fail(err)
		return false
	}
	a := reconcile.Action(verb, ownership.RefTo(view.Pods, pod), v.Ruling)
	a.Write = write
	s.claims.actions = append(s.claims.actions, a)
	return true
}

// owning is the request that adopts or releases a Pod.
func (s *sync) owning(verb decision.Verb, pod *corev1.Pod) cluster.Write {
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

func (c *claims) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

func (s *sync) verdict(pod metav1.Object, hold decision.Hold, why decision.Ruling) {
	s.Decision.Claims = append(s.Decision.Claims, decision.Claim{Object: ownership.RefTo(view.Pods, pod), Hold: hold, Ruling: why})
}

// ownPods are the pods with an owner reference of the set's UID, whether that
// makes it their controller or not.
func ownPods(r *view.Reader, set *api.Set) []*corev1.Pod {
	selected := view.List[*corev1.Pod](r, set.PodsNeed(), set.Selector)
	own := make([]*corev1.Pod, 0, len(selected))
	for _, p := range selected {
		if refersTo(p, set.GetUID()) {
			own = append(own, p)
		}
	}
	for _, m := range r.Metadata(set.PodsNeed()) {
		if len(selected) > 0 && m == metav1.Object(selected[0]) { // both lists have one order
			selected = selected[1:]
			continue
		}
		if !refersTo(m, set.GetUID()) || set.Selector.Matches(labels.Set(m.GetLabels())) {
			continue
		}
		need := set.PodsNeed()
		need.Name = m.GetName()
		if pod, ok := view.Get[*corev1.Pod](r, need); ok {
			own = append(own, pod)
		}
	}
	return own
}

// orphans are told apart because a user of ReplicaSets expects them adopted.
func (s *sync) orphans() {
	for _, m := range s.Reader.Orphans(s.Set.PodsNeed()) {
		if s.Set.Selector.Matches(labels.Set(m.GetLabels())) && !refersTo(m, s.Set.GetUID()) {
			s.verdict(m, decision.Ignored, decision.Ruled(rules.NeverAdopts, decision.F("set", s.Set.Ref.String())))
		}
	}
}

func (s *sync) ownVolumes() []metav1.Object {
	var own []metav1.Object
	for _, m := range s.Reader.Metadata(s.Set.ClaimsNeed()) {
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
	return decision.Ruled(rule, decision.At("phase", string(pod.Status.Phase), "status.phase"),
		decision.At("deletionTimestamp", deletionOf(pod), "metadata.deletionTimestamp"))
}

func deletionOf(obj metav1.Object) string {
	if t := obj.GetDeletionTimestamp(); t != nil {
		return wording.Instant(t.Time)
	}
	return ""
}
