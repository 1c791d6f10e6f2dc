package controller

import (
	"fmt"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

const webHPA = `
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: shop}
spec: {minReplicas: 3, maxReplicas: 6, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
status: {desiredReplicas: 4, conditions: [{type: AbleToScale, status: "True", reason: ReadyForNewScale}, {type: ScalingActive, status: "True", reason: ValidMetricFound}]}
`

var web = decision.Ref{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}

func autoscalerOf(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	u := &unstructured.Unstructured{}
	fields, err := yaml.YAMLToJSON([]byte(text))
	if err == nil {
		err = u.UnmarshalJSON(fields)
	}
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// said is what a change of spec.replicas of deployment/web gets of HPAs.
func said(t *testing.T, replicas int64, add func(b *view.Builder)) (string, *view.Reader) {
	t.Helper()
	b := view.NewOpenBuilder(time.Now())
	add(b)
	r := b.View().Reader()
	d := &decision.Decision{Target: web, WhatIf: []decision.Change{decision.Rescaled(web, 4, replicas)}}
	var all []string
	for _, c := range autoscaled(r, view.Deployments, d) {
		if c.Code != autoscalerScales {
			t.Errorf("code %s", c.Code)
		}
		all = append(all, c.Message)
	}
	return strings.Join(all, "\n"), r
}

// TestAutoscaler: what an HPA makes of another number of replicas, by upstream's order:
// the limits before the metrics, and 0 before both.
func TestAutoscaler(t *testing.T) {
	const by = "hpa/web scales deployment/web by its metrics (minReplicas 3, maxReplicas 6)"
	for _, tt := range []struct {
		name, was, is string
		replicas      int64
		want          string
	}{
		{"above", "", "", 7, "hpa/web has maxReplicas 6: it sets spec.replicas of deployment/web to 6 at its next sync (every 15s by default)"},
		{"at the maximum", "", "", 6, by + ". They asked for 4 last: if they asked for no more within the stabilization window of 5m, it sets spec.replicas of deployment/web to 4 at its next sync (every 15s by default)"},
		{"at the minimum", "", "", 3, by + ". They asked for 4 last: if they still do, it sets spec.replicas of deployment/web to 4 at its next sync (every 15s by default)"},
		{"below", "", "", 2, "hpa/web has minReplicas 3: it sets spec.replicas of deployment/web to 3 at its next sync (every 15s by default)"},
		{"zero", "", "", 0, "hpa/web does not scale deployment/web while spec.replicas is 0"},
		{"as asked for", "", "", 4, by + ": it may take this change back"},
		{"not looked at yet", "desiredReplicas: 4", "desiredReplicas: 0", 5, by + ": it may take this change back"},
		{"no minimum", "minReplicas: 3, ", "", 1, "hpa/web scales deployment/web by its metrics (minReplicas 1, maxReplicas 6). They asked for 4 last: if they still do, it sets spec.replicas of deployment/web to 4 at its next sync (every 15s by default)"},
		{"no window", "spec: {", "spec: {behavior: {scaleDown: {stabilizationWindowSeconds: 0}}, ", 5, by + ". They asked for 4 last: if they ask for no more, it sets spec.replicas of deployment/web to 4 at its next sync (every 15s by default)"},
		{"window up", "spec: {", "spec: {behavior: {scaleUp: {stabilizationWindowSeconds: 90}}, ", 3, by + ". They asked for 4 last: if they do for the stabilization window of 90s, it sets spec.replicas of deployment/web to 4 at its next sync (every 15s by default)"},
		{"never down", "spec: {", "spec: {behavior: {scaleDown: {selectPolicy: Disabled}}, ", 5, by + ", and never down (selectPolicy Disabled): it leaves this change as it is"},
		{"never down, up", "spec: {", "spec: {behavior: {scaleDown: {selectPolicy: Disabled}}, ", 3, by + ". They asked for 4 last: if they still do, it sets spec.replicas of deployment/web to 4 at its next sync (every 15s by default)"},
		{"never up", "spec: {", "spec: {behavior: {scaleUp: {selectPolicy: Disabled}}, ", 3, by + ", and never up (selectPolicy Disabled): it leaves this change as it is"},
		{"further than a sync goes", "maxReplicas: 6, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}\nstatus: {desiredReplicas: 4", "maxReplicas: 60, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}\nstatus: {desiredReplicas: 20", 5, "hpa/web scales deployment/web by its metrics (minReplicas 3, maxReplicas 60). They asked for 20 last: if they still do, it sets spec.replicas of deployment/web to 10 at its next sync (every 15s by default), on the way to 20"},
		{"no metrics", `ScalingActive, status: "True", reason: ValidMetricFound`, `ScalingActive, status: "False", reason: FailedGetResourceMetric`, 5, "hpa/web gets no number from its metrics (FailedGetResourceMetric): it leaves deployment/web at 5, which is within minReplicas 3 and maxReplicas 6"},
		{"no metrics, above", `ScalingActive, status: "True", reason: ValidMetricFound`, `ScalingActive, status: "False", reason: FailedGetResourceMetric`, 7, "hpa/web has maxReplicas 6: it sets spec.replicas of deployment/web to 6 at its next sync (every 15s by default)"},
		{"turned off until now", `ScalingActive, status: "True", reason: ValidMetricFound`, `ScalingActive, status: "False", reason: ScalingDisabled`, 3, by + ". They asked for 4 last: if they still do, it sets spec.replicas of deployment/web to 4 at its next sync (every 15s by default)"},
		{"no scale", `AbleToScale, status: "True", reason: ReadyForNewScale`, `AbleToScale, status: "False", reason: FailedGetScale`, 7, "hpa/web can't read the scale of deployment/web (FailedGetScale): it leaves this change as it is"},
		{"older version", "apiVersion: autoscaling/v2", "apiVersion: autoscaling/v1", 7, "hpa/web has maxReplicas 6: it sets spec.replicas of deployment/web to 6 at its next sync (every 15s by default)"},
		{"older version of the target", "apiVersion: apps/v1", "apiVersion: apps/v1beta1", 7, "hpa/web has maxReplicas 6: it sets spec.replicas of deployment/web to 6 at its next sync (every 15s by default)"},
		{"nothing that is one", "maxReplicas: 6", "maxReplicas: six", 7, ""},
		{"other group", "apiVersion: apps/v1", "apiVersion: apps.kruise.io/v1alpha1", 7, ""},
		{"other kind", "kind: Deployment", "kind: StatefulSet", 7, ""},
		{"other name", "name: web}}", "name: api}}", 7, ""},
		{"other namespace", "namespace: shop", "namespace: other", 7, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, _ := said(t, tt.replicas, func(b *view.Builder) {
				b.Add(view.HorizontalPodAutoscalers, autoscalerOf(t, strings.Replace(webHPA, tt.was, tt.is, 1)))
			})
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestNoAutoscaler: where no HPA is in the files, the field's last manager tells of one;
// where they hold those of others, the manager of Kubernetes' own does no more.
func TestNoAutoscaler(t *testing.T) {
	target := func(manager string) *unstructured.Unstructured {
		u := &unstructured.Unstructured{}
		u.SetGroupVersionKind(view.Deployments.GroupVersionKind)
		u.SetNamespace("shop")
		u.SetName("web")
		u.SetManagedFields([]metav1.ManagedFieldsEntry{{Manager: manager, Subresource: "scale"}})
		return u
	}
	other := strings.Replace(webHPA, "name: web}}", "name: api}}", 1)
	for _, tt := range []struct {
		manager, hpa string
		want         bool
	}{
		{"kube-controller-manager", "", true}, {"keda-operator", "", true}, {"kubectl", "", false},
		{"kube-controller-manager", other, false}, {"keda-operator", other, true}, {"keda-operator", webHPA, false},
	} {
		got, r := said(t, 4, func(b *view.Builder) {
			b.Add(view.Deployments, target(tt.manager))
			if tt.hpa != "" {
				b.Add(view.HorizontalPodAutoscalers, autoscalerOf(t, tt.hpa))
			}
		})
		if want := tt.manager + " was the last to set spec.replicas of deployment/web"; strings.Contains(got, want) != tt.want {
			t.Errorf("%s: %q", tt.manager, got)
		}
		if asked := len(r.Asked()) > 0; asked != (tt.hpa != "") {
			t.Errorf("HPAs are asked for: %v", asked)
		}
	}
}

// wanting is a decision about deployment/web, which wants so many replicas.
func wanting(replicas int) *decision.Decision {
	d := &decision.Decision{Target: web}
	d.Replicas = &decision.Replicas{Desired: replicas}
	return d
}

// TestAutoscalerRescales: without a change, an HPA is named that sets another number of
// replicas: by its limits, whatever its metrics say, and else by them.
func TestAutoscalerRescales(t *testing.T) {
	for _, tt := range []struct {
		replicas int
		want     string
	}{
		{2, "hpa/web has minReplicas 3: it sets spec.replicas of deployment/web to 3 at its next sync (every 15s by default)"},
		{7, "hpa/web has maxReplicas 6: it sets spec.replicas of deployment/web to 6 at its next sync (every 15s by default)"},
		{4, ""},
	} {
		b := view.NewOpenBuilder(time.Now())
		b.Add(view.HorizontalPodAutoscalers, autoscalerOf(t, webHPA))
		d := wanting(tt.replicas)
		var got string
		for _, c := range rescaled(nil, b.View().Reader(), view.Deployments, d) {
			got += c.Message
		}
		if got != tt.want {
			t.Errorf("%d replicas: %q, want %q", tt.replicas, got, tt.want)
		}
	}
}

// TestAutoscalerStopped: an HPA that gets no number is told of without a change; one that
// is turned off, or scales, is not, nor one whose limits count first.
func TestAutoscalerStopped(t *testing.T) {
	const was = `ScalingActive, status: "True", reason: ValidMetricFound`
	const stopped = `ScalingActive, status: "False", reason: FailedGetResourceMetric, message: no metrics`
	for _, tt := range []struct {
		replicas int
		is, want string
	}{
		{4, was, ""},
		{4, `ScalingActive, status: "False", reason: ScalingDisabled`, ""},
		{4, stopped, "hpa/web does not scale deployment/web: FailedGetResourceMetric: no metrics"},
		{2, stopped, "hpa/web has minReplicas 3: it sets spec.replicas of deployment/web to 3 at its next sync (every 15s by default)"},
	} {
		b := view.NewOpenBuilder(time.Now())
		b.Add(view.HorizontalPodAutoscalers, autoscalerOf(t, strings.Replace(webHPA, was, tt.is, 1)))
		var got string
		for _, c := range rescaled(nil, b.View().Reader(), view.Deployments, wanting(tt.replicas)) {
			got += c.Message
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.is, got, tt.want)
		}
		d := wanting(tt.replicas)
		d.Owners = []decision.Ref{{Kind: "Rollout", Name: "web"}}
		owned := rescaled(Registry{{Kinds: []view.Kind{view.Deployments}}}, b.View().Reader(), view.Deployments, d)
		if len(owned) != 1 || owned[0].Message != "hpa/web scales deployment/web: rollout/web controls deployment/web and may take this change back" {
			t.Errorf("of a target with an owner: %v", owned)
		}
	}
}

// TestAutoscalerNext: a sync goes as far as the policies allow, of which the one that allows most
// counts, or that which allows least.
func TestAutoscalerNext(t *testing.T) {
	const pods, percent = "{type: Pods, value: 1, periodSeconds: 60}", "{type: Percent, value: 50, periodSeconds: 60}"
	for _, tt := range []struct {
		behavior       string
		from, to, want int64
	}{
		{"", 4, 20, 8}, {"", 1, 20, 4}, {"", 4, 6, 6}, {"", 20, 4, 4},
		{"{scaleDown: {stabilizationWindowSeconds: 0}}", 3, 20, 7}, {"{scaleDown: {stabilizationWindowSeconds: 0}}", 8, 20, 16},
		{"{scaleUp: {policies: [" + pods + "]}}", 4, 20, 5}, {"{scaleUp: {policies: [" + pods + "]}}", 20, 4, 4},
		{"{scaleUp: {policies: [" + pods + ", " + percent + "]}}", 5, 20, 8},
		{"{scaleUp: {selectPolicy: Min, policies: [" + pods + ", " + percent + "]}}", 5, 20, 6},
		{"{scaleDown: {policies: [" + pods + "]}}", 20, 4, 19},
		{"{scaleDown: {policies: [" + pods + ", " + percent + "]}}", 21, 4, 10},
		{"{scaleDown: {selectPolicy: Min, policies: [" + pods + ", " + percent + "]}}", 21, 4, 20},
		{"{scaleDown: {policies: [" + percent + "]}}", 5, 4, 4},
	} {
		text := webHPA
		if tt.behavior != "" {
			text = strings.Replace(webHPA, "spec: {", "spec: {behavior: "+tt.behavior+", ", 1)
		}
		if got := hpaOf(autoscalerOf(t, text)).next(tt.from, tt.to); got != tt.want {
			t.Errorf("%s: from %d to %d comes to %d, want %d", tt.behavior, tt.from, tt.to, got, tt.want)
		}
	}
}

// TestAutoscalerAtMaximum: an HPA that would scale up further is told of where its maximum
// is reached.
func TestAutoscalerAtMaximum(t *testing.T) {
	const most = "hpa/web keeps deployment/web at its maxReplicas 6: its metrics ask for more (ScalingLimited)"
	limited := func(status, reason string) string {
		return fmt.Sprintf("conditions: [{type: ScalingLimited, status: %q, reason: %s}, ", status, reason)
	}
	for _, tt := range []struct {
		replicas         int
		conditions, want string
	}{
		{6, limited("True", "TooManyReplicas"), most},
		{5, limited("True", "TooManyReplicas"), ""},
		{6, limited("False", "DesiredWithinRange"), ""},
		{6, limited("True", "ScaleUpLimit"), ""},
	} {
		b := view.NewOpenBuilder(time.Now())
		text := strings.Replace(webHPA, "desiredReplicas: 4", fmt.Sprint("desiredReplicas: ", tt.replicas), 1)
		b.Add(view.HorizontalPodAutoscalers, autoscalerOf(t, strings.Replace(text, "conditions: [", tt.conditions, 1)))
		var got string
		for _, c := range rescaled(nil, b.View().Reader(), view.Deployments, wanting(tt.replicas)) {
			got += c.Message
		}
		if got != tt.want {
			t.Errorf("%d replicas, %s: %q, want %q", tt.replicas, tt.conditions, got, tt.want)
		}
	}
}

// TestAutoscalerOfNone: an HPA does not scale what has 0 replicas, but for one that may set 0
// itself.
func TestAutoscalerOfNone(t *testing.T) {
	for least, want := range map[string]string{"3": "hpa/web does not scale deployment/web while spec.replicas is 0", "0": ""} {
		b := view.NewOpenBuilder(time.Now())
		text := strings.NewReplacer("minReplicas: 3", "minReplicas: "+least, "desiredReplicas: 4", "desiredReplicas: 0").Replace(webHPA)
		b.Add(view.HorizontalPodAutoscalers, autoscalerOf(t, text))
		var got string
		for _, c := range rescaled(nil, b.View().Reader(), view.Deployments, wanting(0)) {
			got += c.Message
		}
		if got != want {
			t.Errorf("minReplicas %s: %q, want %q", least, got, want)
		}
	}
}

// TestAutoscalerAsked: without a change, HPAs are read where one has scaled the target.
func TestAutoscalerAsked(t *testing.T) {
	for manager, want := range map[string]bool{view.ControllerManager: true, "keda-operator": false, "kubectl": false} {
		u := &unstructured.Unstructured{}
		u.SetGroupVersionKind(view.Deployments.GroupVersionKind)
		u.SetNamespace("shop")
		u.SetName("web")
		u.SetManagedFields([]metav1.ManagedFieldsEntry{{Manager: manager, Subresource: "scale"}})
		b := view.NewBuilder(time.Now())
		b.Add(view.Deployments, u)
		r := b.View().Reader()
		rescaled(nil, r, view.Deployments, wanting(4))
		if got := len(r.Asked()) > 0; got != want {
			t.Errorf("%s: asked %t", manager, got)
		}
	}
}

// TestScaledByNumbers: what a change of spec.replicas comes to follows from its numbers, and
// not from their texts.
func TestScaledByNumbers(t *testing.T) {
	for _, tt := range []struct {
		from, to int64
		down     bool
	}{{4, 3, true}, {3, 4, false}, {10, 9, true}, {9, 10, false}} {
		c := decision.Rescaled(web, tt.from, tt.to)
		c.From, c.To = "what it was", "what it is"
		d := &decision.Decision{Target: web, WhatIf: []decision.Change{c}}
		if n, known := sizes(d); !known || n.To != tt.to || scaledDown(d) != tt.down {
			t.Errorf("%+v: %+v %t, down %t", tt, n, known, scaledDown(d))
		}
	}
	if d := (&decision.Decision{Target: web, WhatIf: []decision.Change{{Object: web, Path: "spec.replicas", From: "a", To: "b"}}}); !scaledDown(d) {
		t.Error("a change without numbers may be a scale-down")
	}
}

// TestAutoscalersOfOneTarget: of two HPAs of one target, neither scales by its metrics; one that
// can't read its scale is not in the way of the other. The limits count all the same.
func TestAutoscalersOfOneTarget(t *testing.T) {
	second := strings.Replace(webHPA, "{name: web, ", "{name: second, ", 1)
	const limits = "hpa/web scales deployment/web by its metrics"
	for _, tt := range []struct {
		name, was, is, want string
		replicas            int64
	}{
		{"both", "", "", "hpa/web does not scale deployment/web by its metrics while hpa/second scales it as well (AmbiguousSelector, from Kubernetes 1.26 on)", 5},
		{"outside the limits", "", "", "hpa/web has maxReplicas 6: it sets", 7},
		{"no scale", `AbleToScale, status: "True", reason: ReadyForNewScale`, `AbleToScale, status: "False", reason: FailedGetScale`, limits, 5},
		{"of another target", "name: web}}", "name: api}}", limits, 5},
	} {
		got, _ := said(t, tt.replicas, func(b *view.Builder) {
			b.Add(view.HorizontalPodAutoscalers, autoscalerOf(t, webHPA))
			b.Add(view.HorizontalPodAutoscalers, autoscalerOf(t, strings.Replace(second, tt.was, tt.is, 1)))
		})
		if !strings.Contains("\n"+got, "\n"+tt.want) {
			t.Errorf("%s:\ngot  %s\nwant %s", tt.name, got, tt.want)
		}
	}
}
