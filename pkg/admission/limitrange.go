package admission

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// limitDefaults mirrors LimitRanger.Admit (plugin/pkg/admission/limitranger/
// admission.go, v1.37.1): every container gets what it does not say itself.
// Which of two LimitRanges comes first is not deterministic upstream.
func (ns Namespace) limitDefaults(pod *corev1.Pod) []Doubt {
	var doubts []Doubt
	for _, c := range containers(&pod.Spec) {
		given, clash := ns.defaultsFor(c.Resources)
		fill(&c.Resources.Limits, given.Limits)
		fill(&c.Resources.Requests, given.Requests)
		if clash {
			doubts = append(doubts, Doubt{Why: fmt.Sprintf("LimitRanges differ in their defaults for container %s, and which one applies is not deterministic", c.Name)})
		}
	}
	return doubts
}

// defaultsFor returns what LimitRanges add to a container's own resources, and
// whether they disagree.
func (ns Namespace) defaultsFor(own corev1.ResourceRequirements) (given corev1.ResourceRequirements, clash bool) {
	for _, l := range ns.LimitRanges {
		d := containerDefaults(l)
		clash = clash || differ(given.Limits, d.Limits, own.Limits) || differ(given.Requests, d.Requests, own.Requests)
		fill(&given.Limits, d.Limits)
		fill(&given.Requests, d.Requests)
	}
	return given, clash
}

// differ reports whether a and b have different quantities of a resource that
// is not in own.
func differ(a, b, own corev1.ResourceList) bool {
	for name, q := range b {
		_, set := own[name]
		if have, ok := a[name]; ok && !set && have.Cmp(q) != 0 {
			return true
		}
	}
	return false
}

// containerDefaults mirrors defaultContainerResourceRequirements: later items
// win over earlier ones.
func containerDefaults(l *corev1.LimitRange) corev1.ResourceRequirements {
	r := corev1.ResourceRequirements{Requests: corev1.ResourceList{}, Limits: corev1.ResourceList{}}
	for _, item := range l.Spec.Limits {
		if item.Type != corev1.LimitTypeContainer {
			continue
		}
		maps.Copy(r.Requests, item.DefaultRequest)
		maps.Copy(r.Limits, item.Default)
	}
	return r
}

// outsideRange mirrors LimitRanger.Validate: the first LimitRange with
// violations refuses, and names all of them.
func (ns Namespace) outsideRange(pod *corev1.Pod) *Refusal {
	for _, l := range ns.LimitRanges {
		if all := Violations(l, pod); len(all) > 0 {
			slices.Sort(all)
			return &Refusal{Reason: OutsideRange, By: l, Message: joined(all), All: all}
		}
	}
	return nil
}

// joined is the text of utilerrors.NewAggregate for errors in order.
func joined(errs []string) string {
	if errs = slices.Compact(slices.Clone(errs)); len(errs) == 1 {
		return errs[0]
	}
	return "[" + strings.Join(errs, ", ") + "]"
}

// Violations mirrors PodValidateLimitFunc for a Pod that has its defaults.
func Violations(l *corev1.LimitRange, pod *corev1.Pod) []string {
	var errs []string
	for _, item := range l.Spec.Limits {
		switch item.Type {
		case corev1.LimitTypeContainer:
			for _, c := range containers(&pod.Spec) {
				errs = append(errs, bounds(item, c.Resources.Requests, c.Resources.Limits)...)
			}
		case corev1.LimitTypePod:
			errs = append(errs, bounds(item, totalFor(pod, requestsOf), totalFor(pod, limitsOf))...)
		}
	}
	return errs
}

// BoundsClaims reports whether a LimitRange bounds the size of volume claims
// (PersistentVolumeClaimValidateLimitFunc, same file).
func BoundsClaims(l *corev1.LimitRange) bool {
	return slices.ContainsFunc(l.Spec.Limits, func(i corev1.LimitRangeItem) bool { return i.Type == corev1.LimitTypePersistentVolumeClaim })
}

// totalFor mirrors LimitRanger's own podRequests and podLimits, which leave out
// overhead and know cpu and memory of pod-level resources only.
func totalFor(pod *corev1.Pod, of pick) corev1.ResourceList {
	total := sum(pod, of)
	override(total, pod, of, isPrimary)
	return total
}

func bounds(item corev1.LimitRangeItem, requests, limits corev1.ResourceList) []string {
	var errs []string
	check := func(of corev1.ResourceList, violated func(bound) string) {
		for name, q := range of {
			if e := violated(newBound(string(item.Type), name, q, requests, limits)); e != "" {
				errs = append(errs, e)
			}
		}
	}
	check(item.Min, bound.belowMin)
	check(item.Max, bound.aboveMax)
	check(item.MaxLimitRequestRatio, bound.aboveRatio)
	return errs
}

// exact reports whether quantities can be compared by thousandths.
func exact(all ...resource.Quantity) bool {
	return !slices.ContainsFunc(all, func(q resource.Quantity) bool { return q.Value() > resource.MaxMilliValue })
}
