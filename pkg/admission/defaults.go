package admission

import corev1 "k8s.io/api/core/v1"

// setDefaults mirrors what SetDefaults_Pod makes of resources
// (pkg/apis/core/v1/defaults.go, v1.37.1). Templates do not get these defaults.
func setDefaults(pod *corev1.Pod, f Features) {
	for _, c := range containers(&pod.Spec) {
		fill(&c.Resources.Requests, c.Resources.Limits)
	}
	if r := pod.Spec.Resources; f.PodLevel && !f.LatePodLevel && r != nil {
		podLevelDefaults(pod)
	}
}

// setLateDefaults mirrors DefaultPodLevelResources (pkg/api/pod/util.go,
// v1.37.1), which the registry calls once admission has changed the Pod.
func setLateDefaults(pod *corev1.Pod, f Features) {
	if r := pod.Spec.Resources; f.LatePodLevel && r != nil && len(r.Requests)+len(r.Limits) > 0 {
		hugePageLimits(pod)
		requestDefaults(pod)
		limitDefaults(pod)
	}
}

// podLevelDefaults mirrors defaultHugePagePodLimits and defaultPodRequests
// (pkg/apis/core/v1/defaults.go, v1.34.4 to v1.36.3).
func podLevelDefaults(pod *corev1.Pod) {
	if r := pod.Spec.Resources; len(r.Requests)+len(r.Limits) > 0 {
		hugePageLimits(pod)
	}
	if len(pod.Spec.Resources.Limits) > 0 {
		requestDefaults(pod)
	}
}

// hugePageLimits takes over the containers' limits of huge pages.
func hugePageLimits(pod *corev1.Pod) {
	limits := corev1.ResourceList{}
	for name, q := range sum(pod, limitsOf) {
		if _, asked := pod.Spec.Resources.Requests[name]; isHugePages(name) && !asked {
			limits[name] = q
		}
	}
	fill(&pod.Spec.Resources.Limits, limits)
}

// requestDefaults takes over the containers' requests, and then the limits.
func requestDefaults(pod *corev1.Pod) {
	r := pod.Spec.Resources
	requests := corev1.ResourceList{}
	for name, q := range sum(pod, requestsOf) {
		if isPodLevel(name) && isOvercommittable(name) {
			requests[name] = q
		}
	}
	for name, q := range r.Limits {
		if _, ok := requests[name]; !ok && isPodLevel(name) {
			requests[name] = q
		}
	}
	fill(&r.Requests, requests)
}

// limitDefaults sets limits of resources that every container limits, at least
// as high as the request.
func limitDefaults(pod *corev1.Pod) {
	r := pod.Spec.Resources
	limits := corev1.ResourceList{}
	for name, q := range sum(pod, limitsOf) {
		request, asked := r.Requests[name]
		if !asked || !isPodLevel(name) || !limitedByAll(&pod.Spec, name) {
			continue
		}
		if request.Cmp(q) > 0 {
			q = request
		}
		limits[name] = q
	}
	fill(&r.Limits, limits)
}

func limitedByAll(spec *corev1.PodSpec, name corev1.ResourceName) bool {
	for _, c := range containers(spec) {
		if _, ok := c.Resources.Limits[name]; !ok {
			return false
		}
	}
	return true
}
