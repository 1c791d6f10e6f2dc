package replicaset

import (
	"fmt"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
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
	for _, other := range view.Derived(v, key{s.set.Namespace}, func() []refusedSet { return refusedSets(v, s.set.Namespace) }) {
		of, why := metav1.GetControllerOfNoCopy(other.set), other.why
		switch {
		case other.set.UID == s.set.UID:
		case why.Class != string(health.WebhookFailed) && (of == nil || own == nil || of.UID != own.UID):
		case slices.ContainsFunc(s.claims.active, func(p *corev1.Pod) bool {
			return p.CreationTimestamp.After(other.since) && !p.CreationTimestamp.After(s.r.ReadAt())
		}): // a Pod was accepted since
		default:
			return why.Label, []string{fmt.Sprintf("the last attempt of replicaset/%s was refused (%s), and this one may be", other.set.Name, why.Label)}
		}
	}
	return "", nil
}

// refusedSet is a ReplicaSet whose last creation was refused: since when creations fail, and
// why.
type refusedSet struct {
	set   *appsv1.ReplicaSet
	since time.Time
	why   decision.Cause
}

// refusedSets are those of a namespace, by the condition that creations fail, which lasts
// until one succeeds: as far as the View holds any, since nothing is read for it.
func refusedSets(v *view.View, namespace string) (all []refusedSet) {
	for _, obj := range v.InHand(view.Need{Kind: view.ReplicaSets, Namespace: namespace}) {
		set, ok := obj.(*appsv1.ReplicaSet)
		if !ok {
			continue
		}
		f := replicaFailure(set.Status.Conditions)
		if f == nil || f.Reason != failedCreate {
			continue
		}
		since := f.LastTransitionTime.Time
		why, _ := health.RefusedBefore(v.Reader(), health.Creator{
			Kind: view.ReplicaSets, Object: set, Events: health.FailedCreates(view.ReplicaSets, set),
			Failed: &health.Failed{Since: since, Message: f.Message},
		}, health.Options{Now: v.Now()})
		if !health.Retried(why) {
			all = append(all, refusedSet{set, since, why})
		}
	}
	return all
}
