package cloneset

import (
	"encoding/json"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
)

// kruisePodReady is the readiness gate that hooks close (apis/apps/pub/
// pod_readiness.go, v1.9.1).
const kruisePodReady = "KruisePodReady"

// closer is who keeps that gate closed, one of a list in the condition's message
// (pkg/util/podreadiness/pod_readiness_utils.go, v1.9.1).
type closer struct {
	UserAgent string `json:"userAgent"`
	Key       string `json:"key"`
}

// deletionHook and updateHook are how the hooks before deletion and update sign
// (getReadinessMessage of pkg/util/lifecycle/lifecycle_utils.go, v1.9.1).
var (
	deletionHook = closer{UserAgent: "Lifecycle", Key: "preDeleteHook"}
	updateHook   = closer{UserAgent: "Lifecycle", Key: "preUpdateHook"}
)

// closesReadiness tells whether the sync writes the status of a pod that waits
// for its hook before deletion: one with the gate, which the hook has not closed
// yet.
func (s *sync) closesReadiness(m *member) bool {
	return s.set.deleteHook().marks() && gated(m.Pod, kruisePodReady) && !closed(m.Pod, deletionHook)
}

func closed(p *corev1.Pod, by closer) bool {
	c := podCondition(p, kruisePodReady)
	return c != nil && c.Status != corev1.ConditionTrue && slices.Contains(closersOf(c), by)
}

// closersOf is empty for a message that is no list of them.
func closersOf(c *corev1.PodCondition) (all []closer) {
	if json.Unmarshal([]byte(c.Message), &all) != nil {
		return nil
	}
	return all
}

// closing is the request that closes the gate in the name of a hook, and mirrors
// addNotReadyKey (pkg/util/podreadiness/pod_readiness_utils.go, v1.9.1): a condition
// that is not there yet gets no status.
func (s *sync) closing(p *corev1.Pod, by closer) cluster.Write {
	return statusWrite(p, func(p *corev1.Pod) {
		c := podCondition(p, kruisePodReady)
		if c == nil {
			p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: kruisePodReady})
			c = &p.Status.Conditions[len(p.Status.Conditions)-1]
		} else if slices.Contains(closersOf(c), by) {
			return
		} else {
			c.Status = corev1.ConditionFalse
		}
		c.LastTransitionTime = s.stamp()
		sign(c, append(closersOf(c), by))
	})
}

// opening is the request that takes the hook's name back, with which the last one
// opens the gate (removeNotReadyKey, same file).
func (s *sync) opening(p *corev1.Pod, by closer) cluster.Write {
	return statusWrite(p, func(p *corev1.Pod) {
		c := podCondition(p, kruisePodReady)
		if c == nil || !slices.Contains(closersOf(c), by) {
			return
		}
		left := slices.DeleteFunc(closersOf(c), func(other closer) bool { return other == by })
		if len(left) == 0 {
			c.Status = corev1.ConditionTrue
		}
		c.LastTransitionTime = s.stamp()
		sign(c, left)
	})
}

// sign writes who keeps the gate closed.
func sign(c *corev1.PodCondition, all []closer) {
	text, err := json.Marshal(append([]closer{}, all...))
	if err == nil { // texts: they can be encoded
		c.Message = string(text)
	}
}

// writesUnseen tells whether the sync writes a pod without an action of its own.
func (s *sync) writesUnseen() bool {
	return slices.ContainsFunc(s.pods, func(m *member) bool { return m.written })
}

func gated(p *corev1.Pod, gate corev1.PodConditionType) bool {
	return slices.ContainsFunc(p.Spec.ReadinessGates, func(g corev1.PodReadinessGate) bool { return g.ConditionType == gate })
}
