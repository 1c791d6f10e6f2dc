package replicaset

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// refusedBeside doubts creations as the last one of another ReplicaSet was refused: of one
// with the same controller, or, where a webhook fails, of any in the namespace. A webhook that
// denies the Pods of others for what they hold may accept these. by is what refused it.
func (s *sync) refusedBeside() (by string, doubts []string) {
	if s.failing(failedCreate) != nil || s.set.isRC() {
		return "", nil
	}
	type key struct{ failing string }
	v, own := s.r.AsRead(), metav1.GetControllerOfNoCopy(s.set)
	for _, set := range view.Derived(v, key{s.set.Namespace}, func() []*appsv1.ReplicaSet { return failingSets(v, s.set.Namespace) }) {
		f := replicaFailure(set.Status.Conditions)
		why, _ := health.RefusedBefore(v.Reader(), health.Creator{
			Kind: view.ReplicaSets, Object: set, Events: health.FailedCreates(view.ReplicaSets, set),
			Failed: &health.Failed{Since: f.LastTransitionTime.Time, Message: f.Message},
		}, health.Options{Now: v.Now()})
		of := metav1.GetControllerOfNoCopy(set)
		switch {
		case set.UID == s.set.UID || health.Retried(why):
		case why.Class != string(health.WebhookFailed) && (of == nil || own == nil || of.UID != own.UID):
		case slices.ContainsFunc(s.claims.active, func(p *corev1.Pod) bool {
			return p.CreationTimestamp.After(f.LastTransitionTime.Time) && !p.CreationTimestamp.After(s.r.ReadAt())
		}): // a Pod was accepted since
		default:
			return why.Label, []string{fmt.Sprintf("the last attempt of replicaset/%s was refused (%s), and this one may be", set.Name, why.Label)}
		}
	}
	return "", nil
}

// failingSets are the ReplicaSets of a namespace that have the condition that creations fail,
// which lasts until one succeeds, as far as the View holds any: nothing is read for it.
func failingSets(v *view.View, namespace string) (all []*appsv1.ReplicaSet) {
	for _, obj := range v.InHand(view.Need{Kind: view.ReplicaSets, Namespace: namespace}) {
		if set, ok := obj.(*appsv1.ReplicaSet); ok {
			if f := replicaFailure(set.Status.Conditions); f != nil && f.Reason == failedCreate {
				all = append(all, set)
			}
		}
	}
	return all
}
