package render

import (
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestPlannedPossibly: what may not come about is no certain number.
func TestPlannedPossibly(t *testing.T) {
	pod := decision.Ref{Kind: "Pod", Name: "a"}
	may := func(v decision.Verb, n int) decision.Action {
		return decision.Action{Verb: v, Object: pod, Count: n, Certainty: decision.Possible}
	}
	will := func(v decision.Verb) decision.Action {
		return decision.Action{Verb: v, Object: pod, Count: 1, Certainty: decision.Certain}
	}
	shared := may(decision.Delete, 1)
	shared.Choice = &decision.Choice{Of: "tie", K: 1, N: 2}
	for _, tt := range []struct {
		actions []decision.Action
		want    string
	}{
		{[]decision.Action{may(decision.Adopt, 1), may(decision.Delete, 1)}, "Plan: 0 to create, 1 to delete (1 possible), 1 to adopt (1 possible), 0 to release."},
		{[]decision.Action{may(decision.Create, 5), will(decision.Delete)}, "Plan: 5 to create (5 possible), 1 to delete, 0 to adopt, 0 to release."},
		{[]decision.Action{may(decision.Create, 1), {Verb: decision.Create, Object: decision.Ref{Kind: "PersistentVolumeClaim"}, Count: 2, Certainty: decision.Possible}}, "Plan: 1 to create (1 possible), 0 to delete, 0 to adopt, 0 to release."},
		{[]decision.Action{will(decision.Create), will(decision.Adopt)}, "Plan: 1 to create, 0 to delete, 1 to adopt, 0 to release."},
		{[]decision.Action{shared, shared}, "Plan: 0 to create, 1 to delete (0 certain, 1 of 2 possible), 0 to adopt, 0 to release."},
	} {
		d := &decision.Decision{Target: decision.Ref{Kind: "ReplicaSet", Name: "web"}}
		for _, a := range tt.actions {
			d.Do(a)
		}
		d.Summarize()
		if got := "Plan: " + Planned(d); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}

// TestPlannedBelow: the same of what follows from a Deployment's sync.
func TestPlannedBelow(t *testing.T) {
	d := &decision.Decision{Target: decision.Ref{Kind: "Deployment", Name: "web"}}
	create := decision.Action{Verb: decision.Create, Object: decision.Ref{Kind: "Pod"}, Count: 5, Certainty: decision.Possible}
	d.Follows = []decision.Effect{{Cause: decision.Ref{Kind: "ReplicaSet", Name: "web-1"}, Actions: []decision.Action{create}, Summary: decision.Summary{Create: 5}}}
	const want = "5 Pods to create (5 possible), 0 to delete; of ReplicaSets: 0 to create, 0 to delete, 0 to adopt, 0 to release."
	if got := Planned(d); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestPlannedUnknown: where what a ReplicaSet does to its Pods is not known, no count is
// read as one of Pods.
func TestPlannedUnknown(t *testing.T) {
	rs := decision.Ref{Kind: "ReplicaSet", Name: "web-1"}
	d := &decision.Decision{Target: decision.Ref{Kind: "Deployment", Name: "web"}, Sets: []decision.Set{{Object: rs}}}
	d.Do(decision.Action{Verb: decision.Scale, Object: rs, Count: 1, Certainty: decision.Certain})
	d.Summarize()
	d.AddCaveat(decision.FollowUpUnknown, "what replicaset/web-1 does next is not known: the input holds no pods")
	const want = "Pods to create and delete are not known; of ReplicaSets: 1 to scale, 0 to create, 0 to delete, 0 to adopt, 0 to release."
	if got := Planned(d); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
