package e2e

import (
	"encoding/json"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestCompare shows that the comparison notices each kind of difference.
func TestCompare(t *testing.T) {
	if err := compare(samplePlan(), sampleSync()); err != nil {
		t.Fatalf("the samples differ: %v", err)
	}
	for name, change := range map[string]func(*observed){
		"an adoption less":   func(o *observed) { delete(o.adopted, "orphan") },
		"another body":       func(o *observed) { o.adopted["orphan"] = json.RawMessage(`{}`) },
		"a release more":     func(o *observed) { o.released["a"] = json.RawMessage(`{}`) },
		"a creation more":    func(o *observed) { o.created++ },
		"a refusal":          func(o *observed) { o.refused++ },
		"a certain one kept": func(o *observed) { delete(o.deleted, "doomed"); o.deleted["tied-2"] = time.Time{} },
		"a safe one gone":    func(o *observed) { delete(o.deleted, "tied-1"); o.deleted["safe"] = time.Time{} },
		"one too many":       func(o *observed) { o.deleted["tied-2"] = time.Time{} },
		"no status":          func(o *observed) { o.status = nil },
		"another status":     func(o *observed) { o.status.ReadyReplicas++ },
		"a condition":        func(o *observed) { o.status.Conditions = []appsv1.ReplicaSetCondition{{Type: "ReplicaFailure"}} },
	} {
		did := sampleSync()
		change(&did)
		if compare(samplePlan(), did) == nil {
			t.Errorf("%s goes unnoticed", name)
		}
	}
}

func samplePlan() *decision.Decision {
	tied := &decision.Choice{K: 1, N: 2}
	return &decision.Decision{
		Summary: decision.Summary{Adopt: 1, DeleteCertain: 1, DeletePossible: 1, PossibleAmong: 2},
		Actions: []decision.Action{
			{Verb: decision.Adopt, Object: decision.Ref{Name: "orphan"}, Certainty: decision.Certain, Patch: `{"a": 1}`},
			{Verb: decision.Delete, Object: decision.Ref{Name: "doomed"}, Certainty: decision.Certain},
			{Verb: decision.Delete, Object: decision.Ref{Name: "tied-1"}, Certainty: decision.Possible, Choice: tied},
			{Verb: decision.Delete, Object: decision.Ref{Name: "tied-2"}, Certainty: decision.Possible, Choice: tied},
		},
		Status: decision.StatusWrite{Writes: true, Fields: []decision.FieldChange{{Field: "readyReplicas", Next: "4"}}},
	}
}

func sampleSync() observed {
	return observed{
		adopted:  map[string]json.RawMessage{"orphan": json.RawMessage(`{"a":1}`)},
		released: map[string]json.RawMessage{},
		deleted:  map[string]time.Time{"doomed": {}, "tied-1": {}},
		status:   &appsv1.ReplicaSetStatus{ReadyReplicas: 4},
	}
}
