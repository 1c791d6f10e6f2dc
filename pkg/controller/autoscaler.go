package controller

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// autoscalerScales is the code of caveats about what sets spec.replicas besides.
const autoscalerScales = "AutoscalerScales"

// autoscaled says what a HorizontalPodAutoscaler makes of another number of replicas.
// Where none was read, the last one to set the field by the subresource tells that there
// is one, or something like it.
func autoscaled(r *view.Reader, k view.Kind, d *decision.Decision) (all []decision.Caveat) {
	say := func(text string) {
		all = append(all, decision.Caveat{Code: autoscalerScales, Message: text})
	}
	n, known := sizes(d)
	hpas, read := autoscalers(r, k, d.Target, "whether a HorizontalPodAutoscaler takes this change back is not known")
	for _, hpa := range hpas {
		if text, sets := hpa.makes(d.Target, n.To); known && text != "" {
			say("hpa/" + hpa.name + " " + text)
			d.Rescale(sets)
		}
	}
	if by := scaledBy(r, k, d.Target); by != "" && len(hpas) == 0 && (!read || by != view.ControllerManager) {
		say(fmt.Sprintf("%s was the last to set spec.replicas of %s, by its scale subresource, as a HorizontalPodAutoscaler does: it may take this change back", by, d.Target))
	}
	return all
}

// rescaled says what a HorizontalPodAutoscaler makes of the number of replicas that a target
// has: that it sets another one, or gets none, or that the owner of the target takes it back,
// as the target does with what it scales. HPAs are asked for where Pods are deleted without a
// change and no owner says how many there are, or where one has scaled the target, and looked at
// where they were read anyway.
func rescaled(all Registry, r *view.Reader, k view.Kind, d *decision.Decision) (said []decision.Caveat) {
	deletes := len(d.WhatIf) == 0 && len(d.Owners) == 0 && d.Summary.Total.Certain.PodsDeleted+d.Summary.Total.Possible.PodsDeleted > 0
	asks := deletes || scaledBy(r, k, d.Target) == view.ControllerManager
	if d.Replicas == nil || !asks && len(r.AllMetadata(view.HorizontalPodAutoscalers)) == 0 {
		return nil
	}
	say := func(h *hpa, text string) {
		said = append(said, decision.Caveat{Code: autoscalerScales, Message: "hpa/" + h.name + " " + text})
	}
	of := func(k view.Kind, scaled decision.Ref) []*hpa {
		hpas, _ := autoscalers(r, k, scaled, "whether a HorizontalPodAutoscaler sets another number of replicas is not known")
		return hpas
	}
	undone := func(owner, scaled decision.Ref) {
		_, k, _ := all.ForRef(scaled)
		for _, hpa := range of(k, scaled) {
			say(hpa, "scales "+scaled.String()+": "+all.takesBack(owner, scaled))
		}
	}
	for i := range d.Sets {
		undone(d.Target, d.Sets[i].Object)
	}
	if len(d.Owners) > 0 {
		undone(d.Owners[len(d.Owners)-1], d.Target)
		return said
	}
	for _, hpa := range of(k, d.Target) {
		reason, message := hpa.stopped()
		switch text, sets := hpa.makes(d.Target, int64(d.Replicas.Desired)); {
		case sets != "" || hpa.rival != "" && text != "":
			say(hpa, text)
			d.Rescale(sets)
		case reason != "" && reason != "ScalingDisabled":
			say(hpa, fmt.Sprintf("does not scale %s: %s: %s", d.Target, reason, message))
		case d.Replicas.Desired == 0 && hpa.least != 0 && text != "":
			say(hpa, text)
		case hpa.wantsMore() && int64(d.Replicas.Desired) == hpa.most:
			say(hpa, fmt.Sprintf("keeps %s at its maxReplicas %d: its metrics ask for more (ScalingLimited)", d.Target, hpa.most))
		}
	}
	return said
}

// scaledBy is who scales an object other than by kubectl, empty for nobody.
func scaledBy(r *view.Reader, k view.Kind, target decision.Ref) string {
	obj, ok := r.Held(k, target.Namespace, target.Name)
	if !ok {
		return ""
	}
	for _, manager := range view.Scalers(obj) {
		if !strings.HasPrefix(manager, "kubectl") {
			return manager
		}
	}
	return ""
}

// hpa is what a HorizontalPodAutoscaler says of the number of replicas.
type hpa struct {
	name string
	// rival is another one of the same target; empty for none. The condition of one that has
	// been looked at names those of other targets that select the same Pods.
	rival      string
	least      int64
	most       int64
	asked      int64
	up, down   direction
	conditions []any
}

// direction is how it scales up, or down.
type direction struct {
	disabled bool
	window   int64
	// limits are how many replicas each policy lets a sync come to, of so many.
	limits []func(replicas int64) int64
	// least: the policy counts that lets it change least.
	least bool
}

// autoscalers are those that scale a target; read is false where they were not read.
// Files that hold none say nothing about them. without is what is not known without them.
func autoscalers(r *view.Reader, k view.Kind, target decision.Ref, without string) (all []*hpa, read bool) {
	if !r.Vouches(view.HorizontalPodAutoscalers) && len(r.AllMetadata(view.HorizontalPodAutoscalers)) == 0 {
		return nil, false
	}
	need := view.Need{
		Kind: view.HorizontalPodAutoscalers, Namespace: target.Namespace, Detail: view.Full, Explains: true,
		IfMissing: without,
	}
	for _, obj := range view.List[*unstructured.Unstructured](r, need, nil) {
		ref, _, _ := unstructured.NestedStringMap(obj.Object, "spec", "scaleTargetRef")
		if k.Refers(ref["apiVersion"], ref["kind"]) && ref["name"] == target.Name {
			all = append(all, hpaOf(obj))
		}
	}
	for _, h := range all {
		for _, other := range all {
			if other.name != h.name && other.inactive() != failedGetScale {
				h.rival = other.name
			}
		}
	}
	return all, r.Err(need) == nil
}

func hpaOf(obj *unstructured.Unstructured) *hpa {
	number := func(otherwise int64, path ...string) int64 {
		if n, found, err := unstructured.NestedInt64(obj.Object, path...); found && err == nil {
			return n
		}
		return otherwise
	}
	directed := func(name string, window int64) direction {
		policy, _, _ := unstructured.NestedString(obj.Object, "spec", "behavior", name, "selectPolicy")
		policies, _, _ := unstructured.NestedSlice(obj.Object, "spec", "behavior", name, "policies")
		d := direction{disabled: policy == "Disabled", window: number(window, "spec", "behavior", name, "stabilizationWindowSeconds"), least: policy == "Min"}
		for _, p := range policies {
			d.limits = append(d.limits, limitOf(p, name == "scaleUp"))
		}
		if _, some, _ := unstructured.NestedMap(obj.Object, "spec", "behavior"); some && len(policies) == 0 && name == "scaleUp" { // their defaults
			d.limits = append(d.limits, func(n int64) int64 { return n + 4 }, func(n int64) int64 { return 2 * n })
		}
		return d
	}
	h := &hpa{
		name: obj.GetName(), least: number(1, "spec", "minReplicas"), most: number(0, "spec", "maxReplicas"), asked: number(0, "status", "desiredReplicas"),
		up: directed("scaleUp", 0), down: directed("scaleDown", defaultWindow),
	}
	h.conditions, _, _ = unstructured.NestedSlice(obj.Object, "status", "conditions")
	return h
}

// defaultWindow is --horizontal-pod-autoscaler-downscale-stabilization.
const defaultWindow = 300

// failedGetScale is the reason of one that could not read the scale of its target.
const failedGetScale = "FailedGetScale"

// soon is when an HPA is looked at next (--horizontal-pod-autoscaler-sync-period).
const soon = "at its next sync (every 15s by default)"

// makes says what it makes of so many replicas, as reconcileAutoscaler does
// (pkg/controller/podautoscaler/horizontal.go, v1.37.1): the limits count before the
// metrics, and 0 replicas turn it off. Empty is for nothing. change is that it sets another
// number, if its metrics stay as they are; empty where it does not.
func (h *hpa) makes(target decision.Ref, replicas int64) (text, change string) {
	sets := func(n int64) string { return fmt.Sprintf("it sets spec.replicas of %s to %d %s", target, n, soon) }
	stopped := h.inactive()
	switch {
	case h.most == 0: // no HPA that the API server would have stored
		return "", ""
	case stopped == failedGetScale:
		return fmt.Sprintf("can't read the scale of %s (%s): it leaves this change as it is", target, stopped), ""
	case replicas == 0 && h.least != 0:
		return fmt.Sprintf("does not scale %s while spec.replicas is 0", target), ""
	case replicas > h.most:
		return fmt.Sprintf("has maxReplicas %d: %s", h.most, sets(h.most)), h.sets(h.most) + " at its next sync"
	case replicas < h.least:
		return fmt.Sprintf("has minReplicas %d: %s", h.least, sets(h.least)), h.sets(h.least) + " at its next sync"
	case h.rival != "": // validateAndParseSelector
		return fmt.Sprintf("does not scale %s by its metrics while hpa/%s scales it as well (AmbiguousSelector, from Kubernetes 1.26 on)", target, h.rival), ""
	case stopped != "" && stopped != "ScalingDisabled":
		return fmt.Sprintf("gets no number from its metrics (%s): it leaves %s at %d, which is within minReplicas %d and maxReplicas %d", stopped, target, replicas, h.least, h.most), ""
	}
	return h.byMetrics(target, replicas, sets)
}

// limitOf is what a policy lets a sync come to (calculateScaleUpLimitWithScalingRules and
// calculateScaleDownLimitWithBehaviors of pkg/controller/podautoscaler/horizontal.go, v1.37.1),
// where the autoscaler did not scale within the period of the policy.
func limitOf(policy any, up bool) func(int64) int64 {
	fields, _ := policy.(map[string]any)
	value, _ := fields["value"].(int64)
	share := float64(value) / 100
	switch percent := text(policy, "type") == "Percent"; {
	case percent && up:
		return func(n int64) int64 { return int64(math.Ceil(float64(n) * (1 + share))) }
	case percent:
		return func(n int64) int64 { return int64(float64(n) * (1 - share)) }
	case up:
		return func(n int64) int64 { return n + value }
	}
	return func(n int64) int64 { return n - value }
}

// next is the number of replicas that its next sync comes to on the way from one to another.
// Without policies that doubles at most, or comes to 4 (calculateScaleUpLimit).
func (h *hpa) next(from, to int64) int64 {
	d, up := h.down, to > from
	if up {
		d = h.up
	}
	switch {
	case len(d.limits) > 0:
	case up:
		return min(to, max(2*from, 4))
	default:
		return to
	}
	var all []int64
	for _, limit := range d.limits {
		all = append(all, limit(from))
	}
	at := slices.Max(all)
	if up == d.least {
		at = slices.Min(all)
	}
	if up {
		return min(to, at)
	}
	return max(to, at)
}

// byMetrics says what it makes of a number within its limits.
func (h *hpa) byMetrics(target decision.Ref, replicas int64, sets func(int64) string) (text, change string) {
	next := h.next(replicas, h.asked)
	change, then := h.sets(next)+", if its metrics still ask for that", sets(next)
	if next != h.asked {
		change = fmt.Sprintf("%s on the way to %d, if its metrics still ask for that", h.sets(next), h.asked)
		then += fmt.Sprintf(", on the way to %d", h.asked)
	}
	limits := fmt.Sprintf("scales %s by its metrics (minReplicas %d, maxReplicas %d)", target, h.least, h.most)
	switch {
	case h.asked == 0 || h.asked == replicas:
		return limits + ": it may take this change back", ""
	case h.asked > replicas && h.up.disabled:
		return limits + ", and never up (selectPolicy Disabled): it leaves this change as it is", ""
	case h.asked < replicas && h.down.disabled:
		return limits + ", and never down (selectPolicy Disabled): it leaves this change as it is", ""
	case h.asked > replicas && h.up.window > 0:
		return fmt.Sprintf("%s. They asked for %d last: if they do for the stabilization window of %s, %s", limits, h.asked, seconds(h.up.window), then), change
	case h.asked > replicas:
		return fmt.Sprintf("%s. They asked for %d last: if they still do, %s", limits, h.asked, then), change
	case h.down.window > 0:
		return fmt.Sprintf("%s. They asked for %d last: if they asked for no more within the stabilization window of %s, %s", limits, h.asked, seconds(h.down.window), then), change
	}
	return fmt.Sprintf("%s. They asked for %d last: if they ask for no more, %s", limits, h.asked, then), change
}

// sets is that it sets so many replicas.
func (h *hpa) sets(n int64) string {
	return "hpa/" + h.name + " sets " + format.Plural(int(n), "replica")
}

func seconds(n int64) string { return decision.Span(time.Duration(n) * time.Second).Brief() }

// wantsMore reports whether its maximum kept it from scaling up further when it last looked.
func (h *hpa) wantsMore() bool {
	return slices.ContainsFunc(h.conditions, func(c any) bool {
		return text(c, "type") == "ScalingLimited" && text(c, "status") == "True" && text(c, "reason") == "TooManyReplicas"
	})
}

// inactive is the reason for which it does not scale by its metrics, empty where it does.
func (h *hpa) inactive() string {
	reason, _ := h.stopped()
	return reason
}

// stopped is the same with the message of the condition.
func (h *hpa) stopped() (reason, message string) {
	for _, kind := range []string{"AbleToScale", "ScalingActive"} {
		i := slices.IndexFunc(h.conditions, func(c any) bool { return text(c, "type") == kind && text(c, "status") == "False" })
		if i >= 0 {
			return cmp.Or(text(h.conditions[i], "reason"), kind+" is False"), text(h.conditions[i], "message")
		}
	}
	return "", ""
}

func text(condition any, field string) string {
	fields, _ := condition.(map[string]any)
	s, _ := fields[field].(string)
	return s
}
