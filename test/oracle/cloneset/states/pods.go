package states

import (
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The labels and states of a pod's lifecycle.
const (
	revisionLabel  = "controller-revision-hash"
	templateLabel  = "pod-template-hash"
	instanceLabel  = "apps.kruise.io/cloneset-instance-id"
	specifiedLabel = "apps.kruise.io/specified-delete"
	stateLabel     = "lifecycle.apps.kruise.io/state"
	inPlaceReady   = corev1.PodConditionType("InPlaceUpdateReady")
)

func podName(i int) string { return fmt.Sprintf("web-%c", 'a'+i) }

func (s *scene) drawPods() {
	n := s.wanted
	switch {
	case !s.calm:
		n = mostly(s.draw, s.between(0, 7), 50, s.wanted+1, s.wanted+2, s.wanted+3, max(0, s.wanted-1))
	case s.chance(15):
		n += s.between(0, 2) // a surge, perhaps
	}
	if s.shrinks {
		n = s.wanted + s.between(1, 4)
	}
	if s.alike && s.chance(20) {
		n += 8 // a sort that is not stable
	}
	for i := range n {
		s.pods = append(s.pods, s.pod(i))
	}
}

func (s *scene) pod(i int) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: owned(podName(i), fmt.Sprint(40+i))}
	// In a calm state, most pods carry one of the two newest revisions.
	r := s.between(0, len(s.templates)-1)
	if s.calm {
		r = max(0, len(s.templates)-pick(s.draw, 1, 2, 2))
	}
	t := s.templates[r].typed()
	p.Spec = t.Spec
	maps.Copy(p.Labels, t.Labels)
	p.Annotations = map[string]string{}
	maps.Copy(p.Annotations, t.Annotations)
	s.label(p, r, i)
	s.hooks(p)
	s.runtime(p)
	if len(p.Spec.Containers) > 1 && s.chance(25) {
		s.launchPriorities(p)
	}
	s.underUpdate(p, r)
	if !s.calm {
		s.strange(p)
	}
	return p
}

func (s *scene) revisionName(i int) string {
	if i < len(s.revisions) {
		return s.revisions[i].Name
	}
	return "web-r" + fmt.Sprint(i)
}

func short(name string) string {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '-' {
			return name[i+1:]
		}
	}
	return name
}

func (s *scene) label(p *corev1.Pod, revision, i int) {
	name := s.revisionName(revision)
	p.Labels[revisionLabel] = mostly(s.draw, name, 20, short(name))
	p.Labels[templateLabel] = short(name)
	p.Labels[instanceLabel] = fmt.Sprintf("%c", 'a'+i)
	if state := s.state(); state != "" {
		p.Labels[stateLabel] = state
	}
	if s.chance(40) {
		p.Labels["group"] = pick(s.draw, "1", "2", "3", "x7")
	}
	if s.chance(30) {
		p.Labels["color"] = pick(s.draw, "red", "blue", "")
	}
	if s.chance(s.rarely(6)) {
		p.Labels[specifiedLabel] = pick(s.draw, "true", "false")
	}
}

func (s *scene) state() string {
	common := mostly(s.draw, "Normal", 10, "")
	if s.calm {
		return mostly(s.draw, common, 12, "PreparingUpdate", "PreparingUpdate", "Updating", "Updated", "PreparingNormal", "PreparingDelete", "Strange")
	}
	return mostly(s.draw, common, 30, "PreparingNormal", "PreparingUpdate", "Updating", "Updated", "PreparingDelete", "PreparingDelete")
}

func (s *scene) hooks(p *corev1.Pod) {
	for _, name := range []string{"preDelete", "inPlaceUpdate", "preNormal"} {
		if s.chance(50) {
			p.Labels[hookLabels[name]] = mostly(s.draw, "yes", 10, "no")
		}
		if s.chance(25) {
			p.Finalizers = append(p.Finalizers, hookFinalizers[name])
		}
	}
}

// runtime draws what the kubelet and the scheduler made of the pod.
func (s *scene) runtime(p *corev1.Pod) {
	p.Spec.NodeName, p.Status.Phase = nodeName(0), corev1.PodRunning
	ready := metav1.ConditionTrue
	since, created := ago(4000), ago(7200)
	restarts := int32(0)
	if !s.alike {
		p.Spec.NodeName = mostly(s.draw, nodeName(s.between(0, 3)), 6, "")
		since, created = ago(pick(s.draw, 4000, 700, 300, 40)), ago(pick(s.draw, 7200, 7100, 9000))
		restarts = int32(s.between(0, 2))
		if s.chance(20) {
			p.Annotations[corev1.PodDeletionCost] = pick(s.draw, "1", "-1", "+3", "08", "100", "x")
		}
	}
	if !s.chance(s.stable) {
		ready = pick(s.draw, metav1.ConditionFalse, metav1.ConditionUnknown, metav1.ConditionFalse)
		p.Status.Phase = mostly(s.draw, corev1.PodRunning, 35, corev1.PodPending, corev1.PodUnknown, "")
	}
	p.CreationTimestamp = created
	p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionStatus(ready), LastTransitionTime: mostly(s.draw, since, 3, metav1.Time{})}}
	for _, c := range p.Spec.Containers {
		p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, corev1.ContainerStatus{
			Name: c.Name, Image: c.Image, ImageID: "id-" + c.Image, ContainerID: "c-" + c.Name, Ready: ready == metav1.ConditionTrue, RestartCount: restarts,
		})
	}
	for _, c := range p.Spec.InitContainers {
		p.Status.InitContainerStatuses = append(p.Status.InitContainerStatuses, corev1.ContainerStatus{Name: c.Name, RestartCount: int32(s.between(0, 2))})
	}
	s.readinessGate(p)
}

func (s *scene) readinessGate(p *corev1.Pod) {
	if s.chance(25) {
		return
	}
	p.Spec.ReadinessGates = []corev1.PodReadinessGate{{ConditionType: inPlaceReady}}
	if s.chance(s.rarely(15)) {
		return
	}
	c := corev1.PodCondition{Type: inPlaceReady, Status: corev1.ConditionTrue, LastTransitionTime: ago(4000)}
	if s.chance(s.rarely(20)) {
		c.Status, c.Reason = corev1.ConditionFalse, mostly(s.draw, "StartInPlaceUpdate", 20, "")
	}
	p.Status.Conditions = append(p.Status.Conditions, c)
	if s.chance(15) {
		p.Spec.ReadinessGates = append(p.Spec.ReadinessGates, corev1.PodReadinessGate{ConditionType: "KruisePodReady"})
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: "KruisePodReady", Status: corev1.ConditionTrue})
	}
}

// strange makes some pods other than plainly the set's own.
func (s *scene) strange(p *corev1.Pod) {
	if !s.chance(35) {
		return
	}
	switch s.between(0, 9) {
	case 0, 1:
		p.Status.Phase = pick(s.draw, corev1.PodFailed, corev1.PodSucceeded)
	case 2, 3:
		p.DeletionTimestamp, p.DeletionGracePeriodSeconds = new(ago(-20)), new(int64(30))
		p.Finalizers = append(p.Finalizers, "example.com/holds")
	case 4:
		p.Labels["app"] = "blog"
	case 5:
		p.OwnerReferences = nil
	case 6:
		p.OwnerReferences = reference(Name, setUID, false)
	case 7:
		p.OwnerReferences = append(reference(Name, setUID, false), reference("blog", "uid-blog", true)...)
	case 8:
		delete(p.Labels, pick(s.draw, templateLabel, revisionLabel))
		if p.Name == podName(0) { // the claims without an instance are of one pod
			delete(p.Labels, pick(s.draw, templateLabel, instanceLabel))
		}
	case 9:
		p.Labels[revisionLabel] = pick(s.draw, "web-lost", "x")
	}
}
