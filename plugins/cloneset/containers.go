package cloneset

import (
	"encoding/json"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// updateOf is the record of a pod's last update in place.
func updateOf(p *corev1.Pod) (st inPlaceState, ok bool) {
	text := kruise.Annotation(p, kruise.UpdateAnnotation, kruise.OldUpdate)
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

// updateSpec is an update in place, which stands in an annotation of a Pod whose
// containers are changed later (UpdateSpec of pkg/util/inplaceupdate/
// inplace_update.go, v1.9.1).
type updateSpec struct {
	Revision string `json:"revision,omitempty"`
	containerUpdate
	MetaDataPatch         []byte `json:"metaDataPatch,omitempty"`
	UpdateEnvFromMetadata bool   `json:"updateEnvFromMetadata,omitempty"`
	GraceSeconds          int32  `json:"graceSeconds,omitempty"`
}

// updates are the requests that start an update in place, and mirrors
// updatePodInPlace (pkg/util/inplaceupdate/inplace_update.go, v1.9.1): the Pod is
// taken out of service, marked, and its containers are changed, at once or after
// the grace period.
func (s *sync) updates(m *member, c change, from, target *revision) []request {
	update := retried(kruise.WritePod(cluster.Update, m.Pod, func(p *corev1.Pod) { s.start(p, c, from, target) }))
	if s.leavesService(m.Pod, c, target) {
		return []request{s.leaves(m), update}
	}
	return []request{update}
}

// leaves takes a Pod out of service for an update in place.
func (s *sync) leaves(m *member) request {
	return retried(kruise.WritePodStatus(m.Pod, func(p *corev1.Pod) { kruise.SetPodCondition(p, kruise.InPlaceReady, corev1.ConditionFalse, s.stamp()) }))
}

// unknownUpdates are the requests where the revisions could not be read: what they
// write is not known.
func (s *sync) unknownUpdates(m *member) []request {
	same := func(*corev1.Pod) {}
	update := retried(kruise.WritePod(cluster.Update, m.Pod, same))
	if kruise.HasGate(m.Pod, kruise.InPlaceReady) {
		return []request{retried(kruise.WritePodStatus(m.Pod, same)), update}
	}
	return []request{update}
}

// start makes a Pod one of the target whose containers are changed.
func (s *sync) start(p *corev1.Pod, c change, from, target *revision) {
	u := c.spec(from, target)
	s.revise(p, target)
	kruise.Enter(p, kruise.Updating, s.now)
	delete(p.Annotations, kruise.OldUpdate)
	annotate(p, kruise.UpdateAnnotation, inPlaceState{
		Revision: u.Revision, UpdateTimestamp: s.stamp(),
		UpdateEnvFromMetadata: u.UpdateEnvFromMetadata, UpdateResources: len(u.ContainerResources) > 0, UpdateImages: len(u.ContainerImages) > 0,
	})
	if u.GraceSeconds = int32(s.grace().Seconds()); u.GraceSeconds > 0 {
		annotate(p, kruise.GraceAnnotation, u)
		return
	}
	s.patch(p, u)
	dropGrace(p)
}

// spec is the change as an update in place.
func (c change) spec(from, target *revision) updateSpec {
	u := updateSpec{Revision: target.name, containerUpdate: c.containers(target), UpdateEnvFromMetadata: len(c.reads) > 0}
	if len(c.metadata) > 0 {
		u.MetaDataPatch = c.metadataPatch(from, target)
	}
	return u
}

// goesOn changes the containers of the next batch.
func (s *sync) goesOn(p *corev1.Pod) {
	st, _ := updateOf(p)
	s.patch(p, updateSpec{containerUpdate: st.next()})
}

// endsGrace changes the containers when the grace period is over.
func (s *sync) endsGrace(p *corev1.Pod) {
	var u updateSpec
	if json.Unmarshal([]byte(kruise.Annotation(p, kruise.GraceAnnotation, kruise.OldGrace)), &u) == nil {
		s.patch(p, u)
	}
	dropGrace(p)
}

// dropGrace ends a grace period without an update.
func dropGrace(p *corev1.Pod) {
	delete(p.Annotations, kruise.GraceAnnotation)
	delete(p.Annotations, kruise.OldGrace)
}

// patch changes the containers of the first batch and leaves the others for later
// (defaultPatchUpdateSpecToPod of pkg/util/inplaceupdate/inplace_update_defaults.go,
// v1.9.1).
func (s *sync) patch(p *corev1.Pod, spec updateSpec) {
	st, _ := updateOf(p)
	patchMetadata(p, spec.MetaDataPatch)
	u := spec.of(p)
	now := u.firstBatch(p)
	later := u.without(now)
	if !s.behaviour.vertical {
		later.ContainerResources = nil
	}
	for i := range p.Spec.Containers {
		c := &p.Spec.Containers[i]
		image, changes := u.ContainerImages[c.Name]
		if !changes || !slices.Contains(now, c.Name) {
			continue
		}
		c.Image = image
		st.record(p, c.Name)
	}
	for i := range p.Spec.Containers {
		c := &p.Spec.Containers[i]
		if s.behaviour.vertical && slices.Contains(now, c.Name) {
			resize(c, u.ContainerResources[c.Name])
		}
	}
	for _, name := range now {
		m := u.ContainerRefMetadata[name]
		p.Labels, p.Annotations = added(p.Labels, m.Labels), added(p.Annotations, m.Annotations)
	}
	st.UpdateEnvFromMetadata, st.UpdateResources = hasAny(u.ContainerRefMetadata, now), hasAny(u.ContainerResources, now)
	st.NextContainerImages, st.NextContainerRefMetadata, st.NextContainerResources = later.ContainerImages, later.ContainerRefMetadata, later.ContainerResources
	st.PreCheckBeforeNext = nil
	if st.moreBatches() {
		st.PreCheckBeforeNext = &preCheck{now}
	}
	st.ContainerBatchesRecord = append(st.ContainerBatchesRecord, batchRecord{s.stamp(), append([]string{}, now...)})
	annotate(p, kruise.UpdateAnnotation, st)
}

func hasAny[T any](m map[string]T, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { _, ok := m[name]; return ok })
}

// resize gives a container other limits and requests, as a template's difference has
// them.
func resize(c *corev1.Container, text json.RawMessage) {
	var to corev1.ResourceRequirements
	if len(text) == 0 || json.Unmarshal(text, &to) != nil {
		return
	}
	c.Resources = *c.Resources.DeepCopy()
	if c.Resources.Limits != nil {
		maps.Copy(c.Resources.Limits, to.Limits)
	}
	if c.Resources.Requests != nil {
		maps.Copy(c.Resources.Requests, to.Requests)
	}
}

// record keeps what a container ran before, of those that status reports.
func (st *inPlaceState) record(p *corev1.Pod, container string) {
	i := slices.IndexFunc(p.Status.ContainerStatuses, func(c corev1.ContainerStatus) bool { return c.Name == container })
	if _, recorded := st.LastContainerStatuses[container]; recorded || i < 0 {
		return
	}
	if st.LastContainerStatuses == nil {
		st.LastContainerStatuses = map[string]lastStatus{}
	}
	st.LastContainerStatuses[container] = lastStatus{p.Status.ContainerStatuses[i].ImageID}
}
