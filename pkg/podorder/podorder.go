// Package podorder answers: what of a Pod do the comparators look at by which the
// controllers of Kubernetes and of Kruise delete some Pods before others?
package podorder

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"
)

// PhaseOrdinal mirrors podPhaseToOrdinal (controller_utils.go, v1.37.1): phases it does
// not know count as Pending.
func PhaseOrdinal(p corev1.PodPhase) int {
	switch p {
	case corev1.PodUnknown:
		return 1
	case corev1.PodRunning:
		return 2
	default:
		return 0
	}
}

// DeletionCost mirrors GetDeletionCostFromPodAnnotations of
// pkg/apis/core/helper/helpers.go, and of Kruise's utils/pod_sorter.go: an invalid
// value counts as 0.
func DeletionCost(p *corev1.Pod) (cost int32, valid bool) {
	text, set := p.Annotations[corev1.PodDeletionCost]
	if !set {
		return 0, true
	}
	if !startsInteger(text) {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, false
	}
	return int32(n), true
}

// startsInteger refuses plus signs and leading zeros.
func startsInteger(text string) bool {
	return text == "0" || text != "" && (text[0] == '-' || text[0] >= '1' && text[0] <= '9')
}

// Restarts mirrors maxContainerRestarts: the most often restarted container,
// and the most often restarted sidecar. Other init containers don't count.
func Restarts(p *corev1.Pod) (regular, sidecar int32) {
	for _, c := range p.Status.ContainerStatuses {
		regular = max(regular, c.RestartCount)
	}
	sidecars := map[string]bool{}
	for _, c := range p.Spec.InitContainers {
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			sidecars[c.Name] = true
		}
	}
	for _, c := range p.Status.InitContainerStatuses {
		if sidecars[c.Name] {
			sidecar = max(sidecar, c.RestartCount)
		}
	}
	return regular, sidecar
}
