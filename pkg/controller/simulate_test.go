package controller

import (
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestRefusedToday: what keeps a controller from acting refuses nothing by that, and what
// refuses another object's Pods does not refuse those of the target.
func TestRefusedToday(t *testing.T) {
	set, other := decision.Ref{Kind: "Widget", Name: "web"}, decision.Ref{Kind: "Widget", Name: "web-1"}
	denied := decision.Cause{Object: set, Label: "deletion denied by a webhook", Blocked: true, Stops: true, Refuses: true}
	unobserved := decision.Cause{Object: set, Label: "generation 7 not observed", Blocked: true, Stops: true}
	for _, c := range []struct {
		target decision.Ref
		causes []decision.Cause
		want   string
	}{
		{set, []decision.Cause{unobserved, denied}, denied.Label},
		{set, []decision.Cause{unobserved}, ""},
		{other, []decision.Cause{denied}, ""},
		{set, nil, ""},
	} {
		if got := refusedToday(&decision.Decision{Target: c.target, Standing: decision.Standing{BlockedBy: c.causes}}); got != c.want {
			t.Errorf("%v of %s: %q, want %q", c.causes, c.target, got, c.want)
		}
	}
}
