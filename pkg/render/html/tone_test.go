package html

import (
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestSecondLineOfRounds: where rounds do nothing, the first line is that of the state, and the
// second says what the controller waits for. Where they do something, the first says all.
func TestSecondLineOfRounds(t *testing.T) {
	d := &decision.Decision{Answer: "statefulset/db waits: db-2 is deleted afterwards.", Pending: true, Timeline: &decision.Timeline{
		Answer: "statefulset/db in shop: blocked.", End: decision.End{Outcome: decision.Blocked},
	}}
	d.State, d.Cause, d.Headline = decision.StateBlocked, "1 Terminating", d.Timeline.Answer
	about := About{Plans: true}
	if got := secondLine(d, firstLine(d, about)); got != d.Answer {
		t.Errorf("second line %q", got)
	}
	d.Timeline.Rounds = []decision.Round{{Number: 1}}
	if got := secondLine(d, firstLine(d, about)); got != "" {
		t.Errorf("of rounds that do something: %q", got)
	}
}
