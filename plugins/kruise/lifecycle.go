package kruise

import (
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// StateSince is when a Pod entered the state of its lifecycle, zero where that is not
// noted.
func StateSince(p *corev1.Pod) time.Time {
	at, err := time.Parse(time.RFC3339, p.Annotations[timestampAnnotation])
	if err != nil {
		return time.Time{}
	}
	return at
}

// Enter sets the state of a Pod's lifecycle.
func Enter(p *corev1.Pod, state string, now time.Time) {
	if p.Annotations == nil {
		p.Annotations = map[string]string{}
	}
	p.Labels[StateLabel], p.Annotations[timestampAnnotation] = state, now.Format(time.RFC3339)
}

// Holding mirrors IsPodHooked of pkg/util/lifecycle/lifecycle_utils.go: any of
// the hook's finalizers or labels is there. It says which.
func (h *Hook) Holding(p *corev1.Pod) (by string, held bool) {
	if h == nil {
		return "", false
	}
	for _, f := range h.FinalizersHandler {
		if slices.Contains(p.Finalizers, f) {
			return "finalizer " + f, true
		}
	}
	for _, k := range slices.Sorted(maps.Keys(h.LabelsHandler)) {
		// An absent label equals a handler of an empty value.
		if p.Labels[k] == h.LabelsHandler[k] {
			return "label " + k + "=" + h.LabelsHandler[k], true
		}
	}
	return "", false
}

// Complete mirrors IsPodAllHooked (same file); no hook is never all hooked.
func (h *Hook) Complete(p *corev1.Pod) (missing string, all bool) {
	if h == nil {
		return "", false
	}
	for _, f := range h.FinalizersHandler {
		if !slices.Contains(p.Finalizers, f) {
			return "finalizer " + f, false
		}
	}
	for _, k := range slices.Sorted(maps.Keys(h.LabelsHandler)) {
		if p.Labels[k] != h.LabelsHandler[k] {
			return "label " + k + "=" + h.LabelsHandler[k], false
		}
	}
	return "", true
}

// Marks reports whether Pods that wait for the hook are marked not ready.
func (h *Hook) Marks() bool { return h != nil && h.MarkPodNotReady }

// PreDeleteHook is the name of the hook that holds deletions.
const PreDeleteHook = "preDelete"

// Lifecycle are the hooks (apis/apps/pub/lifecycle.go, v1.9.1).
type Lifecycle struct {
	PreDelete     *Hook `json:"preDelete"`
	InPlaceUpdate *Hook `json:"inPlaceUpdate"`
	PreNormal     *Hook `json:"preNormal"`
}

// Hook is what a Pod must have before its set goes on with it.
type Hook struct {
	LabelsHandler     map[string]string `json:"labelsHandler"`
	FinalizersHandler []string          `json:"finalizersHandler"`
	MarkPodNotReady   bool              `json:"markPodNotReady"`
}

// StateLabel is the state of a pod's lifecycle, timestampAnnotation when the pod
// came to it (apis/apps/pub/lifecycle.go, v1.9.1).
const (
	StateLabel          = "lifecycle.apps.kruise.io/state"
	timestampAnnotation = "lifecycle.apps.kruise.io/timestamp"
)

// The states of a pod's lifecycle. Pods without one count as normal.
const (
	PreparingNormal = "PreparingNormal"
	Normal          = "Normal"
	PreparingUpdate = "PreparingUpdate"
	Updating        = "Updating"
	Updated         = "Updated"
	PreparingDelete = "PreparingDelete"
)

// Moved reports whether one of the hook's finalizers was added or removed.
func (h *Hook) Moved(was, is *corev1.Pod) bool {
	return h != nil && slices.ContainsFunc(h.FinalizersHandler, func(f string) bool {
		return slices.Contains(was.Finalizers, f) != slices.Contains(is.Finalizers, f)
	})
}

// HooksOf are the hooks of a CloneSet as it stands in the cache.
func HooksOf(set metav1.Object) (hooks Lifecycle) {
	u, ok := set.(*unstructured.Unstructured)
	if !ok {
		return hooks
	}
	fields, found, err := unstructured.NestedMap(u.Object, "spec", "lifecycle")
	if err != nil || !found {
		return hooks
	}
	if runtime.DefaultUnstructuredConverter.FromUnstructured(fields, &hooks) != nil {
		return Lifecycle{} // of another form, which the API server does not store
	}
	return hooks
}
