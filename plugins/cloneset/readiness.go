package cloneset

import (
	"encoding/json"
	"slices"

	corev1 "k8s.io/api/core/v1"
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
	if c == nil || c.Status == corev1.ConditionTrue {
		return false
	}
	var all []closer
	if json.Unmarshal([]byte(c.Message), &all) != nil {
		return false
	}
	return slices.Contains(all, by)
}

func gated(p *corev1.Pod, gate corev1.PodConditionType) bool {
	return slices.ContainsFunc(p.Spec.ReadinessGates, func(g corev1.PodReadinessGate) bool { return g.ConditionType == gate })
}
