package admission

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// match says whether a quota is about an object, and whether that is sure: a Pod
// without priority class gets that of the default PriorityClass, which is not
// read. It is taken for there being none.
type match struct{ is, sure bool }

func surely(is bool) match { return match{is, true} }

// and is the match of two conditions: one that is surely not met decides.
func (m match) and(o match) match {
	if m == surely(false) || o == surely(false) {
		return surely(false)
	}
	return match{m.is && o.is, m.sure && o.sure}
}

// scopes mirrors getScopeSelectorsFromQuota (apiserver/pkg/quota/v1/generic/
// evaluator.go, v0.37.1).
func scopes(q *corev1.ResourceQuota) []corev1.ScopedResourceSelectorRequirement {
	var all []corev1.ScopedResourceSelectorRequirement
	for _, s := range q.Spec.Scopes {
		all = append(all, corev1.ScopedResourceSelectorRequirement{ScopeName: s, Operator: corev1.ScopeSelectorOpExists})
	}
	if q.Spec.ScopeSelector != nil {
		all = append(all, q.Spec.ScopeSelector.MatchExpressions...)
	}
	return all
}

// matchesScope mirrors podMatchesScopeFunc (pkg/quota/v1/evaluator/core/pods.go,
// v1.37.1). Scopes that are not about Pods match none.
func (e podEvaluator) matchesScope(s corev1.ScopedResourceSelectorRequirement) match {
	switch s.ScopeName {
	case corev1.ResourceQuotaScopeTerminating:
		return surely(terminates(e.pod))
	case corev1.ResourceQuotaScopeNotTerminating:
		return surely(!terminates(e.pod))
	case corev1.ResourceQuotaScopeBestEffort:
		return surely(isBestEffort(e.pod, e.features))
	case corev1.ResourceQuotaScopeNotBestEffort:
		return surely(!isBestEffort(e.pod, e.features))
	case corev1.ResourceQuotaScopePriorityClass:
		return matchesPriorityClass(e.pod.Spec.PriorityClassName, s)
	case corev1.ResourceQuotaScopeCrossNamespacePodAffinity:
		return surely(crossesNamespaces(e.pod.Spec.Affinity))
	}
	return surely(false)
}

func terminates(pod *corev1.Pod) bool {
	return pod.Spec.ActiveDeadlineSeconds != nil && *pod.Spec.ActiveDeadlineSeconds >= 0
}

// matchesPriorityClass mirrors podMatchesSelector. The default class can't be
// one of the system's.
func matchesPriorityClass(class string, s corev1.ScopedResourceSelectorRequirement) match {
	listed := slices.Contains(s.Values, class)
	m := match{sure: class != ""}
	switch s.Operator {
	case corev1.ScopeSelectorOpIn:
		m.is = listed
		m.sure = m.sure || !slices.ContainsFunc(s.Values, isOrdinary)
	case corev1.ScopeSelectorOpNotIn:
		m.is = !listed
		m.sure = m.sure || !slices.ContainsFunc(s.Values, isOrdinary)
	case corev1.ScopeSelectorOpExists:
		m.is = class != ""
	case corev1.ScopeSelectorOpDoesNotExist:
		m.is = class == ""
	}
	return m
}

func isOrdinary(class string) bool { return !strings.HasPrefix(class, "system-") }

// isBestEffort mirrors GetPodQOS (pkg/apis/core/v1/helper/qos/qos.go, v1.37.1)
// as far as BestEffort: no cpu and no memory anywhere. Before 1.37 an empty
// spec.resources hides the containers' ones.
func isBestEffort(pod *corev1.Pod, f Features) bool {
	if r := pod.Spec.Resources; f.PodLevel && r != nil && (!f.LatePodLevel || hasPodLevel(pod)) {
		return asksNothing(*r)
	}
	return !slices.ContainsFunc(containers(&pod.Spec), func(c *corev1.Container) bool { return !asksNothing(c.Resources) })
}

func asksNothing(r corev1.ResourceRequirements) bool {
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		request, limit := r.Requests[name], r.Limits[name]
		if !request.IsZero() || !limit.IsZero() {
			return false
		}
	}
	return true
}

// hasPodLevel mirrors IsPodLevelResourcesSet (component-helpers/resource/
// helpers.go, v0.37.1).
func hasPodLevel(pod *corev1.Pod) bool {
	r := pod.Spec.Resources
	if r == nil {
		return false
	}
	return slices.ContainsFunc(sorted(r.Requests), isPodLevel) || slices.ContainsFunc(sorted(r.Limits), isPodLevel)
}
