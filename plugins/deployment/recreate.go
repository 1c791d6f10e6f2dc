package deployment

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// recreate mirrors rolloutRecreate (recreate.go, v1.37.1): all old pods go and
// have gone before the first new one comes.
func (s *sync) recreate() error {
	if err := s.ensureNew(false); err != nil {
		return err
	}
	scaled, err := s.stopOld()
	if err != nil {
		return err
	}
	if scaled || s.oldPodsRun() {
		return s.syncRolloutStatus()
	}
	if s.sets.newRS == nil {
		if err := s.ensureNew(true); err != nil {
			return err
		}
	}
	if _, _, err := s.scale(s.sets.newRS, s.limits.desired, decision.Ruled(RecreateUp, s.limits.desiredFact())); err != nil {
		return err
	}
	return s.settle()
}

// stopOld mirrors scaleDownOldReplicaSetsForRecreate.
func (s *sync) stopOld() (bool, error) {
	scaledAny := false
	for _, rs := range active(s.sets.oldRSs) {
		scaled, _, err := s.scale(rs, 0, decision.Ruled(RecreateDown))
		if err != nil {
			return false, err
		}
		scaledAny = scaledAny || scaled
	}
	return scaledAny, nil
}

// oldPodsRun mirrors oldPodsRunning: pods count until they are gone or
// finished, also while they terminate.
func (s *sync) oldPodsRun() bool {
	for _, rs := range s.sets.oldRSs {
		if actual(rs) > 0 {
			s.hold(OldSetReportsPods, ownership.RefTo(view.ReplicaSets, rs), decision.At(keyReplicas, actual(rs), "status.replicas"), decision.F(keySet, rs.Name))
		}
	}
	if sum(s.sets.oldRSs, actual) > 0 {
		return true
	}
	for _, rs := range s.sets.oldRSs {
		for _, pod := range s.podsOf(rs) {
			if !view.Ended(pod) {
				s.hold(OldPodRuns, ownership.RefTo(view.Pods, pod),
					decision.At(keyPhase, string(pod.Status.Phase), "status.phase"), decision.F(keySet, rs.Name), decision.F(keyPod, pod.Name))
				return true
			}
		}
	}
	return false
}

// podsOf mirrors getPodMapForDeployment (deployment_controller.go, v1.37.1).
func (s *sync) podsOf(rs *appsv1.ReplicaSet) []*corev1.Pod {
	need := view.Need{Kind: view.Pods, Namespace: s.d.Namespace, IfMissing: "whether Pods of old ReplicaSets still run is not known"}
	var pods []*corev1.Pod
	for _, m := range s.r.ControlledBy(need, rs.UID) {
		ref := metav1.GetControllerOfNoCopy(m)
		if s.behaviour.byName && (ref.Kind != view.ReplicaSets.Kind || ref.Name != rs.Name) {
			continue
		}
		if !s.behaviour.byName && !s.claims.owner.Selector.Matches(labels.Set(m.GetLabels())) {
			continue
		}
		one := need
		one.Name = m.GetName()
		if pod, ok := view.Get[*corev1.Pod](s.r, one); ok {
			pods = append(pods, pod)
		}
	}
	return pods
}
