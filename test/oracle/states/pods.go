package states

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/random"
)

// Pods are n pods of a seed for comparisons: a few states' worth, one after the
// other, so that pods of one state are alike and those of different ones are not.
func Pods(version string, n, seed int) []*corev1.Pod {
	from := random.New(uint64(seed))
	var pods []*corev1.Pod
	for len(pods) < n {
		pods = append(pods, newScene(from, version).pods...)
	}
	for i, p := range pods[:n] {
		p.Name = fmt.Sprintf("p%d", i)
	}
	return pods[:n]
}

// drawPods draws mostly a handful of pods; the stratum may ask for more.
func (s *scene) drawPods() {
	for i := range s.count() {
		s.pods = append(s.pods, s.pod(i))
	}
}

func (s *scene) pod(i int) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: s.meta(fmt.Sprintf("p%02d", i), types.UID(fmt.Sprintf("%02x-%d", s.between(0, 255), i)))}
	s.own(p)
	s.twice(p)
	if s.chance(5) {
		p.Spec.EphemeralContainers = []corev1.EphemeralContainer{{EphemeralContainerCommon: corev1.EphemeralContainerCommon{Name: "debug"}}}
		p.Status.EphemeralContainerStatuses = []corev1.ContainerStatus{{Name: "debug", RestartCount: 9}}
	}
	p.Labels = s.podLabels()
	p.Status.Phase = s.phase()
	p.Spec.NodeName = s.node()
	p.Status.Conditions = s.podConditions()
	p.CreationTimestamp = s.created(p)
	s.cost(p)
	s.restarts(p)
	if s.chance(s.vary.strangers / 6) {
		p.DeletionTimestamp = new(ago(s.between(-30, 30)))
	}
	s.misplace(p)
	return p
}

// misplace puts a few pods into another namespace. Those that refer to the set
// across namespaces stay out of 1.34.0 and 1.34.1, which look pods up by UID
// alone: the API does not allow such references, and the plugin reads one
// namespace.
func (s *scene) misplace(p *corev1.Pod) {
	anywhere := s.modelled.AtLeast(34, 0) && !s.modelled.AtLeast(34, 2)
	owned := metav1.GetControllerOfNoCopy(p) != nil
	if s.chance(1) && (!anywhere || !owned) {
		p.Namespace = "elsewhere"
	}
}

// own gives p a controller: the target, none, another, or one that only looks
// like the target.
func (s *scene) own(p *corev1.Pod) {
	apiVersion := "apps/v1"
	if s.isRC() {
		apiVersion = "v1"
	}
	mine := controlledBy(apiVersion, s.kind, Name, setUID)
	p.OwnerReferences = mostly(s.draw, mine, s.vary.strangers,
		nil, nil, nil,
		controlledBy("apps/v1", "ReplicaSet", "other-0", "uid-other-0"),
		controlledBy(apiVersion, s.kind, Name, "uid-of-an-older-web"),
		controlledBy(apiVersion, s.kind, "renamed", setUID),
		controlledBy("batch/v1", "Job", Name, setUID),
		append([]metav1.OwnerReference{{APIVersion: "v1", Kind: "Service", Name: "s", UID: "uid-service"}}, mine...),
		[]metav1.OwnerReference{{APIVersion: apiVersion, Kind: s.kind, Name: Name, UID: setUID, Controller: new(false)}},
	)
}

func (s *scene) podLabels() map[string]string {
	set := mostly(s.draw, map[string]string{labelApp: web}, s.vary.strangers/2,
		map[string]string{labelApp: old}, nil, map[string]string{labelApp: "site", labelTier: "back"})
	if set != nil && s.chance(30) {
		return map[string]string{labelApp: set[labelApp], labelTier: pick(s.draw, "front", "back")}
	}
	return set
}

// created keeps a ready pod's creation away from now: upstream divides by the
// youngest ready pod's age in milliseconds (reportSortingDeletionAgeRatioMetric)
// and panics when that is 0.
func (s *scene) created(p *corev1.Pod) metav1.Time {
	at := s.vary.created.time(s.clock)
	if isReady(p) && at.Time.Equal(Now) {
		return ago(1)
	}
	return at
}
