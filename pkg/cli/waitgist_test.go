package cli

import (
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestWaitGist: a first line is another one where another cause of its state is counted.
func TestWaitGist(t *testing.T) {
	causes := []decision.Cause{{Label: "Terminating"}}
	for state, others := range map[decision.State][]decision.Standing{
		decision.StateStable:      {{BlockedBy: causes}, {WaitingFor: causes}},
		decision.StateBlocked:     {{StillTerminating: causes}, {Restarting: causes}, {WaitingFor: causes}},
		decision.StateProgressing: {{StillTerminating: causes}, {Restarting: causes}, {BlockedBy: causes}},
	} {
		gist := func(s decision.Standing) string {
			s.State = state
			return waitGist(&decision.Decision{Standing: s})
		}
		for _, other := range others {
			if gist(other) != gist(decision.Standing{}) {
				t.Errorf("%s: %+v is no cause of it", state, other)
			}
		}
		if flaps := (decision.Standing{Restarting: causes}); state == decision.StateStable && gist(flaps) == gist(decision.Standing{}) {
			t.Errorf("%s: a Pod that restarts is no news", state)
		}
		if all := (decision.Standing{BlockedBy: causes, WaitingFor: causes, StillTerminating: causes}); gist(all) == gist(decision.Standing{}) {
			t.Errorf("%s: a cause is no news", state)
		}
	}
}
