package pubcontrol

import (
	"maps"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/selectorindex"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// podsOf are the pods that a budget counts (GetPodsForPub of pkg/control/
// pubcontrol/pub_control.go, v1.9.1). known is false where it may count pods
// that are not the set's: how those fare is not simulated.
func (c *Control) podsOf(all []metav1.Object, b *counted) (pods []*corev1.Pod, known bool) {
	if _, ok := b.desired(c.set.Desired()); !ok || b.Unstructured.GetAnnotations()[totalAnnotation] != "" {
		return nil, false
	}
	ref, _, err := unstructured.NestedStringMap(b.Unstructured.Object, "spec", "targetRef")
	if err != nil {
		return nil, false
	}
	matches := labels.Everything()
	if ref != nil {
		if !view.CloneSets.Refers(ref["apiVersion"], ref["kind"]) || ref["name"] != c.set.GetName() {
			return nil, false
		}
	} else if matches = b.selector(); matches == nil || !selectorindex.Narrower(matches, c.set.Selector) {
		return nil, false
	}
	for _, obj := range all {
		if obj.GetNamespace() != c.set.GetNamespace() || obj.GetDeletionTimestamp() != nil || !matches.Matches(labels.Set(obj.GetLabels())) {
			continue
		}
		p, full := view.Decoded(obj).(*corev1.Pod)
		if !full || view.Ended(p) {
			continue
		}
		switch owner := metav1.GetControllerOfNoCopy(p); {
		case owner != nil && owner.UID == c.set.GetUID():
			pods = append(pods, p)
		case ref == nil:
			return nil, false
		}
	}
	return pods, true
}

// How long the budget controller believes a record that no pod confirms (pkg/
// controller/podunavailablebudget/podunavailablebudget_controller.go, v1.9.1).
const (
	disruptedFor   = 20 * time.Second
	unavailableFor = 10 * time.Second
)

// tally mirrors syncPodUnavailableBudget: what the budget's controller counts of
// its pods, and when the records end that it keeps.
func (c *Control) tally(b *counted, pods []*corev1.Pod, now time.Time) (next budgetStatus, ends []time.Time) {
	desired, _ := b.desired(c.set.Desired()) // known, or there were no pods
	next = budgetStatus{ObservedGeneration: b.Unstructured.GetGeneration(), DesiredAvailable: int32(desired), TotalReplicas: int32(c.set.Desired())}
	keep := func(from stamps, p *corev1.Pod, valid time.Duration) stamps {
		at, recorded := from[p.Name]
		end := at.Add(valid)
		if !recorded || end.Before(now) {
			return nil
		}
		ends = append(ends, end)
		return stamps{p.Name: at}
	}
	for _, p := range pods {
		disrupted, unavailable := keep(b.status.DisruptedPods, p, disruptedFor), keep(b.status.UnavailablePods, p, unavailableFor)
		next.DisruptedPods, next.UnavailablePods = next.DisruptedPods.with(disrupted), next.UnavailablePods.with(unavailable)
		consistent, _ := c.consistent(p)
		if len(disrupted)+len(unavailable) == 0 && consistent && inService(p) {
			next.CurrentAvailable++
		}
	}
	next.UnavailableAllowed = max(0, next.CurrentAvailable-next.DesiredAvailable)
	return next, ends
}

// totalAnnotation says how many pods a budget counts with, whatever their
// workloads want.
const totalAnnotation = "pub.kruise.io/protect-total-replicas"

// inService mirrors IsPodReady of pkg/control/pubcontrol.
func inService(p *corev1.Pod) bool {
	ready, _ := kruise.Ready(p)
	return notInService(&core.PodState{Looked: &core.Looked{Pod: p, PodReady: ready}}) == ""
}

// selector is nil for one that is absent or does not parse.
func (b *counted) selector() labels.Selector {
	fields, found, err := unstructured.NestedMap(b.Unstructured.Object, "spec", "selector")
	sel := &metav1.LabelSelector{}
	if !found || err != nil || runtime.DefaultUnstructuredConverter.FromUnstructured(fields, sel) != nil {
		return nil
	}
	out, err := metav1.LabelSelectorAsSelector(sel)
	if err != nil {
		return nil
	}
	return out
}

// desired mirrors getDesiredAvailableForPub; ok is false for numbers that do
// not parse, with which its controller does not get as far as counting.
func (b *counted) desired(replicas int) (n int, ok bool) {
	for _, field := range []string{"maxUnavailable", "minAvailable"} {
		value, found, err := unstructured.NestedFieldNoCopy(b.Unstructured.Object, "spec", field)
		if !found || err != nil {
			continue
		}
		var amount intstr.IntOrString
		switch v := value.(type) {
		case int64:
			amount = intstr.FromInt32(int32(v))
		case string:
			amount = intstr.FromString(v)
		default:
			return 0, false
		}
		scaled, err := intstr.GetScaledValueFromIntOrPercent(&amount, replicas, true)
		if err != nil {
			return 0, false
		}
		if field == "maxUnavailable" {
			scaled = max(0, replicas-scaled)
		}
		return scaled, true
	}
	return 0, true
}

// stamps are the pods on record, and since when.
type stamps map[string]metav1.Time

func (a stamps) with(b stamps) stamps {
	if len(b) == 0 {
		return a
	}
	if a == nil {
		a = stamps{}
	}
	maps.Copy(a, b)
	return a
}

// equal reports whether the controller would write nothing.
func (a budgetStatus) equal(b budgetStatus) bool {
	same := func(x, y stamps) bool {
		return maps.EqualFunc(x, y, func(s, t metav1.Time) bool { return s.Equal(&t) })
	}
	return a.CurrentAvailable == b.CurrentAvailable && a.DesiredAvailable == b.DesiredAvailable && a.TotalReplicas == b.TotalReplicas &&
		a.UnavailableAllowed == b.UnavailableAllowed && a.ObservedGeneration == b.ObservedGeneration &&
		same(a.DisruptedPods, b.DisruptedPods) && same(a.UnavailablePods, b.UnavailablePods)
}

// countAgain takes a budget as its controller will count it once the what-if's
// replicas are there. Until it has, the webhook goes by the old count, and the
// sync that it refuses is tried again.
func (c *Control) countAgain(b *Budget, of *counted) {
	if !c.r.WhatIf() || int(b.status.TotalReplicas) == c.set.Desired() {
		return
	}
	pods, known := c.podsOf(c.r.AllMetadata(view.Pods), of)
	if !known {
		b.Stale = true
		return
	}
	b.Recounted = int(b.status.TotalReplicas)
	b.status, _ = c.tally(of, pods, c.r.Now())
}
