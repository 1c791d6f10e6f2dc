package cloneset

import (
	"encoding/json"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/podlife"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
)

// updateOf is the record of a pod's last update in place.
func updateOf(p *corev1.Pod) (st inPlaceState, ok bool) {
	text := annotation(p, updateAnnotation, oldUpdate)
	return st, text != "" && json.Unmarshal([]byte(text), &st) == nil
}

func annotate(p *corev1.Pod, key string, value any) {
	text, err := json.Marshal(value)
	if err != nil {
		return // maps and structs of text: they can be encoded
	}
	if p.Annotations == nil {
		p.Annotations = map[string]string{}
	}
	p.Annotations[key] = string(text)
}

// gracePeriod is the annotation of a pod whose containers are changed later.
type gracePeriod struct {
	Revision     string `json:"revision"`
	GraceSeconds int32  `json:"graceSeconds"`
}

// updateInWorld starts an update in place, or goes on with it.
func (s *sync) updateInWorld(w *simulate.World, p *corev1.Pod, a decision.Action) {
	switch a.Rule {
	case GraceOver:
		s.finishUpdate(w, p)
	case NextBatch:
		nextContainers(w, p)
	default:
		s.startUpdate(w, p, a)
	}
}

// nextContainers changes the containers that were left for later.
func nextContainers(w *simulate.World, p *corev1.Pod) {
	st, _ := updateOf(p)
	images := make([]string, 0, len(st.NextContainerImages))
	for i := range p.Spec.Containers {
		c := &p.Spec.Containers[i]
		if image, ok := st.NextContainerImages[c.Name]; ok {
			c.Image = image
			images = append(images, c.Name+"="+image)
		}
	}
	st.LastContainerStatuses = lastStatuses(p, images)
	st.NextContainerImages, st.NextContainerRefMetadata = nil, nil
	annotate(p, updateAnnotation, st)
	restart(w, p)
}

// startUpdate mirrors updatePodInPlace (pkg/util/inplaceupdate/
// inplace_update.go, v1.9.1): the pod is marked, taken out of service, and its
// containers are changed, at once or after the grace period.
func (s *sync) startUpdate(w *simulate.World, p *corev1.Pod, a decision.Action) {
	target := s.revisionNamed(a.Facts.Str("revision"))
	from := s.revisionNamed(p.Labels[revisionLabel])
	if target == nil || from == nil {
		return
	}
	change := s.inPlaceChange(from, target)
	s.revise(p, target)
	p.Labels[stateLabel] = updating
	restate(p, from, target)
	annotate(p, updateAnnotation, inPlaceState{
		Revision: target.name, UpdateTimestamp: w.Stamp(), LastContainerStatuses: lastStatuses(p, change.images),
		UpdateEnvFromMetadata: len(change.restarts) > 0, UpdateResources: len(change.resources) > 0,
	})
	if gated(p, inPlaceReady) {
		podlife.Set(w, p, inPlaceReady, false)
	}
	switch seconds := int32(s.grace().Seconds()); {
	case len(change.images)+len(change.restarts)+len(change.resources) == 0:
	case seconds > 0:
		annotate(p, graceAnnotation, gracePeriod{target.name, seconds})
	default:
		s.changeContainers(w, p, target)
	}
}

// finishUpdate changes the containers when the grace period is over.
func (s *sync) finishUpdate(w *simulate.World, p *corev1.Pod) {
	var g gracePeriod
	text := annotation(p, graceAnnotation, oldGrace)
	delete(p.Annotations, graceAnnotation)
	delete(p.Annotations, oldGrace)
	if json.Unmarshal([]byte(text), &g) != nil {
		return
	}
	if target := s.revisionNamed(g.Revision); target != nil {
		s.changeContainers(w, p, target)
	}
}

// changeContainers sets the new images. The kubelet restarts the containers;
// they are up again after the time that pods take.
func (s *sync) changeContainers(w *simulate.World, p *corev1.Pod, target *revision) {
	st, _ := updateOf(p)
	for i := range p.Spec.Containers {
		c := &p.Spec.Containers[i]
		for _, t := range target.template.typed.Spec.Containers {
			if _, changed := st.LastContainerStatuses[c.Name]; changed && t.Name == c.Name {
				c.Image = t.Image
			}
		}
	}
	restart(w, p)
}

// restart takes the pod's containers down, until the time is over that pods
// take to become ready.
func restart(w *simulate.World, p *corev1.Pod) {
	podlife.Set(w, p, corev1.ContainersReady, false)
	podlife.Later(w, p, w.ReadyAfter(), func(p *corev1.Pod) { containersUp(w, p) })
}

// containersUp is what the kubelet, and the kruise-daemon where it is asked,
// report of a pod whose changed containers run.
func containersUp(w *simulate.World, p *corev1.Pod) {
	if st, ok := updateOf(p); ok {
		for name := range st.LastContainerStatuses {
			report(p, name)
		}
		st.UpdateEnvFromMetadata, st.UpdateResources = false, false
		annotate(p, updateAnnotation, st)
	}
	podlife.Up(w, p)
}

// report makes a container's status that of its image.
func report(p *corev1.Pod, container string) {
	i := slices.IndexFunc(p.Spec.Containers, func(c corev1.Container) bool { return c.Name == container })
	if i < 0 {
		return
	}
	image := p.Spec.Containers[i].Image
	now := corev1.ContainerStatus{Name: container, Image: image, ImageID: "new:" + image, Ready: true}
	at := slices.IndexFunc(p.Status.ContainerStatuses, func(c corev1.ContainerStatus) bool { return c.Name == container })
	if at < 0 {
		p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, now)
		return
	}
	now.RestartCount = p.Status.ContainerStatuses[at].RestartCount + 1
	p.Status.ContainerStatuses[at] = now
}

type lastStatus = struct {
	ImageID string `json:"imageID"`
}

func lastStatuses(p *corev1.Pod, images []string) map[string]struct {
	ImageID string `json:"imageID"`
} {
	last := map[string]lastStatus{}
	for _, image := range images {
		name, _, _ := strings.Cut(image, "=")
		last[name] = lastStatus{}
		for _, c := range p.Status.ContainerStatuses {
			if c.Name == name {
				last[name] = lastStatus{c.ImageID}
			}
		}
	}
	return last
}

// restate brings the template's labels and annotations from one revision to
// another; what others put there stays.
func restate(p *corev1.Pod, from, to *revision) {
	p.Labels = replaced(p.Labels, from.template.typed.Labels, to.template.typed.Labels)
	p.Annotations = replaced(p.Annotations, from.template.typed.Annotations, to.template.typed.Annotations)
}

func replaced(now, from, to map[string]string) map[string]string {
	for key := range from {
		if _, kept := to[key]; !kept {
			delete(now, key)
		}
	}
	for key, value := range to {
		if from[key] != value {
			if now == nil {
				now = map[string]string{}
			}
			now[key] = value
		}
	}
	return now
}

// revisionNamed is the revision of a name or of a hash alone.
func (s *sync) revisionNamed(name string) *revision {
	for _, r := range append([]*revision{s.revisions.update, s.revisions.current}, s.revisions.listed...) {
		if r != nil && (r.name == name || short(r.name) == short(name)) {
			return r
		}
	}
	return nil
}
