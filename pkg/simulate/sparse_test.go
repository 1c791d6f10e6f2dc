package simulate_test

import (
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// TestSparseSyncs: what a controller does not say of its syncs is nothing.
func TestSparseSyncs(t *testing.T) {
	v, err := clusterdsl.Parse("rs web replicas=2\n")
	if err != nil {
		t.Fatal(err)
	}
	target := view.Target{Kind: view.ReplicaSets, Namespace: clusterdsl.Namespace, Name: "web"}
	for _, gate := range []decision.Gate{{Open: true}, {Ruling: decision.Ruled("Shut")}} {
		step := func(*view.Reader, view.Target) (*simulate.Sync, error) {
			return &simulate.Sync{Decision: &decision.Decision{Gate: gate}, Wanted: 2}, nil
		}
		res, err := simulate.Run(v, target, []simulate.Actor{{Kind: view.ReplicaSets, Step: step}}, simulate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if end := res.Timeline.End; end.Outcome == decision.Stable || end.Counts.Pods != 0 {
			t.Errorf("with %+v, the rounds end %s with %+v", gate, end.Outcome, end.Counts)
		}
	}
}
