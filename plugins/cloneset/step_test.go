package cloneset

import (
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
)

// TestDoesFirst: the update goes on in the same sync where a deletion is refused.
func TestDoesFirst(t *testing.T) {
	for _, c := range []struct {
		of   decision.Summary
		want cluster.Verb
	}{
		{decision.Summary{Create: 1, DeleteCertain: 1, Update: 1}, cluster.Create},
		{decision.Summary{DeletePossible: 1, Update: 1}, cluster.Delete},
		{decision.Summary{Update: 1}, cluster.Update},
	} {
		s := &sync{Run: &reconcile.Run{Decision: &decision.Decision{Summary: c.of}}}
		for _, verb := range []cluster.Verb{cluster.Create, cluster.Delete, cluster.Update} {
			if got := s.doesFirst(verb); got != (verb == c.want) {
				t.Errorf("%+v: %s first: %v", c.of, verb, got)
			}
		}
	}
}
