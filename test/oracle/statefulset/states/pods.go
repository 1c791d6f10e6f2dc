package states

import (
	"fmt"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

func (s *scene) start() int {
	if s.set.Spec.Ordinals != nil {
		return int(s.set.Spec.Ordinals.Start)
	}
	return 0
}

// drawPods draws Pods for the ordinals of the set and for some around them.
func (s *scene) drawPods() []*corev1.Pod {
	var pods []*corev1.Pod
	first, n := s.start(), int(*s.set.Spec.Replicas)
	beyond := mostly(s.draw, 0, 20, 1, 2)
	missing := pick(s.draw, 0, 0, 10, 40)
	switch s.stratum {
	case scaling:
		beyond, missing = pick(s.draw, 0, 1, 2, 3), pick(s.draw, 0, 0, 20, 50)
	case rollout, idle:
		beyond, missing = 0, 0
	case crowd:
		beyond, missing = pick(s.draw, 0, 0, 5, 40), pick(s.draw, 0, 50, 100)
	}
	healthy := s.healthy()
	for ordinal := max(0, first-mostly(s.draw, 0, 15, 1, 2)); ordinal < first+n+beyond; ordinal++ {
		if ordinal >= first && ordinal < first+n && s.chance(missing) {
			continue
		}
		pod := s.pod(ordinal)
		s.condition(pod, healthy)
		pods = append(pods, s.oddities(pod)...)
	}
	return pods
}

// pod is a Pod of the set as it makes them.
func (s *scene) pod(ordinal int) *corev1.Pod {
	pod := &corev1.Pod{}
	pod.Name, pod.Namespace = s.podName(ordinal), Namespace
	pod.UID, pod.ResourceVersion = types.UID("uid-"+pod.Name), "4"
	pod.CreationTimestamp = ago(5000 - ordinal)
	pod.Labels = map[string]string{
		"app": "web", appsv1.StatefulSetPodNameLabel: pod.Name, appsv1.PodIndexLabel: strconv.Itoa(ordinal),
		appsv1.ControllerRevisionHashLabelKey: s.revisionOf(),
	}
	pod.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(s.set, appsv1.SchemeGroupVersion.WithKind("StatefulSet"))}
	pod.Spec.Containers = []corev1.Container{{Name: "main", Image: "web"}}
	pod.Spec.Hostname, pod.Spec.Subdomain = pod.Name, s.set.Spec.ServiceName
	for _, t := range s.set.Spec.VolumeClaimTemplates {
		pod.Spec.Volumes = append(pod.Spec.Volumes, volume(t.Name, s.claimName(t.Name, ordinal)))
	}
	pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: "token"})
	return pod
}

func volume(name, claim string) corev1.Volume {
	v := corev1.Volume{Name: name}
	v.PersistentVolumeClaim = &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim}
	return v
}

func (s *scene) podName(ordinal int) string { return fmt.Sprintf("%s-%d", Name, ordinal) }

func (s *scene) claimName(template string, ordinal int) string {
	return fmt.Sprintf("%s-%s-%d", template, Name, ordinal)
}

// revisionOf is the revision of a Pod.
func (s *scene) revisionOf() string {
	if s.stratum == idle {
		return s.update
	}
	if s.chance(3) {
		return pick(s.draw, "", "web-gone", "web-5a")
	}
	if s.stratum == rollout {
		return pick(s.draw, s.current, s.current, s.update)
	}
	return mostly(s.draw, s.update, 25, s.current)
}

// condition draws a Pod's phase, readiness and deletion.
func (s *scene) condition(pod *corev1.Pod, healthy int) {
	pod.Status.Phase = corev1.PodRunning
	if s.chance(healthy) {
		s.ready(pod, pick(s.draw, 100, 500, 3000))
		return
	}
	s.ready(pod, 100)
	switch s.IntN(12) {
	case 0, 1:
		pod.Status.Phase = corev1.PodPending
		pod.Status.Conditions = nil
	case 2, 3:
		pod.Status.Conditions[0].Status = corev1.ConditionFalse
	case 4, 5:
		s.ready(pod, pick(s.draw, 0, 1, 5, 9, 10, 11))
	case 6:
		pod.Status.Phase = mostly(s.draw, corev1.PodFailed, 40, corev1.PodSucceeded)
		pod.Status.Reason = mostly(s.draw, "", 40, "Evicted")
		pod.Status.Conditions = mostly(s.draw, nil, 20, pod.Status.Conditions)
	case 7, 8, 9:
		pod.DeletionTimestamp, pod.DeletionGracePeriodSeconds = new(ago(-20)), new(int64(30))
		pod.Status.Phase = mostly(s.draw, corev1.PodRunning, 40, corev1.PodPending, corev1.PodFailed, corev1.PodSucceeded)
	case 10:
		pod.Status.Phase = pick(s.draw, corev1.PodUnknown, "", corev1.PodPending) // conditions as they are
	case 11:
		pod.Status.Conditions = pick(s.draw, nil, []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
			[]corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionUnknown}})
	}
}

func (s *scene) ready(pod *corev1.Pod, seconds int) {
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: ago(seconds)}}
}

// oddities makes some Pods other than the set's own; one in few is there besides.
func (s *scene) oddities(pod *corev1.Pod) []*corev1.Pod {
	percent := 3
	switch s.stratum {
	case strangers:
		percent = 35
	case storage:
		percent = 6
	case rollout:
		percent = 1
	case idle, crowd:
		percent = 0
	}
	if !s.chance(percent) {
		return []*corev1.Pod{pod}
	}
	ref := &pod.OwnerReferences[0]
	switch s.IntN(17) {
	case 0, 1, 2:
		pod.OwnerReferences = nil // an orphan to adopt
	case 3:
		pod.Labels["app"] = "blog" // to release
	case 4:
		pod.OwnerReferences = nil
		pod.Labels["app"] = "blog"
	case 5:
		ref.UID = "uid-other"
	case 6:
		ref.Kind, ref.Name, ref.UID = "ReplicaSet", "other", "uid-other"
	case 7, 8:
		pod.Labels[appsv1.StatefulSetPodNameLabel] = pick(s.draw, "web-x", "")
	case 9:
		delete(pod.Labels, appsv1.StatefulSetPodNameLabel)
		delete(pod.Labels, appsv1.PodIndexLabel)
	case 10:
		pod.Labels["tier"] = "back"
	case 11:
		return s.renamed(pod)
	case 12, 13, 14:
		s.wrongVolumes(pod)
	case 15:
		pod.OwnerReferences = nil
		pod.DeletionTimestamp = new(ago(-20))
	case 16:
		ref.Controller = nil
	}
	return []*corev1.Pod{pod}
}

// renamed gives a Pod a name that is not the one of its ordinal, and at times lets
// the one that it had be there too.
func (s *scene) renamed(pod *corev1.Pod) []*corev1.Pod {
	other := pod.DeepCopy()
	padded := Name + "-0" + strings.TrimPrefix(pod.Name, Name+"-")
	other.Name = pick(s.draw, "web2-0", "web-x", "cart-1", padded)
	other.UID = types.UID("uid-" + other.Name)
	if s.chance(30) {
		other.OwnerReferences = nil
	}
	if other.Name == padded {
		return []*corev1.Pod{other} // which of two Pods of one ordinal counts is not deterministic
	}
	return []*corev1.Pod{pod, other}
}

func (s *scene) wrongVolumes(pod *corev1.Pod) {
	switch s.IntN(3) {
	case 0:
		pod.Spec.Volumes = nil
	case 1:
		pod.Spec.Volumes[0] = volume(pod.Spec.Volumes[0].Name, "data-other-0")
	case 2:
		pod.Spec.Volumes[0].VolumeSource = corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}
	}
}
