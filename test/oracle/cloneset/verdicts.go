package cloneset

import (
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/cloneset/contract"
)

// verdicts holds what is said of each Pod in the rollout (UPDATES) to what was done to
// it. Refused calls leave a verdict undone.
func (out *diff) verdicts(req *contract.Request, d *decision.Decision, is done) {
	if len(req.Faults) > 0 {
		return
	}
	did := updateStates(is)
	for i := range d.Updates {
		u := &d.Updates[i]
		done, acts := did[u.Object.Name], u.State == decision.InPlace || u.State == decision.Recreated || u.State == decision.Preparing
		certain := u.Certainty == decision.Certain && u.Choice == nil
		if done == u.State || done == "" && (!acts || !certain) {
			delete(did, u.Object.Name)
			continue
		}
		out.note("verdict on %s: %s (%s), done %q", u.Object.Name, u.State, u.Certainty, done)
	}
	for pod, state := range did {
		out.note("no verdict on %s, which is done %s", pod, state)
	}
}

// updateStates are what an update did, by the Pod.
func updateStates(is done) map[string]decision.UpdateState {
	did := map[string]decision.UpdateState{}
	for line := range is.deeds {
		switch words := strings.Fields(line); {
		case words[0] == "update-in-place":
			did[words[1]] = decision.InPlace
		case words[0] == "recreate":
			did[words[1]] = decision.Recreated
		case words[0] == "set-state" && words[2] == "PreparingUpdate":
			did[words[1]] = decision.Preparing
		}
	}
	return did
}
