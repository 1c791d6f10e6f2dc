package states

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
)

const (
	updateAnnotation  = "apps.kruise.io/inplace-update-state"
	graceAnnotation   = "apps.kruise.io/inplace-update-grace"
	runtimeAnnotation = "apps.kruise.io/runtime-containers-meta"
)

// underUpdate leaves the marks of an update in place: always on pods in
// Updating, on others as those of an update long done.
func (s *scene) underUpdate(p *corev1.Pod, revision int) {
	if p.Labels[stateLabel] != "Updating" && !s.chance(8) {
		return
	}
	if s.chance(10) {
		return
	}
	main := &p.Status.ContainerStatuses[0]
	state := map[string]any{
		"revision": s.revisionName(revision), "updateTimestamp": ago(pick(s.draw, 3600, 10, 31)), "updateImages": true,
		"lastContainerStatuses": map[string]any{"main": map[string]any{"imageID": "id-old"}},
	}
	switch s.between(0, 10) {
	case 0, 1, 2: // not done: neither the ID nor the image has changed
		main.ImageID, main.Image = "id-old", "web:old"
	case 3:
		main.ImageID = "id-old" // same ID under the wanted name: done
	case 4:
		state["lastContainerStatuses"] = map[string]any{"main": map[string]any{"imageID": "id-old"}, "gone": map[string]any{"imageID": "id-gone"}}
	case 5:
		s.nextBatch(p, state)
	case 6, 8:
		state["updateEnvFromMetadata"] = true
	case 7:
		state["updateResources"] = true
		if s.chance(70) {
			r := p.Spec.Containers[0].Resources
			main.Resources = &r
		}
	}
	p.Annotations[mostly(s.draw, updateAnnotation, 10, "inplace-update-state")] = string(encode(state))
	if s.chance(2) {
		p.Annotations[updateAnnotation] = pick(s.draw, "{broken", "")
	}
	if s.chance(12) {
		p.Annotations[graceAnnotation] = string(encode(map[string]any{
			"revision": mostly(s.draw, s.revisionName(revision), 25, "web-other"), "graceSeconds": 30,
			"containerImages": s.nowImages(p), "containerRefMetadata": s.nowMetadata(p), "containerResources": s.nowResources(p),
		}))
	}
	if s.chance(50) {
		s.report(p)
	}
}

// nowMetadata are labels and annotations that containers wait for.
func (s *scene) nowMetadata(p *corev1.Pod) map[string]any {
	waiting := map[string]any{}
	for _, c := range p.Spec.Containers {
		if s.chance(35) {
			waiting[c.Name] = pick(s.draw, map[string]any{"annotations": map[string]any{"note": "now"}}, map[string]any{"annotations": map[string]any{"alone": "now"}},
				map[string]any{"labels": map[string]any{"tier": "now"}}, map[string]any{"labels": map[string]any{"tier": "now"}, "annotations": map[string]any{"note": "now"}})
		}
	}
	if s.chance(5) {
		waiting["gone"] = map[string]any{"labels": map[string]any{"tier": "now"}}
	}
	return waiting
}

// nowResources are containers whose resources wait.
func (s *scene) nowResources(p *corev1.Pod) map[string]any {
	waiting := map[string]any{}
	for _, c := range p.Spec.Containers {
		if s.chance(20) {
			waiting[c.Name] = map[string]any{}
		}
	}
	return waiting
}

// nowImages are the images that a grace period ends with.
func (s *scene) nowImages(p *corev1.Pod) map[string]any {
	images := map[string]any{"main": "web:now"}
	if len(p.Spec.Containers) > 1 && s.chance(60) {
		images["second"] = "side:now"
	}
	return images
}

// nextBatch leaves containers to be updated after those of now.
func (s *scene) nextBatch(p *corev1.Pod, state map[string]any) {
	if len(p.Spec.Containers) > 1 {
		state["nextContainerImages"] = pick(s.draw, map[string]any{"second": "side:now"}, map[string]any{"second": "side:now"}, s.nowImages(p))
	} else {
		state["nextContainerResources"] = map[string]any{"main": map[string]any{}}
	}
	if s.chance(50) {
		state["nextContainerRefMetadata"] = s.nowMetadata(p)
	}
	if s.chance(30) {
		state["nextContainerResources"] = s.nowResources(p)
	}
	if s.chance(50) {
		state["preCheckBeforeNext"] = map[string]any{"containersRequiredReady": []any{pick(s.draw, "main", "main", "gone")}}
	}
}

// launchPriorities are what kruise's webhook injects.
func (s *scene) launchPriorities(p *corev1.Pod) {
	for i := range p.Spec.Containers {
		source := &corev1.ConfigMapKeySelector{Key: fmt.Sprintf("p_%d", s.between(0, 2))}
		source.Name = p.Name + "-barrier"
		p.Spec.Containers[i].Env = append(p.Spec.Containers[i].Env, corev1.EnvVar{
			Name: "KRUISE_CONTAINER_BARRIER", ValueFrom: &corev1.EnvVarSource{ConfigMapKeyRef: source},
		})
	}
}
