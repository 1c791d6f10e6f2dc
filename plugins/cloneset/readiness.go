package cloneset

import (
	"encoding/json"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
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

// deletionHook is how the hook before deletion signs (getReadinessMessage of
// pkg/util/lifecycle/lifecycle_utils.go, v1.9.1).
var deletionHook = closer{UserAgent: "Lifecycle", Key: "preDeleteHook"}

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

// closeReadiness closes the gate of a simulated pod and signs.
func closeReadiness(w *cluster.Model, p *corev1.Pod, by closer) {
	cluster.SetPodCondition(w, p, kruisePodReady, false)
	c := podCondition(p, kruisePodReady)
	text, err := json.Marshal(append(closersOf(c), by))
	if err == nil {
		c.Message = string(text)
	}
}

// markInWorld closes the gates that the sync closes without an action of its own.
func (s *sync) markInWorld(w *cluster.Model) {
	for _, m := range s.pods {
		if !m.written {
			continue
		}
		if p, ok := cluster.GetPod(w, m.Namespace, m.Name); ok {
			closeReadiness(w, p, deletionHook)
			w.Put(view.Pods, p)
		}
	}
}

// writesUnseen tells whether the sync writes a pod without an action of its own.
func (s *sync) writesUnseen() bool {
	return slices.ContainsFunc(s.pods, func(m *member) bool { return m.written })
}

func gated(p *corev1.Pod, gate corev1.PodConditionType) bool {
	return slices.ContainsFunc(p.Spec.ReadinessGates, func(g corev1.PodReadinessGate) bool { return g.ConditionType == gate })
}
