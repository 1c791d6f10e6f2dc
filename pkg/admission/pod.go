package admission

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// podEvaluator mirrors the one of pkg/quota/v1/evaluator/core/pods.go (v1.37.1).
type podEvaluator struct {
	pod      *corev1.Pod
	features Features
}

// podResources are the names that quotas always know of Pods.
var podResources = []corev1.ResourceName{
	countPods, corev1.ResourcePods,
	cpu, memory, storage,
	corev1.ResourceRequestsCPU, corev1.ResourceRequestsMemory, corev1.ResourceRequestsEphemeralStorage,
	corev1.ResourceLimitsCPU, corev1.ResourceLimitsMemory, corev1.ResourceLimitsEphemeralStorage,
}

// demanded are those that every container has to specify under a quota of them.
var demanded = []corev1.ResourceName{
	cpu, memory, corev1.ResourceLimitsCPU, corev1.ResourceLimitsMemory, corev1.ResourceRequestsCPU, corev1.ResourceRequestsMemory,
}

// counts mirrors MatchingResources.
func (e podEvaluator) counts(name corev1.ResourceName) bool {
	asked, isRequest := strings.CutPrefix(string(name), corev1.DefaultResourceRequestsPrefix)
	switch {
	case slices.Contains(podResources, name) || isHugePages(name):
		return true
	case !isRequest:
		return false
	}
	of := corev1.ResourceName(asked)
	return isHugePages(of) || !isNative(name) || e.features.DeviceClasses && isDeviceClass(of)
}

func (e podEvaluator) matches(q *corev1.ResourceQuota) match {
	m := surely(len(restricted(q.Status.Hard, e)) > 0 || len(restricted(q.Spec.Hard, e)) > 0)
	for _, s := range scopes(q) {
		m = m.and(e.matchesScope(s))
	}
	return m
}

// missing mirrors Constraints.
func (e podEvaluator) missing(names []corev1.ResourceName) string {
	if e.features.PodLevel && hasPodLevel(e.pod) {
		return ""
	}
	var parts []string
	for _, name := range names {
		if who := e.silent(name); slices.Contains(demanded, name) && len(who) > 0 {
			parts = append(parts, fmt.Sprintf("%s for: %s", name, strings.Join(who, ",")))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "must specify " + strings.Join(parts, "; ")
}

// silent lists the containers that do not specify a resource.
func (e podEvaluator) silent(name corev1.ResourceName) []string {
	var who []string
	for _, c := range containers(&e.pod.Spec) {
		if _, ok := computeUsage(c.Resources.Requests, c.Resources.Limits, e.features)[name]; !ok {
			who = append(who, c.Name)
		}
	}
	slices.Sort(who)
	return slices.Compact(who)
}

func (e podEvaluator) usage() corev1.ResourceList { return usage(e.pod, e.features) }

// unread: the RuntimeClass sets the overhead, which quotas of resources count.
func (e podEvaluator) unread(names []corev1.ResourceName) string {
	class := e.pod.Spec.RuntimeClassName
	if class == nil || e.pod.Spec.Overhead != nil || !slices.ContainsFunc(names, isCompute) {
		return ""
	}
	return fmt.Sprintf("it counts the overhead of RuntimeClass %s, which is not read", *class)
}

func (e podEvaluator) demanded(ns Namespace, q *corev1.ResourceQuota, d view.Demand) corev1.ResourceList {
	if d.Pod == nil {
		return nil
	}
	pod, _ := ns.complete(d.Pod, e.features)
	of := podEvaluator{pod, e.features}
	if of.matches(q) == surely(false) {
		return nil
	}
	return times(of.usage(), d.Count)
}

func isCompute(name corev1.ResourceName) bool {
	return name != countPods && name != corev1.ResourcePods
}

// unread doubts what is not modelled of a Pod.
func unread(pod *corev1.Pod, f Features) []Doubt {
	if pod.Spec.Resources == nil || f.PodLevel {
		return nil
	}
	return []Doubt{{Why: "spec.resources of Pods is alpha before Kubernetes 1.34, and not modelled there"}}
}

// Charge makes a quota count a Pod, or with -1 no longer, and reports whether it
// is about the Pod. It changes status.used.
func Charge(q *corev1.ResourceQuota, pod *corev1.Pod, f Features, n int64, now time.Time) bool {
	return charge(q, pod, f, n, func(name corev1.ResourceName) bool { return name == countPods || charged(pod, now) })
}

// Release makes a quota no longer count a Pod whose kubelet is done with it and that
// finalizers keep: what counts objects counts it still. It changes status.used.
func Release(q *corev1.ResourceQuota, pod *corev1.Pod, f Features) bool {
	return charge(q, pod, f, -1, func(name corev1.ResourceName) bool { return name != countPods })
}

func charge(q *corev1.ResourceQuota, pod *corev1.Pod, f Features, n int64, counts func(corev1.ResourceName) bool) bool {
	e := podEvaluator{pod, f}
	if !e.matches(q).is {
		return false
	}
	use := e.usage()
	for _, name := range restricted(q.Status.Used, e) {
		each, counted := use[name]
		if !counted || !counts(name) {
			continue
		}
		used := q.Status.Used[name]
		each = each.DeepCopy()
		each.Mul(n)
		used.Add(each)
		q.Status.Used[name] = used
	}
	return true
}

// Use is how much of a quota's resource Pods take, as their specs are.
func Use(q *corev1.ResourceQuota, name corev1.ResourceName, pods []*corev1.Pod, f Features, now time.Time) resource.Quantity {
	of := q.DeepCopy()
	of.Status.Used = corev1.ResourceList{name: {}}
	for _, pod := range pods {
		Charge(of, pod, f, 1, now)
	}
	return of.Status.Used[name]
}

// Without is the namespace once Pods are gone that its quotas count.
func (ns Namespace) Without(pods []*corev1.Pod, f Features, now time.Time) Namespace {
	quotas := make([]*corev1.ResourceQuota, len(ns.Quotas))
	for i, q := range ns.Quotas {
		quotas[i] = q.DeepCopy()
		for _, pod := range pods {
			Charge(quotas[i], pod, f, -1, now)
		}
	}
	return Namespace{LimitRanges: ns.LimitRanges, Quotas: quotas, Demands: ns.Demands}
}
