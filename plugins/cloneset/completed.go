package cloneset

import (
	"encoding/json"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// inPlaceState is the annotation that an in-place update leaves
// (apis/apps/pub/inplace_update.go, v1.9.1).
type inPlaceState struct {
	Revision              string      `json:"revision"`
	UpdateTimestamp       metav1.Time `json:"updateTimestamp"`
	LastContainerStatuses map[string]struct {
		ImageID string `json:"imageID"`
	} `json:"lastContainerStatuses"`
	UpdateEnvFromMetadata    bool                       `json:"updateEnvFromMetadata"`
	UpdateResources          bool                       `json:"updateResources"`
	NextContainerImages      map[string]string          `json:"nextContainerImages"`
	NextContainerRefMetadata map[string]json.RawMessage `json:"nextContainerRefMetadata"`
	NextContainerResources   map[string]json.RawMessage `json:"nextContainerResources"`
}

func (st inPlaceState) moreBatches() bool {
	return len(st.NextContainerImages)+len(st.NextContainerRefMetadata)+len(st.NextContainerResources) > 0
}

func annotation(p *corev1.Pod, key, old string) string {
	if v, ok := p.Annotations[key]; ok {
		return v
	}
	return p.Annotations[old]
}

// completed mirrors DefaultCheckInPlaceUpdateCompleted (pkg/util/inplaceupdate/
// inplace_update_defaults.go, v1.9.1). unknown says why it cannot be told.
func (s *sync) completed(p *corev1.Pod) (done bool, unknown string) {
	if annotation(p, graceAnnotation, oldGrace) != "" {
		return false, ""
	}
	text := annotation(p, updateAnnotation, oldUpdate)
	if text == "" {
		return true, ""
	}
	var st inPlaceState
	if json.Unmarshal([]byte(text), &st) != nil || st.moreBatches() {
		return false, ""
	}
	return s.containersUpdated(p, st)
}

// containersUpdated is defaultCheckContainersInPlaceUpdateCompleted, without
// the hashes that kruise-daemon reports: where those alone could tell, it is
// not known.
func (s *sync) containersUpdated(p *corev1.Pod, st inPlaceState) (done bool, unknown string) {
	reported := p.Annotations[runtimeAnnotation] != ""
	if st.UpdateEnvFromMetadata {
		if !reported {
			return false, ""
		}
		return false, "the containers' environment hashes"
	}
	if st.UpdateResources && s.behaviour.vertical {
		return false, "the containers' resources"
	}
	if imagesChanged(p, st) {
		return true, ""
	}
	if reported {
		return false, "the containers' hashes"
	}
	return false, ""
}

func imagesChanged(p *corev1.Pod, st inPlaceState) bool {
	images := map[string]string{}
	for _, c := range p.Spec.Containers {
		images[c.Name] = withTag(c.Image)
	}
	found := 0
	for _, c := range p.Status.ContainerStatuses {
		last, recorded := st.LastContainerStatuses[c.Name]
		if !recorded {
			continue
		}
		if last.ImageID == c.ImageID && images[c.Name] != c.Image {
			return false
		}
		found++
	}
	return found == len(st.LastContainerStatuses)
}

// refreshInPlace mirrors Refresh (pkg/util/inplaceupdate/inplace_update.go,
// v1.9.1). What it writes does not keep the sync from updating other pods.
func (s *sync) refreshInPlace(m *member) {
	if text := annotation(m.Pod, graceAnnotation, oldGrace); text != "" {
		s.finishGrace(m, text)
		return
	}
	if text := annotation(m.Pod, updateAnnotation, oldUpdate); text != "" && !s.readyForCondition(m, text) {
		return
	}
	c := podCondition(m.Pod, inPlaceReady)
	if hasGate(m.Pod) && (c == nil || c.Status != corev1.ConditionTrue || c.Reason != "" || c.Message != "") {
		s.toPod(decision.SetCondition, m, InPlaceReadySet)
		m.opened = true
	}
}

// readyForCondition tells whether the update is done and has no batch to come.
func (s *sync) readyForCondition(m *member, text string) bool {
	var st inPlaceState
	if json.Unmarshal([]byte(text), &st) != nil {
		return false
	}
	done, unknown := s.containersUpdated(m.Pod, st)
	if unknown != "" {
		s.limit(CompletionUnknown, decision.F("pod", m.Name), decision.F("why", unknown))
	}
	if done && st.moreBatches() {
		s.limit(NextBatch, decision.F("pod", m.Name))
		return false
	}
	return done
}

// finishGrace: the images are changed when the grace period is over.
func (s *sync) finishGrace(m *member, text string) {
	var grace struct {
		Revision     string `json:"revision"`
		GraceSeconds int32  `json:"graceSeconds"`
	}
	var st inPlaceState
	if json.Unmarshal([]byte(text), &grace) != nil || json.Unmarshal([]byte(annotation(m.Pod, updateAnnotation, oldUpdate)), &st) != nil {
		s.limit(CompletionUnknown, decision.F("pod", m.Name), decision.F("why", "its grace period, which does not parse"))
		return
	}
	total := time.Duration(grace.GraceSeconds) * time.Second
	spent := s.now.Sub(st.UpdateTimestamp.Time)
	switch {
	case !carries(m.Labels, grace.Revision):
		s.toPod(decision.SetState, m, GraceDropped, decision.F("revision", grace.Revision))
	case spent < total:
		left := (total - spent + time.Second - 1).Truncate(time.Second)
		s.timer(left, GraceCheck, decision.F("pod", m.Name))
	default:
		s.toPod(decision.UpdateInPlace, m, GraceOver, decision.F("seconds", fmt.Sprint(grace.GraceSeconds)))
	}
}

func hasGate(p *corev1.Pod) bool {
	for _, g := range p.Spec.ReadinessGates {
		if g.ConditionType == inPlaceReady {
			return true
		}
	}
	return false
}
