package controller

import (
	"errors"
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// TestPanicsAreErrors: a panic of a decision names its target, where it was, and
// what to report, and what was read for it is kept.
func TestPanicsAreErrors(t *testing.T) {
	var none []int
	p := Controller{
		Decide: func(*view.Reader, profile.Profile, Target) (*decision.Decision, error) { panic(none[1]) },
		Step:   func(*view.Reader, profile.Profile, Target) (*simulate.Sync, error) { panic(none[1]) },
	}
	target := Target{Kind: view.ReplicaSets, Namespace: "shop", Name: "web"}
	v := view.NewBuilder(clusterdsl.Now).View()
	_, decided := p.Run(v.Reader(), profile.Profile{}, target, nil)
	_, readers, simulated := p.Simulate(v, profile.Profile{}, target, nil, simulate.Options{})
	if len(readers) == 0 {
		t.Error("what the simulation read is lost")
	}
	for _, err := range []error{decided, simulated} {
		u := (*decision.Undecidable)(nil)
		if !errors.As(err, &u) {
			t.Fatalf("%v is no Undecidable", err)
		}
		for _, want := range []string{
			"internal error deciding about replicaset/shop/web: runtime error: index out of range", "in pkg/controller.TestPanicsAreErrors.func", ", line ",
			"please report it with the output of: kubectl ctrl snapshot replicaset/web -n shop",
		} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q lacks %q", err, want)
			}
		}
	}
}
