package cloneset

import (
	"encoding/json"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
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
	containerUpdate
}

// updates are the requests that start an update in place, and mirrors
// updatePodInPlace (pkg/util/inplaceupdate/inplace_update.go, v1.9.1): the Pod is
// taken out of service, marked, and its containers are changed, at once or after
// the grace period.
func (s *sync) updates(m *member, c change, from, target *revision) []request {
	update := retried(podWrite(cluster.Update, m.Pod, func(p *corev1.Pod) { s.start(p, c, from, target) }))
	if s.leavesService(m.Pod, c, target) {
		return []request{s.leaves(m), update}
	}
	return []request{update}
}

// leaves takes a Pod out of service for an update in place.
func (s *sync) leaves(m *member) request {
	return retried(statusWrite(m.Pod, func(p *corev1.Pod) { s.setPodCondition(p, inPlaceReady, corev1.ConditionFalse) }))
}

// unknownUpdates are the requests where the revisions could not be read: what they
// write is not known.
func (s *sync) unknownUpdates(m *member) []request {
	same := func(*corev1.Pod) {}
	update := retried(podWrite(cluster.Update, m.Pod, same))
	if gated(m.Pod, inPlaceReady) {
		return []request{retried(statusWrite(m.Pod, same)), update}
	}
	return []request{update}
}

// start makes a Pod one of the target whose containers are changed.
func (s *sync) start(p *corev1.Pod, c change, from, target *revision) {
	s.revise(p, target)
	s.enter(p, updating)
	restate(p, from, target)
	annotate(p, updateAnnotation, inPlaceState{
		Revision: target.name, UpdateTimestamp: s.stamp(),
		UpdateEnvFromMetadata: len(c.restarts) > 0, UpdateResources: len(c.resources) > 0,
	})
	u := c.containers(target)
	switch seconds := int32(s.grace().Seconds()); {
	case len(u.names()) == 0:
	case seconds > 0:
		annotate(p, graceAnnotation, gracePeriod{target.name, seconds, u})
	default:
		s.changeContainers(p, u)
	}
}

// goesOn changes the containers of the next batch.
func (s *sync) goesOn(p *corev1.Pod) {
	st, _ := updateOf(p)
	s.changeContainers(p, st.next())
}

// endsGrace changes the containers when the grace period is over.
func (s *sync) endsGrace(p *corev1.Pod) {
	var g gracePeriod
	text := annotation(p, graceAnnotation, oldGrace)
	dropGrace(p)
	if json.Unmarshal([]byte(text), &g) == nil {
		s.changeContainers(p, g.containerUpdate)
	}
}

// dropGrace ends a grace period without an update.
func dropGrace(p *corev1.Pod) {
	delete(p.Annotations, graceAnnotation)
	delete(p.Annotations, oldGrace)
}

// changeContainers sets the new images of the first batch and leaves the others
// for later.
func (s *sync) changeContainers(p *corev1.Pod, u containerUpdate) {
	st, _ := updateOf(p)
	u = u.of(p)
	now := u.firstBatch(p)
	later := u.without(now)
	if st.LastContainerStatuses == nil {
		st.LastContainerStatuses = map[string]lastStatus{}
	}
	for i := range p.Spec.Containers {
		c := &p.Spec.Containers[i]
		image, changes := u.ContainerImages[c.Name]
		if !changes || !slices.Contains(now, c.Name) {
			continue
		}
		c.Image = image
		if _, recorded := st.LastContainerStatuses[c.Name]; !recorded {
			st.LastContainerStatuses[c.Name] = lastStatus{imageID(p, c.Name)}
		}
	}
	st.UpdateEnvFromMetadata, st.UpdateResources = hasAny(u.ContainerRefMetadata, now), hasAny(u.ContainerResources, now)
	st.NextContainerImages, st.NextContainerRefMetadata, st.NextContainerResources = later.ContainerImages, later.ContainerRefMetadata, later.ContainerResources
	st.PreCheckBeforeNext = nil
	if st.moreBatches() {
		st.PreCheckBeforeNext = &preCheck{now}
	}
	st.ContainerBatchesRecord = append(st.ContainerBatchesRecord, batchRecord{s.stamp(), now})
	annotate(p, updateAnnotation, st)
}

func hasAny[T any](m map[string]T, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { _, ok := m[name]; return ok })
}

func imageID(p *corev1.Pod, container string) string {
	for _, c := range p.Status.ContainerStatuses {
		if c.Name == container {
			return c.ImageID
		}
	}
	return ""
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
