package kruise

import (
	"encoding/json"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// PodReady is the readiness gate that hooks close (apis/apps/pub/
// pod_readiness.go, v1.9.1).
const PodReady = "KruisePodReady"

// Closer is who keeps that gate closed, one of a list in the condition's message
// (pkg/util/podreadiness/pod_readiness_utils.go, v1.9.1).
type Closer struct {
	UserAgent string `json:"userAgent"`
	Key       string `json:"key"`
}

// DeletionHook and UpdateHook are how the hooks before deletion and update sign
// (getReadinessMessage of pkg/util/lifecycle/lifecycle_utils.go, v1.9.1).
var (
	DeletionHook = Closer{UserAgent: "Lifecycle", Key: "preDeleteHook"}
	UpdateHook   = Closer{UserAgent: "Lifecycle", Key: "preUpdateHook"}
)

// ClosedBy reports whether a hook keeps the Pod's gate closed.
func ClosedBy(p *corev1.Pod, by Closer) bool {
	c := view.Condition(p, PodReady)
	return c != nil && c.Status != corev1.ConditionTrue && slices.Contains(closersOf(c), by)
}

// closersOf is empty for a message that is no list of them.
//
//go:noinline // it is called at many places
func closersOf(c *corev1.PodCondition) (all []Closer) {
	if json.Unmarshal([]byte(c.Message), &all) != nil {
		return nil
	}
	return all
}

// CloseGate is the request that closes the gate in the name of a hook, and mirrors
// addNotReadyKey (pkg/util/podreadiness/pod_readiness_utils.go, v1.9.1): a condition
// that is not there yet gets no status.
func CloseGate(p *corev1.Pod, by Closer, now metav1.Time) cluster.Write {
	return WritePodStatus(p, func(p *corev1.Pod) {
		c := view.Condition(p, PodReady)
		switch {
		case c == nil:
			p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: PodReady})
			c = &p.Status.Conditions[len(p.Status.Conditions)-1]
		case slices.Contains(closersOf(c), by):
			return
		default:
			c.Status = corev1.ConditionFalse
		}
		c.LastTransitionTime = now
		sign(c, append(closersOf(c), by))
	})
}

// OpenGate is the request that takes the hook's name back, with which the last one
// opens the gate (removeNotReadyKey, same file).
func OpenGate(p *corev1.Pod, by Closer, now metav1.Time) cluster.Write {
	return WritePodStatus(p, func(p *corev1.Pod) {
		c := view.Condition(p, PodReady)
		if c == nil || !slices.Contains(closersOf(c), by) {
			return
		}
		left := slices.DeleteFunc(closersOf(c), func(other Closer) bool { return other == by })
		if len(left) == 0 {
			c.Status = corev1.ConditionTrue
		}
		c.LastTransitionTime = now
		sign(c, left)
	})
}

// sign writes who keeps the gate closed.
func sign(c *corev1.PodCondition, all []Closer) {
	text, err := json.Marshal(append([]Closer{}, all...))
	if err == nil { // texts: they can be encoded
		c.Message = string(text)
	}
}
