package inplace

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/template"
)

// StateOf returns the record of a Pod's last update in place; ok is false for none.
func StateOf(p *corev1.Pod) (st State, ok bool) {
	text := kruise.Annotation(p, kruise.UpdateAnnotation, kruise.OldUpdate)
	return st, text != "" && json.Unmarshal([]byte(text), &st) == nil
}

// stateOf is the State as a release reads it; empty where there is none.
func (b Release) stateOf(p *corev1.Pod) State {
	st, _ := StateOf(p)
	b.forget(&st)
	return st
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

// Update is an update in place, which stands in an annotation of a Pod whose
// containers are changed later (UpdateSpec of pkg/util/inplaceupdate/
// inplace_update.go, v1.9.1).
type Update struct {
	Revision string `json:"revision,omitempty"`
	ContainerUpdate
	MetaDataPatch         []byte `json:"metaDataPatch,omitempty"`
	UpdateEnvFromMetadata bool   `json:"updateEnvFromMetadata,omitempty"`
	GraceSeconds          int32  `json:"graceSeconds,omitempty"`
}

// Begin notes an update in place on a Pod, and changes its containers, at once or after
// the grace period.
func (b Release) Begin(p *corev1.Pod, u Update, grace time.Duration, now metav1.Time) {
	delete(p.Annotations, kruise.OldUpdate)
	st := State{
		Revision: u.Revision, UpdateTimestamp: now,
		UpdateEnvFromMetadata: u.UpdateEnvFromMetadata, UpdateResources: len(u.ContainerResources) > 0, UpdateImages: b.notesImages && len(u.ContainerImages) > 0,
	}
	if u.GraceSeconds = int32(grace.Seconds()); u.GraceSeconds > 0 {
		annotate(p, kruise.UpdateAnnotation, st)
		annotate(p, kruise.GraceAnnotation, u)
		return
	}
	b.patch(p, st, u, now)
	DropGrace(p)
}

// Update is the change as an update in place.
func (c Change) Update(from, target *template.Template, revision string) Update {
	u := Update{Revision: revision, ContainerUpdate: c.Containers(target), UpdateEnvFromMetadata: len(c.reads) > 0}
	if len(c.metadata) > 0 {
		u.MetaDataPatch = c.metadataPatch(from, target)
	}
	return u
}

// Continue changes the containers of the next batch.
func (b Release) Continue(p *corev1.Pod, now metav1.Time) {
	st := b.stateOf(p)
	b.patch(p, st, Update{ContainerUpdate: st.Next()}, now)
}

// EndGrace changes the containers when the grace period is over.
func (b Release) EndGrace(p *corev1.Pod, now metav1.Time) {
	var u Update
	if json.Unmarshal([]byte(kruise.Annotation(p, kruise.GraceAnnotation, kruise.OldGrace)), &u) == nil {
		if !b.resourceBatches {
			u.ContainerResources = nil // as the release reads it
		}
		b.patch(p, b.stateOf(p), u, now)
	}
	DropGrace(p)
}

// DropGrace ends a grace period without an update.
func DropGrace(p *corev1.Pod) {
	delete(p.Annotations, kruise.GraceAnnotation)
	delete(p.Annotations, kruise.OldGrace)
}

// patch changes the containers of the first batch, and leaves the others for later, as the
// state notes
// (defaultPatchUpdateSpecToPod of pkg/util/inplaceupdate/inplace_update_defaults.go,
// v1.9.1).
func (b Release) patch(p *corev1.Pod, st State, spec Update, at metav1.Time) {
	patchMetadata(p, spec.MetaDataPatch)
	u := spec.of(p)
	now := u.FirstBatch(p)
	later := u.Without(now)
	if !b.Vertical {
		later.ContainerResources = nil
	}
	for i := range p.Spec.Containers {
		c := &p.Spec.Containers[i]
		image, changes := u.ContainerImages[c.Name]
		if !changes || !slices.Contains(now, c.Name) {
			continue
		}
		c.Image = image
		st.record(p, c.Name, b.keepsImageIDs)
	}
	for i := range p.Spec.Containers {
		c := &p.Spec.Containers[i]
		if b.Vertical && slices.Contains(now, c.Name) {
			resize(c, u.ContainerResources[c.Name])
		}
	}
	for _, name := range now {
		m := u.ContainerRefMetadata[name]
		p.Labels, p.Annotations = Added(p.Labels, m.Labels), Added(p.Annotations, m.Annotations)
	}
	st.UpdateEnvFromMetadata, st.UpdateResources = hasAny(u.ContainerRefMetadata, now), hasAny(u.ContainerResources, now)
	st.NextContainerImages, st.NextContainerRefMetadata, st.NextContainerResources = later.ContainerImages, later.ContainerRefMetadata, later.ContainerResources
	st.PreCheckBeforeNext = nil
	if st.MoreBatches() {
		st.PreCheckBeforeNext = &preCheck{now}
	}
	st.ContainerBatchesRecord = append(st.ContainerBatchesRecord, batchRecord{at, append([]string{}, now...)})
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

// record keeps what a container ran before, of those that status reports; of one that is
// recorded already, where stays is false.
func (st *State) record(p *corev1.Pod, container string, stays bool) {
	status := kruise.ContainerStatus(p, container)
	if _, recorded := st.LastContainerStatuses[container]; recorded && stays || status == nil {
		return
	}
	if st.LastContainerStatuses == nil {
		st.LastContainerStatuses = map[string]lastStatus{}
	}
	st.LastContainerStatuses[container] = lastStatus{status.ImageID}
}
