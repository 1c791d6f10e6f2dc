package places

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
)

// Unfit says in the scheduler's words why no node is one for a Pod, whatever runs there; empty
// where one may be. What DaemonSets, volumes and devices need is not looked at.
func Unfit(p *corev1.Pod, nodes []*corev1.Node) string {
	if s := p.Spec.SchedulerName; len(nodes) == 0 || s != "" && s != corev1.DefaultSchedulerName || p.Spec.NodeName != "" {
		return ""
	}
	count := map[string]int{}
	for _, n := range nodes {
		why := unfit(p, n)
		if len(why) == 0 {
			return ""
		}
		for _, reason := range why {
			count[reason]++
		}
	}
	var parts []string
	for _, reason := range slices.Sorted(maps.Keys(count)) {
		parts = append(parts, fmt.Sprintf("%d %s", count[reason], reason))
	}
	slices.Sort(parts) // as FitError.Error of pkg/scheduler/framework/types.go
	return fmt.Sprintf("0/%d nodes are available: %s", len(nodes), strings.Join(parts, ", "))
}

// Fits reports whether nothing is known of a node that keeps a Pod off, whatever runs there;
// true of one that was not read (nil).
//
//go:noinline // it is called at many places
func Fits(p *corev1.Pod, n *corev1.Node) bool { return n == nil || len(unfit(p, n)) == 0 }

// unfit are the reasons of the first of the scheduler's filters that a node does not pass
// (pkg/scheduler/framework/plugins nodeunschedulable, tainttoleration, nodeaffinity and
// noderesources, v1.37.1), as far as node and Pod alone tell.
func unfit(p *corev1.Pod, n *corev1.Node) []string {
	cordon := corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule}
	if n.Spec.Unschedulable && !tolerates(p, cordon) {
		return []string{"node(s) were unschedulable"}
	}
	if _, found := Untolerated(p, n); found {
		return []string{"node(s) had untolerated taint(s)"}
	}
	if !selects(p, n) {
		return []string{"node(s) didn't match Pod's node affinity/selector"}
	}
	var lacks []string
	requests := admission.Requests(p)
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage} {
		request := requests[name]
		if most, told := n.Status.Allocatable[name]; told && request.Cmp(most) > 0 {
			lacks = append(lacks, "Insufficient "+string(name))
		}
	}
	return lacks
}

// Untolerated returns the first taint of a node that keeps a Pod off.
func Untolerated(p *corev1.Pod, n *corev1.Node) (t corev1.Taint, found bool) {
	i := slices.IndexFunc(n.Spec.Taints, func(t corev1.Taint) bool { return t.Effect != corev1.TaintEffectPreferNoSchedule && !tolerates(p, t) })
	if i < 0 {
		return t, false
	}
	return n.Spec.Taints[i], true
}

// tolerates mirrors Toleration.ToleratesTaint (k8s.io/component-helpers/scheduling/corev1, v0.37.1);
// comparisons of numbers are taken to hold.
//
//go:noinline // it is called at many places
func tolerates(p *corev1.Pod, t corev1.Taint) bool {
	return slices.ContainsFunc(p.Spec.Tolerations, func(by corev1.Toleration) bool {
		if by.Effect != "" && by.Effect != t.Effect || by.Key != "" && by.Key != t.Key {
			return false
		}
		return by.Operator != "" && by.Operator != corev1.TolerationOpEqual || by.Value == t.Value
	})
}

// selects mirrors GetRequiredNodeAffinity and Match (k8s.io/component-helpers/scheduling/
// corev1/nodeaffinity, v0.37.1).
func selects(p *corev1.Pod, n *corev1.Node) bool {
	if !labels.SelectorFromSet(p.Spec.NodeSelector).Matches(labels.Set(n.Labels)) {
		return false
	}
	a := p.Spec.Affinity
	if a == nil || a.NodeAffinity == nil || a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return true
	}
	fields := labels.Set{metav1.ObjectNameField: n.Name}
	return slices.ContainsFunc(a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms, func(t corev1.NodeSelectorTerm) bool {
		return len(t.MatchExpressions)+len(t.MatchFields) > 0 && matches(t.MatchExpressions, labels.Set(n.Labels)) && matches(t.MatchFields, fields)
	})
}

// operators are those of node selectors.
var operators = map[corev1.NodeSelectorOperator]selection.Operator{
	corev1.NodeSelectorOpIn: selection.In, corev1.NodeSelectorOpNotIn: selection.NotIn, corev1.NodeSelectorOpExists: selection.Exists,
	corev1.NodeSelectorOpDoesNotExist: selection.DoesNotExist, corev1.NodeSelectorOpGt: selection.GreaterThan, corev1.NodeSelectorOpLt: selection.LessThan,
}

// matches reports whether all requirements are met; one that is invalid is.
func matches(all []corev1.NodeSelectorRequirement, has labels.Set) bool {
	return !slices.ContainsFunc(all, func(r corev1.NodeSelectorRequirement) bool {
		of, err := labels.NewRequirement(r.Key, operators[r.Operator], r.Values)
		return err == nil && !of.Matches(has)
	})
}
