package deployment

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// shareRoom has the sets create their pods from the same quotas. They are synced
// side by side, so that where not all fit, chance says which get how many.
func (s *sync) shareRoom(all []followed, left *view.View) {
	creating := slices.DeleteFunc(slices.Clone(all), func(f followed) bool { return f.decision == nil || f.decision.Summary.Create == 0 })
	if len(creating) < 2 {
		return
	}
	after := s.inTurn(creating, left, nil)
	for i, f := range creating {
		if after[i] == nil || after[i].Summary.Create < f.decision.Summary.Create {
			s.contend(all, creating, left)
			return
		}
	}
}

// contend makes possible what sets create that compete for a quota.
func (s *sync) contend(all, creating []followed, left *view.View) {
	why := fmt.Sprintf("quotas have no room for all pods that %d ReplicaSets create at the same time: which of them get how many is chance", len(creating))
	s.doubt(why)
	for i, d := range s.inTurn(creating, left, &decision.Caveat{Code: inDoubt, Message: why}) {
		for k := range all {
			if d != nil && all[k].set.Name == creating[i].set.Name {
				all[k].decision = d
			}
		}
	}
}

// inTurn decides on the sets one after another, each with the room that those
// before it left.
func (s *sync) inTurn(creating []followed, left *view.View, doubt *decision.Caveat) []*decision.Decision {
	out := make([]*decision.Decision, len(creating))
	for i, f := range creating {
		d, err := s.given.Follow(s.r, s.profile, f.set, left, doubt)
		if err != nil {
			break
		}
		left = s.charged(left, f.set, int64(d.Summary.Create))
		out[i] = d
	}
	return out
}

// charged is the View whose quotas count n more pods of a set.
func (s *sync) charged(left *view.View, rs *appsv1.ReplicaSet, n int64) *view.View {
	r := left.Reader()
	features := admission.FeaturesOf(s.profile.Kubernetes)
	quotas := view.List[*corev1.ResourceQuota](r, admission.Quotas(s.d.Namespace), nil)
	limits := view.List[*corev1.LimitRange](r, view.Need{Kind: view.LimitRanges, Namespace: s.d.Namespace}, nil)
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: s.d.Namespace}, Spec: rs.Spec.Template.Spec}
	pod = admission.Namespace{LimitRanges: limits}.Review(pod, features).Pod
	var changed []metav1.Object
	for _, q := range quotas {
		if q = q.DeepCopy(); admission.Charge(q, pod, features, n, s.now) {
			changed = append(changed, q)
		}
	}
	if len(changed) == 0 {
		return left
	}
	return left.With(view.ResourceQuotas, changed...)
}
