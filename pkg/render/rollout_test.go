package render

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

const rolloutPage = `deployment/web will scale replicaset/web-a from 4 to 2.

  scale   web-a   certain   4 → 2: two may go

  THEN replicaset/web-a will delete 2 Pods.
    delete   a1   certain   not ready
    the quota was not read

  SET   REPLICASET   REVISION   DESIRED   PODS   AVAILABLE
  new   web-b        2          1         1      0
  old   web-a        1          4 → 2     4      4
  old   web-0                   0         0      0

`

// TestRolloutPage shows a Deployment's sets and what follows for pods.
func TestRolloutPage(t *testing.T) {
	ref := func(kind, name string) decision.Ref { return decision.Ref{Kind: kind, Namespace: "shop", Name: name} }
	act := func(verb decision.Verb, obj decision.Ref, rule, message string) decision.Action {
		return decision.Action{Verb: verb, Object: obj, Count: 1, Certainty: decision.Certain, Ruling: decision.Ruling{Rule: rule, Message: message}}
	}
	scale := act(decision.Scale, ref("ReplicaSet", "web-a"), "ScaleOldDown", "4 → 2: two may go")
	scale.From, scale.To = new(int32(4)), new(int32(2))
	d := &decision.Decision{
		Target: ref("Deployment", "web"), Answer: "deployment/web will scale replicaset/web-a from 4 to 2.",
		Actions: []decision.Action{scale}, Summary: decision.Summary{Scale: 1},
		Sets: []decision.Set{
			{Object: ref("ReplicaSet", "web-b"), Role: decision.New, Revision: "2", Replicas: 1, Next: 1, Actual: 1},
			{Object: ref("ReplicaSet", "web-a"), Role: decision.Old, Revision: "1", Replicas: 4, Next: 2, Actual: 4, Available: 4},
			{Object: ref("ReplicaSet", "web-0"), Role: decision.Old},
		},
		Follows: []decision.Effect{{
			Cause: ref("ReplicaSet", "web-a"), Answer: "replicaset/web-a will delete 2 Pods.",
			Summary: decision.Summary{DeleteCertain: 2},
			Actions: []decision.Action{act(decision.Delete, ref("Pod", "a1"), "NotReadyFirst", "not ready")},
			Caveats: []decision.Caveat{{Code: "NotRead", Message: "the quota was not read"}},
		}},
	}
	var explained, planned strings.Builder
	if err := Explain(&explained, d, Options{}); err != nil {
		t.Fatal(err)
	}
	if got, _, _ := strings.Cut(explained.String(), "MODEL"); got != rolloutPage {
		t.Error(cmp.Diff(rolloutPage, got))
	}
	if err := Plan(&planned, d, Options{}); err != nil {
		t.Fatal(err)
	}
	const line = "Plan: 0 Pods to create, 2 to delete; of ReplicaSets: 1 to scale, 0 to create, 0 to delete, 0 to adopt, 0 to release."
	if !strings.Contains(strings.Join(strings.Fields(planned.String()), " "), line) {
		t.Errorf("no %q in\n%s", line, planned.String())
	}
}

// TestPlanLineCountsPods: the retry of a Deployment's own sync makes ReplicaSets, which
// are no Pods.
func TestPlanLineCountsPods(t *testing.T) {
	d := &decision.Decision{
		Target: decision.Ref{Kind: "Deployment", Name: "web"}, Summary: decision.Summary{Create: 1},
		Follows: []decision.Effect{
			{Cause: decision.Ref{Kind: "Deployment", Name: "web"}, Summary: decision.Summary{Create: 1}},
			{Cause: decision.Ref{Kind: "ReplicaSet", Name: "web-a"}, Summary: decision.Summary{Create: 3}},
		},
	}
	if got := Planned(d); !strings.HasPrefix(got, "3 Pods to create, 0 to delete; of ReplicaSets: ") {
		t.Error(got)
	}
}

// TestPlanSaysWhatIsUnschedulable: where Pods are created, and only there.
func TestPlanSaysWhatIsUnschedulable(t *testing.T) {
	d := &decision.Decision{Target: decision.Ref{Kind: "ReplicaSet", Name: "web"}, Answer: "replicaset/web would create 2 Pods.", Pending: true}
	d.Add(decision.Cause{Reason: "Unschedulable", Pod: &decision.PodColumns{}})
	for create, want := range map[int]bool{0: false, 2: true} {
		d.Summary.Create = create
		var b strings.Builder
		if err := Plan(&b, d, Options{}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(b.String(), "\n1 Pod is Unschedulable today.\n"); got != want {
			t.Errorf("%d created: %s", create, b.String())
		}
	}
}

// TestPlanSaysWhatIsBlocked: Pods of a template that stays as it is may fail as those of
// today do.
func TestPlanSaysWhatIsBlocked(t *testing.T) {
	failing := decision.Cause{Reason: "ErrImagePull", Label: "image not found", Blocked: true, Pod: &decision.PodColumns{}}
	waiting := decision.Cause{Reason: "ContainerCreating", Label: "ContainerCreating", Pod: &decision.PodColumns{}}
	for _, c := range []struct {
		causes []decision.Cause
		path   string
		want   string
	}{
		{[]decision.Cause{failing, waiting}, "spec.replicas", " 1 Pod is blocked today: image not found."},
		{[]decision.Cause{failing, failing}, "spec.replicas", " 2 Pods are blocked today: image not found."},
		{[]decision.Cause{failing, {Reason: "Unschedulable", Blocked: true, Pod: &decision.PodColumns{}}}, "spec.replicas", " 1 Pod is Unschedulable today. 1 Pod is blocked today: image not found."},
		{[]decision.Cause{failing}, "spec.template.spec.containers[app].image", ""},
		{[]decision.Cause{waiting}, "spec.replicas", ""},
		{[]decision.Cause{{Reason: "Exceeded", Label: "quota", Blocked: true}}, "spec.replicas", ""},
	} {
		d := &decision.Decision{WhatIf: []decision.Change{{Path: c.path}}}
		for _, cause := range c.causes {
			d.Add(cause)
		}
		if got := d.Today(); got != c.want {
			t.Errorf("%v, %s: %q, want %q", c.causes, c.path, got, c.want)
		}
	}
}

// TestRolloutCount shows the arithmetic of a rolling update in one line.
func TestRolloutCount(t *testing.T) {
	of := decision.Facts{
		decision.F("desired", 4), decision.F("allPodsCount", 5), decision.F("availablePodCount", 4),
		decision.F("maxSurge", 1), decision.F("maxUnavailable", 1), decision.F("minAvailable", 3),
	}
	const want = "4 desired; 5 desired by all ReplicaSets, 4 available; at most 5 Pods (surge 1), at least 3 available (unavailable 1)"
	if got := rolloutCount(of); got != want {
		t.Error(cmp.Diff(want, got))
	}
}
