package admission

import corev1 "k8s.io/api/core/v1"

// pick is the requests or the limits of something.
type pick func(corev1.ResourceRequirements) corev1.ResourceList

func requestsOf(r corev1.ResourceRequirements) corev1.ResourceList { return r.Requests }
func limitsOf(r corev1.ResourceRequirements) corev1.ResourceList   { return r.Limits }

// containers are all that have resources, those first that run side by side.
//
//go:noinline
func containers(spec *corev1.PodSpec) []*corev1.Container {
	var all []*corev1.Container
	for i := range spec.Containers {
		all = append(all, &spec.Containers[i])
	}
	for i := range spec.InitContainers {
		all = append(all, &spec.InitContainers[i])
	}
	return all
}

// sum is what the containers of a new Pod need at most at one time: all
// containers and sidecars side by side, or an init container with the sidecars
// before it (component-helpers/resource/helpers.go
// aggregateContainerResourcesByFn, v0.37.1).
func sum(pod *corev1.Pod, of pick) corev1.ResourceList {
	total, sidecars, peak := corev1.ResourceList{}, corev1.ResourceList{}, corev1.ResourceList{}
	for i := range pod.Spec.Containers {
		add(total, of(pod.Spec.Containers[i].Resources))
	}
	for i := range pod.Spec.InitContainers {
		c := &pod.Spec.InitContainers[i]
		needs := of(c.Resources)
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			add(total, needs)
			add(sidecars, needs)
			raise(peak, sidecars)
			continue
		}
		starting := corev1.ResourceList{}
		add(starting, needs)
		add(starting, sidecars)
		raise(peak, starting)
	}
	raise(total, peak)
	return total
}

// override puts the pod-level quantities in place of the sums.
func override(list corev1.ResourceList, pod *corev1.Pod, of pick, supported func(corev1.ResourceName) bool) {
	if pod.Spec.Resources == nil {
		return
	}
	for name, q := range of(*pod.Spec.Resources) {
		if supported(name) {
			list[name] = q
		}
	}
}
