package answer

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
)

// statePhrases say to which state pods are moved, and of those that stay in
// theirs which mark they get or lose.
func statePhrases(d *decision.Decision) []phrase {
	var out []phrase
	at := map[deed]int{}
	counted := map[decision.Pool]bool{}
	choices := chosenStates(d)
	for i := range d.Actions {
		a := &d.Actions[i]
		if a.Verb != decision.SetState {
			continue
		}
		n := a.Count
		if pool, shared := a.Pool(); shared {
			if n = choices[pool]; counted[pool] {
				n = 0
			}
			counted[pool] = true
		}
		of := stateDeed(a)
		if _, seen := at[of]; !seen {
			at[of] = len(out)
			out = append(out, phrase{
				verb: decision.SetState, kind: view.Pods.Kind, deed: of.verb, how: of.how, atMost: unlessFewer(d, decision.SetState),
				only: func(b *decision.Action) bool { return stateDeed(b) == of },
			})
		}
		out[at[of]].n += n
	}
	return out
}

// chosenStates is how many pods each choice moves whose pods get nothing else.
func chosenStates(d *decision.Decision) map[decision.Pool]int {
	out := map[decision.Pool]int{}
	for _, c := range d.Choices() {
		if len(c.Verbs) == 1 && c.Verbs[0] == decision.SetState {
			out[c.Pool] = c.K
		}
	}
	return out
}

// toState comes before the lifecycle state that a Pod enters.
const toState = " to lifecycle state "

// stateDeed is what a write of a pod's lifecycle comes to.
func stateDeed(a *decision.Action) deed {
	switch a.Rule {
	case rules.TemplateHashAdded:
		return deed{"add label pod-template-hash to", ""}
	case rules.GraceDropped:
		return deed{"end the grace period of", ""}
	}
	return deed{"move", toState + a.Into}
}
