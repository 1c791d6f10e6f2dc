package reconcile

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/pubcontrol"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// Limit puts a ruling about the sync's arithmetic on record.
func (s *Run) Limit(rule string, facts ...decision.Fact) {
	s.Decision.Limit(decision.Ruled(rule, facts...))
}

// Reason adds why a rollout goes as it does.
//
//go:noinline // it is called at many places
func (s *Run) Reason(rule string, facts ...decision.Fact) {
	s.Decision.Reason(decision.Ruled(rule, facts...))
}

// Found adds what the surroundings say.
//
//go:noinline // it is called at many places
func (s *Run) Found(source decision.Ref, r decision.Ruling) {
	s.Decision.Find(decision.Evidence{Source: source, Ruling: r})
}

// Deleted are the objects that the sync deletes so far, or starts to delete, for certain.
func (s *Run) Deleted() map[decision.Ref]bool {
	all := map[decision.Ref]bool{}
	for i := range s.Decision.Actions {
		if a := &s.Decision.Actions[i]; a.Deletes() && a.Certainty == decision.Certain {
			all[a.Object] = true
		}
	}
	return all
}

// Hooked notes that a lifecycle hook holds a Pod.
func (s *Run) Hooked(pod, hook, by string) {
	s.Decision.Hook(decision.Hooked{Pod: pod, Hook: hook, By: by})
}

// Refuses notes that a budget refuses what is due, an update of a Pod or its deletion.
func (s *Run) Refuses(b *pubcontrol.Budget, deletion bool) {
	s.Decision.Refuse(b.Refusal(deletion))
}

// Share marks the latest action as one of several that chance picks from.
//
//go:noinline // it is called at many places
func (s *Run) Share(share *decision.Choice) {
	s.Decision.Latest().Share(share)
}

// SetState moves a pod to another state of its lifecycle, which the API server
// accepts.
func (s *Run) SetState(m *core.PodState, to, rule string, write int, facts ...decision.Fact) {
	if m.State == to {
		return
	}
	why := decision.Ruled(rule, append(facts, decision.At(rules.KeyFrom, m.State, "metadata.labels["+kruise.StateLabel+"]"), decision.F(rules.KeyTo, to))...)
	a := Action(decision.SetState, m.Ref, why)
	a.Into = to
	s.Does(a, write)
	s.Record.Version(m.Ref.Name)
}

// Action returns an action on one object, which is certain.
func Action(verb decision.Verb, object decision.Ref, why decision.Ruling) decision.Action {
	return decision.Action{Verb: verb, Object: object, Count: 1, Certainty: decision.Certain, Ruling: why}
}
