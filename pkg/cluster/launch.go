package cluster

import (
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// barrier is the variable that Kruise's webhook gives containers which start in
// batches: it reads a key, such as p_10, of a ConfigMap that Kruise fills as
// containers of higher priority become ready (pkg/util/containerlaunchpriority,
// Kruise v1.9.1).
const barrier = "KRUISE_CONTAINER_BARRIER"

// LaunchPriority is a container's launch priority, if it has one; containers of
// the highest priority start first.
func LaunchPriority(c *corev1.Container) (priority int, ok bool) {
	for _, e := range c.Env {
		if e.Name != barrier || e.ValueFrom == nil || e.ValueFrom.ConfigMapKeyRef == nil {
			continue
		}
		n, err := strconv.Atoi(strings.TrimPrefix(e.ValueFrom.ConfigMapKeyRef.Key, "p_"))
		if err != nil {
			n = 0 // as upstream reads it
		}
		return n, true
	}
	return 0, false
}

// GivePriority gives a container its launch priority, as the webhook does.
func GivePriority(c *corev1.Container, pod string, priority int) {
	source := &corev1.ConfigMapKeySelector{Key: "p_" + strconv.Itoa(priority)}
	source.Name = pod + "-barrier"
	c.Env = append(c.Env, corev1.EnvVar{Name: barrier, ValueFrom: &corev1.EnvVarSource{ConfigMapKeyRef: source}})
}

// LaunchBatchesOf is in how many batches the pod's containers start, 0 for one whose
// containers have no launch priority.
func LaunchBatchesOf(p *corev1.Pod) int {
	var seen []int
	for i := range p.Spec.Containers {
		if n, ok := LaunchPriority(&p.Spec.Containers[i]); ok && !slices.Contains(seen, n) {
			seen = append(seen, n)
		}
	}
	return len(seen)
}
