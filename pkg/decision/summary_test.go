package decision

import (
	"fmt"
	"testing"
)

// TestSummarize: a choice counts once, what goes with Pods does not count, and objects
// of the target's own kind always do.
func TestSummarize(t *testing.T) {
	act := func(v Verb, kind string, n int, c Certainty, of *Choice) Action {
		return Action{Verb: v, Object: Ref{Kind: kind, Name: fmt.Sprint(v, n)}, Count: n, Certainty: c, Choice: of}
	}
	one := &Choice{K: 1, N: 2}
	for _, tt := range []struct {
		name, target string
		actions      []Action
		want         Summary
	}{
		{"nothing", "ReplicaSet", nil, Summary{}},
		{"creations", "ReplicaSet", []Action{act(Create, "Pod", 3, Certain, nil), act(Create, "Pod", 2, Possible, one)}, Summary{Create: 5}},
		{"a choice", "ReplicaSet", []Action{act(Delete, "Pod", 1, Certain, nil), act(Delete, "Pod", 1, Possible, one), act(Delete, "Pod", 1, Possible, one)}, Summary{DeleteCertain: 1, DeletePossible: 1, PossibleAmong: 2}},
		{"after an adoption", "ReplicaSet", []Action{act(Adopt, "Pod", 1, Certain, nil), act(Delete, "Pod", 1, Possible, nil)}, Summary{Adopt: 1, DeletePossible: 1, PossibleAmong: 1}},
		{"verbs", "Deployment", []Action{act(Scale, "ReplicaSet", 1, Certain, nil), act(Modify, "ReplicaSet", 1, Certain, nil), act(Release, "ReplicaSet", 1, Certain, nil)}, Summary{Scale: 1, Modify: 1, Release: 1}},
		{"of Pods", "CloneSet", []Action{act(UpdateInPlace, "Pod", 1, Certain, nil), act(Recreate, "Pod", 1, Certain, nil), act(SetState, "Pod", 1, Certain, nil), act(SetCondition, "Pod", 1, Certain, nil)}, Summary{Update: 1, Recreate: 1, SetState: 1}},
		{"the gravest of a choice", "CloneSet", []Action{act(UpdateInPlace, "Pod", 1, Possible, &Choice{1, 2, "a", false}), act(Recreate, "Pod", 1, Possible, &Choice{1, 2, "a", false})}, Summary{Recreate: 1}},
		{"what goes with Pods", "CloneSet", []Action{act(Create, "PersistentVolumeClaim", 2, Certain, nil), act(Delete, "PersistentVolumeClaim", 1, Certain, nil), act(Delete, "ControllerRevision", 1, Certain, nil)}, Summary{DeleteClaims: 1}},
		{"what is collected after Pods", "StatefulSet", []Action{{Verb: Delete, Object: Ref{Kind: "Pod"}, Count: 1, Certainty: Certain, Collects: make([]Ref, 2)}}, Summary{DeleteCertain: 1, DeleteClaims: 2}},
		{"the target's kind", "PersistentVolumeClaim", []Action{act(Modify, "PersistentVolumeClaim", 1, Certain, nil), act(Delete, "PersistentVolumeClaim", 1, Certain, nil)}, Summary{Modify: 1, DeleteCertain: 1}},
	} {
		d := Decision{Target: Ref{Kind: tt.target}, Actions: tt.actions, Summary: Summary{Create: 9}, Pending: len(tt.actions) == 0}
		if d.Summarize(); d.Summary != tt.want || d.Pending != (len(tt.actions) > 0) {
			t.Errorf("%s: %+v, pending %v; want %+v", tt.name, d.Summary, d.Pending, tt.want)
		}
	}
}

// TestPhraseCounts: what a plugin does not count is counted with its sentences.
func TestPhraseCounts(t *testing.T) {
	for _, pending := range []bool{false, true} { // one that a plugin set by hand counts nothing
		d := Decision{Pending: pending, Actions: []Action{{Verb: Create, Object: Ref{Kind: "Pod"}, Count: 2, Certainty: Certain}}}
		d.Phrase(nil, func(d *Decision) string { return fmt.Sprint(d.Pending, d.Summary.Create) })
		if d.Answer != "true 2" {
			t.Errorf("pending %v: got %q", pending, d.Answer)
		}
	}
}
