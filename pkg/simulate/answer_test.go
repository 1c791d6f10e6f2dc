package simulate

import (
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestAdmitted: what refused creations so far is said once, and of Pods that are created.
func TestAdmitted(t *testing.T) {
	quota := "quota pods is used up"
	for name, c := range map[string]struct {
		create int
		why    string
		want   string
	}{
		"the end says something else": {1, "waits for web-1", " if new Pods are admitted; so far: " + quota},
		"the end says it":             {1, "creates nothing: " + quota, " if new Pods are admitted"},
		"no Pod is created":           {0, "creates nothing: " + quota, ""},
	} {
		tl := &decision.Timeline{Notes: []decision.Ruling{decision.Ruled(CreationsAccepted, decision.F(decision.KeyRefused, quota))}}
		tl.Totals.Create = c.create
		tl.End.Why = []decision.Ruling{{Message: c.why}}
		if got := admitted(tl); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
