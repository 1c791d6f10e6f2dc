package inplace

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// qos mirrors ComputePodQOS (k8s.io/kubernetes/pkg/apis/core/v1/helper/qos,
// v1.30.10 and v1.32.10 in Kruise 1.8.3 and 1.9.1) for a pod template. It reads
// the template as written: a limit without a request makes no request there, so
// that limits alone are Burstable. Resources of the whole pod need a gate of
// Kubernetes that Kruise leaves off.
func qos(pod *corev1.PodSpec) corev1.PodQOSClass {
	requests, limits, limited := corev1.ResourceList{}, corev1.ResourceList{}, true
	for _, c := range slices.Concat(pod.Containers, pod.InitContainers) {
		addPositive(requests, c.Resources.Requests)
		limited = addPositive(limits, c.Resources.Limits) == 2 && limited
	}
	switch {
	case len(requests)+len(limits) == 0:
		return corev1.PodQOSBestEffort
	case limited && sameAmounts(requests, limits):
		return corev1.PodQOSGuaranteed
	default:
		return corev1.PodQOSBurstable
	}
}

// addPositive adds the amounts of cpu and memory above zero, and returns how
// many of the two there are.
func addPositive(sum, list corev1.ResourceList) int {
	n := 0
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		if q := list[name]; q.Sign() > 0 {
			q.Add(sum[name])
			sum[name] = q
			n++
		}
	}
	return n
}

func sameAmounts(a, b corev1.ResourceList) bool {
	return maps.EqualFunc(a, b, func(x, y resource.Quantity) bool { return x.Cmp(y) == 0 })
}
