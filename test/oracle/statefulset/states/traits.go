package states

import (
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/statefulset/contract"
)

// Traits are what states have to be made of, with how many in a thousand at least.
var Traits = map[string]int{
	"OrderedReady": 400, "Parallel": 200, "start ordinal": 80, "partition": 80, "OnDelete": 20, "minReadySeconds": 150,
	"maxUnavailable": 100, "maxUnavailable in percent": 60, "maxUnavailable with its gate": 60, "set deleted": 15, "generation not observed": 60,
	"Pod pending": 60, "Pod not ready": 60, "Pod ready, not available": 10, "Pod failed": 20, "Pod succeeded": 10, "Pod terminating": 60,
	"Pod without a revision": 10, "Pod of an unknown revision": 10, "Pod of an old revision": 150, "Pod missing": 120, "Pod beyond replicas": 80,
	"orphan": 15, "Pod to release": 10, "Pod of another": 10, "wrong identity": 20, "wrong storage": 10,
	"claim missing": 80, "claim terminating": 10, "claim of another": 15, "claim of an old set or Pod": 15, "claim of the set": 40, "claim of a Pod": 20,
	"whenDeleted": 80, "whenScaled": 80, "no revision": 10, "history at its limit": 60, "revision orphaned": 10, "revision of another": 3,
	"refused": 90, "conflict": 25, "collision": 5, "behind": 10, "more than 100 Pods": 3,
}

// describe names the traits of a state.
func (s *scene) describe(req *contract.Request) {
	s.describeSet()
	s.describeRevisions()
	s.describeFaults(req)
	for _, pod := range req.Pods {
		s.describePod(pod)
	}
	for _, claim := range req.Claims {
		s.describeClaim(claim)
	}
	if len(req.Claims) < len(req.Pods)*len(s.set.Spec.VolumeClaimTemplates) {
		s.has("claim missing", true)
	}
	s.has("Pod missing", len(req.Pods) < int(*s.set.Spec.Replicas))
	s.has("more than 100 Pods", len(req.Pods) > 100 || *s.set.Spec.Replicas > 100)
	s.has("behind", len(req.Behind) > 0)
}

func (s *scene) has(trait string, has bool) {
	if has {
		s.traits[trait] = true
	}
}

func (s *scene) describeSet() {
	spec := &s.set.Spec
	s.has(string(spec.PodManagementPolicy), true)
	s.has("start ordinal", s.start() > 0)
	s.has("OnDelete", spec.UpdateStrategy.Type == appsv1.OnDeleteStatefulSetStrategyType)
	s.has("minReadySeconds", spec.MinReadySeconds > 0)
	s.has("set deleted", s.set.DeletionTimestamp != nil)
	s.has("generation not observed", s.set.Status.ObservedGeneration < s.set.Generation)
	if r := spec.UpdateStrategy.RollingUpdate; r != nil {
		s.has("partition", *r.Partition > 0)
		s.has("maxUnavailable", r.MaxUnavailable != nil)
		s.has("maxUnavailable in percent", r.MaxUnavailable != nil && r.MaxUnavailable.StrVal != "")
		s.has("maxUnavailable with its gate", r.MaxUnavailable != nil && s.counts())
	}
	if p := spec.PersistentVolumeClaimRetentionPolicy; p != nil && len(spec.VolumeClaimTemplates) > 0 {
		s.has("whenDeleted", p.WhenDeleted == remove)
		s.has("whenScaled", p.WhenScaled == remove)
	}
}

func (s *scene) describeRevisions() {
	s.has("no revision", len(s.revisions) == 0)
	s.has("history at its limit", len(s.revisions) > int(*s.set.Spec.RevisionHistoryLimit)+1)
	for _, cr := range s.revisions {
		s.has("revision orphaned", metav1.GetControllerOf(cr) == nil)
		s.has("revision of another", metav1.GetControllerOf(cr) != nil && cr.OwnerReferences[0].UID != setUID)
	}
}

func (s *scene) describeFaults(req *contract.Request) {
	s.has("refused", len(req.Faults) > 0)
	for _, f := range req.Faults {
		s.has("conflict", f.Reason == "Conflict")
		s.has("collision", f.Call == contract.CallCreateRevision && f.Reason == "AlreadyExists")
	}
}

func (s *scene) describePod(pod *corev1.Pod) {
	ref := metav1.GetControllerOf(pod)
	ready := len(pod.Status.Conditions) > 0 && pod.Status.Conditions[0].Status == corev1.ConditionTrue
	s.has("Pod pending", pod.Status.Phase == corev1.PodPending)
	s.has("Pod failed", pod.Status.Phase == corev1.PodFailed)
	s.has("Pod succeeded", pod.Status.Phase == corev1.PodSucceeded)
	s.has("Pod terminating", pod.DeletionTimestamp != nil)
	s.has("Pod not ready", pod.Status.Phase == corev1.PodRunning && !ready)
	s.has("Pod ready, not available", ready && Now.Sub(pod.Status.Conditions[0].LastTransitionTime.Time).Seconds() < float64(s.set.Spec.MinReadySeconds))
	revision := pod.Labels[appsv1.ControllerRevisionHashLabelKey]
	s.has("Pod without a revision", revision == "")
	s.has("Pod of an unknown revision", revision == "web-gone")
	s.has("Pod of an old revision", revision != s.update)
	s.has("orphan", ref == nil && pod.Labels["app"] == "web")
	s.has("Pod to release", ref != nil && ref.UID == setUID && (pod.Labels["app"] != "web" || !strings.HasPrefix(pod.Name, Name+"-")))
	s.has("Pod of another", ref != nil && ref.UID != setUID)
	s.has("wrong identity", pod.Labels[appsv1.StatefulSetPodNameLabel] != pod.Name)
	s.has("wrong storage", len(s.set.Spec.VolumeClaimTemplates) > 0 &&
		(len(pod.Spec.Volumes) == 0 || pod.Spec.Volumes[0].PersistentVolumeClaim == nil || pod.Spec.Volumes[0].PersistentVolumeClaim.ClaimName == "data-other-0"))
	s.has("Pod beyond replicas", s.beyond(pod.Name))
}

// beyond reports whether a name is that of an ordinal that the set does not have.
func (s *scene) beyond(name string) bool {
	for ordinal := range int(*s.set.Spec.Replicas) {
		if name == s.podName(s.start()+ordinal) {
			return false
		}
	}
	return true
}

func (s *scene) describeClaim(claim *corev1.PersistentVolumeClaim) {
	s.has("claim terminating", claim.DeletionTimestamp != nil)
	for _, ref := range claim.OwnerReferences {
		old := ref.UID == "uid-old" || ref.UID == "uid-old-pod"
		s.has("claim of an old set or Pod", old)
		s.has("claim of another", ref.Kind == "ConfigMap")
		s.has("claim of the set", ref.UID == setUID)
		s.has("claim of a Pod", ref.Kind == "Pod" && !old)
	}
}
