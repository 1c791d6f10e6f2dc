package inplace

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// State is the annotation that an in-place update leaves
// (apis/apps/pub/inplace_update.go, v1.9.1).
type State struct {
	Revision                 string                     `json:"revision"`
	UpdateTimestamp          metav1.Time                `json:"updateTimestamp"`
	LastContainerStatuses    map[string]lastStatus      `json:"lastContainerStatuses"`
	UpdateEnvFromMetadata    bool                       `json:"updateEnvFromMetadata,omitempty"`
	UpdateResources          bool                       `json:"updateResources,omitempty"`
	UpdateImages             bool                       `json:"updateImages,omitempty"`
	NextContainerImages      map[string]string          `json:"nextContainerImages,omitempty"`
	PreCheckBeforeNext       *preCheck                  `json:"preCheckBeforeNext,omitempty"`
	NextContainerRefMetadata map[string]Metadata        `json:"nextContainerRefMetadata,omitempty"`
	NextContainerResources   map[string]json.RawMessage `json:"nextContainerResources,omitempty"`
	ContainerBatchesRecord   []batchRecord              `json:"containerBatchesRecord,omitempty"`
}

// lastStatus is what a container ran before.
type lastStatus struct {
	ImageID string `json:"imageID,omitempty"`
}

// preCheck names the containers that have to be ready before the next batch.
type preCheck struct {
	ContainersRequiredReady []string `json:"containersRequiredReady,omitempty"`
}

// batchRecord is one batch of containers that has been updated.
type batchRecord struct {
	Timestamp  metav1.Time `json:"timestamp"`
	Containers []string    `json:"containers"`
}

// Next returns what is left to be updated of the containers.
func (st *State) Next() ContainerUpdate {
	return ContainerUpdate{st.NextContainerImages, st.NextContainerRefMetadata, st.NextContainerResources}
}

// Records are the updates in place that were read, by their text: Pods that were
// updated together have the same one, which is read once.
type Records struct {
	Release
	read map[string]*State
}

// NewRecords reads the annotations as a release of the manager knows them.
func NewRecords(b Release) Records { return Records{b, map[string]*State{}} }

// State returns the record of an annotation.
func (s Records) State(text string) (*State, error) {
	if known, ok := s.read[text]; ok {
		return known, nil
	}
	st, err := s.ReadState(text)
	if err == nil {
		s.read[text] = st
	}
	return st, err
}

// ReadState reads an annotation. Errors: one that does not parse.
func (b Release) ReadState(text string) (*State, error) {
	st := &State{}
	if err := json.Unmarshal([]byte(text), st); err != nil {
		return nil, err
	}
	b.forget(st)
	return st, nil
}

// forget drops what the release does not know of.
func (b Release) forget(st *State) {
	if !b.resourceBatches {
		st.NextContainerResources = nil
	}
	st.UpdateImages = st.UpdateImages && b.notesImages
}

// MoreBatches reports whether containers are left to be updated.
func (st *State) MoreBatches() bool {
	return len(st.NextContainerImages)+len(st.NextContainerRefMetadata)+len(st.NextContainerResources) > 0
}

// Completed mirrors DefaultCheckInPlaceUpdateCompleted (pkg/util/inplaceupdate/
// inplace_update_defaults.go, v1.9.1). unknown says why it cannot be told.
func (s Records) Completed(p *corev1.Pod) (done bool, unknown string) {
	if _, inGrace := kruise.Lookup(p, kruise.GraceAnnotation, kruise.OldGrace); inGrace {
		return false, ""
	}
	text, begun := kruise.Lookup(p, kruise.UpdateAnnotation, kruise.OldUpdate)
	if !begun {
		return true, ""
	}
	st, err := s.State(text)
	if err != nil || st.MoreBatches() {
		return false, ""
	}
	return s.ContainersUpdated(p, st)
}

// What an update's completion may turn on that is not known.
const (
	unsureHashes = "the containers' hashes"
	unsureEnv    = "the containers' environment hashes"
)

// ContainersUpdated is defaultCheckContainersInPlaceUpdateCompleted.
func (b Release) ContainersUpdated(p *corev1.Pod, st *State) (done bool, unknown string) {
	meta, unread, err := runtimeMetaOf(p)
	environment := environment(p, st)
	if err != nil || environment == no || b.Vertical && resizing(p, st) {
		return false, ""
	}
	plain := yes
	if !imagesChanged(p, st) {
		plain = reportedAs(meta, unread, func() verdict { return meta.consistent(p, b.plain(st)) })
	}
	switch {
	case plain == no:
		return false, ""
	case environment == unsure:
		return false, unsureEnv
	case plain == unsure:
		return false, unsureHashes
	}
	return true, ""
}

// environment is whether containers have the labels and annotations that they read.
func environment(p *corev1.Pod, st *State) verdict {
	if !st.UpdateEnvFromMetadata {
		return yes
	}
	meta, unread, _ := runtimeMetaOf(p)
	return reportedAs(meta, unread, func() verdict { return meta.consistent(p, sameEnvironment(p)) })
}

// resizing reports whether an update in place waits for resources.
func resizing(p *corev1.Pod, st *State) bool { return st.UpdateResources && !resourcesUpdated(p) }

// reportedAs is what a report says, if there is one.
func reportedAs(meta *runtimeMeta, unread bool, says func() verdict) verdict {
	switch {
	case unread:
		return unsure
	case meta == nil:
		return no
	}
	return says()
}

// plain is the hash that tells when containers run as the spec says.
func (b Release) plain(st *State) func(*corev1.Container, *corev1.ContainerStatus, *containerMeta) verdict {
	if st.UpdateResources && b.Vertical && b.leavesResources {
		return b.sameButResources
	}
	return b.sameContainer
}

// resourcesUpdated mirrors IsUpdateCompleted of inplace_update_vertical.go:
// the kubelet has taken over what the spec says.
func resourcesUpdated(p *corev1.Pod) bool {
	if len(p.Status.ContainerStatuses) != len(p.Spec.Containers) {
		return false
	}
	spec := map[string]corev1.ResourceRequirements{}
	for _, c := range p.Spec.Containers {
		spec[c.Name] = c.Resources
	}
	for _, c := range p.Status.ContainerStatuses {
		want, known := spec[c.Name]
		if !known || c.Resources == nil || !sameResources(want.Limits, c.Resources.Limits) || !sameResources(want.Requests, c.Resources.Requests) {
			return false
		}
	}
	return true
}

func sameResources(a, b corev1.ResourceList) bool {
	return (a == nil) == (b == nil) && maps.EqualFunc(a, b, resource.Quantity.Equal)
}

func imagesChanged(p *corev1.Pod, st *State) bool {
	found := 0
	for i := range p.Status.ContainerStatuses {
		c := &p.Status.ContainerStatuses[i]
		last, recorded := st.LastContainerStatuses[c.Name]
		if !recorded {
			continue
		}
		if last.stillRuns(p, c) {
			return false
		}
		found++
	}
	return found == len(st.LastContainerStatuses)
}

// stillRuns reports whether the kubelet reports a container as it was before the update.
func (last lastStatus) stillRuns(p *corev1.Pod, c *corev1.ContainerStatus) bool {
	return last.ImageID == c.ImageID && imageOf(p, c.Name) != c.Image
}

// Unfinished says what keeps an update in place from being done: its grace period, or what
// ContainersUpdated looks at. It is empty where none of that is known to. An update has
// resources only where the gate is on.
func Unfinished(p *corev1.Pod) string {
	if _, inGrace := kruise.Lookup(p, kruise.GraceAnnotation, kruise.OldGrace); inGrace {
		return "its containers change when its grace period is over"
	}
	st, updating := StateOf(p)
	node := " of node " + p.Spec.NodeName
	switch {
	case !updating:
		return ""
	case environment(p, &st) == no:
		return "kruise-daemon" + node + " reports no new environment in annotation " + kruise.RuntimeAnnotation
	case resizing(p, &st):
		why := "the kubelet" + node + " does not report the new resources"
		for i := range p.Status.Conditions {
			if c := &p.Status.Conditions[i]; strings.HasPrefix(string(c.Type), "PodResize") { // Pending, InProgress
				why += ": " + strings.TrimRight(string(c.Type)+" "+c.Reason+": "+c.Message, ": ")
			}
		}
		return why
	}
	for i := range p.Status.ContainerStatuses {
		c := &p.Status.ContainerStatuses[i]
		if last, recorded := st.LastContainerStatuses[c.Name]; recorded && last.stillRuns(p, c) {
			return "the kubelet" + node + " still reports image " + c.Image + " of container " + c.Name + ", not " + imageOf(p, c.Name) + sameImage(c, &st)
		}
	}
	return ""
}

// sameImage says of a container that was restarted for the update that its image is that of
// before. Its name as the kubelet has it may never be that of the spec.
func sameImage(c *corev1.ContainerStatus, st *State) string {
	if c.State.Running == nil || !c.State.Running.StartedAt.After(st.UpdateTimestamp.Time) {
		return ""
	}
	return ": it was restarted since, with the same image ID, so that Kruise takes it for the old one until kruise-daemon reports it or the Pod is deleted"
}

// imageOf is the image that the spec asks for, empty when it has no container
// of that name.
func imageOf(p *corev1.Pod, container string) string {
	for i := range p.Spec.Containers {
		if c := &p.Spec.Containers[i]; c.Name == container {
			return withTag(c.Image)
		}
	}
	return ""
}

// MayGoOn mirrors doPreCheckBeforeNext: it reports whether the containers of the batch
// before are ready.
func (st *State) MayGoOn(p *corev1.Pod) bool {
	if st.PreCheckBeforeNext == nil {
		return true
	}
	return !slices.ContainsFunc(st.PreCheckBeforeNext.ContainersRequiredReady, func(name string) bool {
		c := kruise.ContainerStatus(p, name)
		return c == nil || !c.Ready
	})
}

// withTag adds the tag that an image without one has.
func withTag(image string) string {
	if strings.Contains(image, ":") {
		return image
	}
	return image + ":latest"
}
