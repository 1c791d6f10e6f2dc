package trace

import (
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
)

// plan is what one decision predicts, less what was seen to happen.
type plan struct {
	at      time.Time
	actions []decision.Action
	// left is how many of an action are still to come; those that share a
	// choice share what is left of it.
	left []int
	// pool is the index of the first action of the same choice.
	pool []int
}

// newPlan has the actions on objects whose changes are seen as acts: the others can't be
// taken from it.
func newPlan(d *decision.Decision, seen map[schema.GroupKind]bool) *plan {
	p := &plan{at: d.AsOf, actions: d.Actions}
	unseen := func(a decision.Action) bool {
		return !seen[schema.FromAPIVersionAndKind(a.Object.APIVersion, a.Object.Kind).GroupKind()]
	}
	if slices.ContainsFunc(p.actions, unseen) {
		p.actions = slices.DeleteFunc(slices.Clone(p.actions), unseen)
	}
	first, size := map[decision.Pool]int{}, sizes(p.actions)
	for i, a := range p.actions {
		left, pool := max(a.Count, 1), i
		if choice, shared := a.Pool(); shared {
			if at, seen := first[choice]; seen {
				left, pool = 0, at
			} else {
				// The volume claims of pods are more or fewer than those.
				first[choice], left = i, (size[choice]*a.Choice.K+a.Choice.N-1)/a.Choice.N
			}
		}
		p.left, p.pool = append(p.left, left), append(p.pool, pool)
	}
	return p
}

// sizes counts the actions that share a choice, those of one object that exclude each other
// once.
func sizes(actions []decision.Action) map[decision.Pool]int {
	size := map[decision.Pool]int{}
	for i, a := range actions {
		if choice, shared := a.Pool(); shared && (i == 0 || actions[i-1].Object != a.Object) {
			size[choice]++
		}
	}
	return size
}

// take finds the act among the actions that are left.
func (p *plan) take(a *act) (certain, found bool) {
	for i, action := range p.actions {
		if p.left[p.pool[i]] > 0 && a.is(action) {
			p.left[p.pool[i]]--
			return action.Choice == nil && action.Certainty == decision.Certain, true
		}
	}
	return false, false
}

// open reports whether anything is left to be done.
func (p *plan) open() bool { return slices.ContainsFunc(p.left, func(n int) bool { return n > 0 }) }

// wants lists what is left, in short.
func (p *plan) wants() []entry.Action {
	var out []entry.Action
	for i, a := range p.actions {
		if n := p.left[p.pool[i]]; n > 0 {
			short := brief(a)
			if a.Verb == decision.Create {
				short.Count = n
			}
			out = append(out, short)
		}
	}
	return out
}

func brief(a decision.Action) entry.Action {
	return entry.Action{Verb: a.Verb, Object: strings.ToLower(a.Object.Kind) + "/" + a.Object.Name, Count: max(a.Count, 1), Certainty: a.Certainty, Choice: a.Choice, To: a.To, Rule: a.Rule}
}

// wantsLike reports whether any action of the act's verb is left, on its kind.
func (p *plan) wantsLike(a *act) bool {
	for i, x := range p.actions {
		if x.Verb == a.verb && x.Object.Kind == a.object.Kind && p.left[p.pool[i]] > 0 {
			return true
		}
	}
	return false
}
