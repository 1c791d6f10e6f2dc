package admission

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// The names of the resources that only quotas know.
const (
	countPods = corev1.ResourceName("count/pods")
	cpu       = corev1.ResourceCPU
	memory    = corev1.ResourceMemory
	storage   = corev1.ResourceEphemeralStorage
)

// computeUsage mirrors podComputeUsageHelper (pkg/quota/v1/evaluator/core/
// pods.go, v1.37.1): under which names a quota counts requests and limits.
func computeUsage(requests, limits corev1.ResourceList, f Features) corev1.ResourceList {
	use := corev1.ResourceList{corev1.ResourcePods: *resource.NewQuantity(1, resource.DecimalSI)}
	for name, q := range requests {
		switch {
		case name == cpu || name == memory || name == storage || isHugePages(name):
			use[name], use[requested(name)] = q, q
		case isExtended(name) || f.DeviceClasses && isDeviceClass(name):
			use[requested(name)] = q
		}
	}
	for _, name := range []corev1.ResourceName{cpu, memory, storage} {
		if q, ok := limits[name]; ok {
			use["limits."+name] = q
		}
	}
	return use
}

// Requests are what the scheduler reserves for a Pod (PodRequests of component-helpers/
// resource/helpers.go, v0.37.1), as its spec is.
//
//go:noinline // it is called at many places
func Requests(pod *corev1.Pod) corev1.ResourceList { return requests(pod, Features{PodLevel: true}) }

func requests(pod *corev1.Pod, f Features) corev1.ResourceList {
	requests := sum(pod, requestsOf)
	if f.PodLevel && hasPodLevel(pod) {
		override(requests, pod, requestsOf, isPodLevel)
	}
	add(requests, pod.Spec.Overhead)
	return requests
}

// usage mirrors PodUsageFunc for a Pod as its spec is.
func usage(pod *corev1.Pod, f Features) corev1.ResourceList {
	limits := sum(pod, limitsOf)
	if f.PodLevel && hasPodLevel(pod) {
		override(limits, pod, limitsOf, isPodLevel)
	}
	for name, q := range pod.Spec.Overhead {
		if limit := limits[name]; !limit.IsZero() {
			add(limits, corev1.ResourceList{name: q})
		}
	}
	use := computeUsage(requests(pod, f), limits, f)
	use[countPods] = *resource.NewQuantity(1, resource.DecimalSI)
	return use
}

// charged mirrors QuotaV1Pod: whether a Pod that exists counts for more than
// its being there.
func charged(pod *corev1.Pod, now time.Time) bool {
	if view.Ended(pod) {
		return false
	}
	if pod.DeletionTimestamp == nil || pod.DeletionGracePeriodSeconds == nil {
		return true
	}
	grace := time.Duration(*pod.DeletionGracePeriodSeconds) * time.Second
	return !now.After(pod.DeletionTimestamp.Add(grace))
}
