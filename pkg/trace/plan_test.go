package trace

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestEitherWayIsOneAct: of a Pod that is recreated or updated in place, one is still to
// come, and not both.
func TestEitherWayIsOneAct(t *testing.T) {
	choice := &decision.Choice{Of: "update", K: 1, N: 2}
	var d decision.Decision
	for _, name := range []string{"a", "b"} {
		for _, v := range []decision.Verb{decision.Recreate, decision.UpdateInPlace} {
			d.Do(decision.Action{Verb: v, Object: decision.Ref{Kind: "Pod", Name: name}, Count: 1, Certainty: decision.Possible, Choice: choice})
		}
	}
	p := newPlan(&d, map[schema.GroupKind]bool{{Kind: "Pod"}: true})
	seen := &act{verb: decision.UpdateInPlace, object: decision.Ref{Kind: "Pod", Name: "b"}}
	if _, found := p.take(seen); !found || p.open() {
		t.Errorf("found %v, still open %v", found, p.open())
	}
}
