package reconcile

import (
	"reflect"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/pubcontrol"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// Limit puts a ruling about the sync's arithmetic on record.
func (s *Run) Limit(rule string, facts ...decision.Fact) {
	r := decision.Ruled(rule, facts...)
	if n := len(s.Decision.Limits); n == 0 || !reflect.DeepEqual(s.Decision.Limits[n-1], r) {
		s.Decision.Limits = append(s.Decision.Limits, r)
	}
}

// Reason adds why a rollout goes as it does.
func (s *Run) Reason(rule string, facts ...decision.Fact) {
	s.Decision.Reasons = append(s.Decision.Reasons, decision.Reason{Ruling: decision.Ruled(rule, facts...)})
}

// Found adds what the surroundings say.
func (s *Run) Found(source decision.Ref, r decision.Ruling) {
	s.Decision.Evidence = append(s.Decision.Evidence, decision.Evidence{Source: source, Ruling: r})
}

// Hooked notes that a lifecycle hook holds a Pod.
func (s *Run) Hooked(pod, hook, by string) {
	s.Decision.Hooked = append(s.Decision.Hooked, decision.Hooked{Pod: pod, Hook: hook, By: by})
}

// Refuses notes that a budget refuses what is due.
func (s *Run) Refuses(b *pubcontrol.Budget) {
	s.Decision.Refusals = append(s.Decision.Refusals, b.Refusal())
}

// Share marks the latest action as one of several that chance picks from.
func (s *Run) Share(share *decision.Choice) {
	a := &s.Decision.Actions[len(s.Decision.Actions)-1]
	a.Certainty, a.Choice = decision.Possible, share
}

// SetState moves a pod to another state of its lifecycle, which the API server
// accepts.
func (s *Run) SetState(m *core.PodState, to, rule string, write int, facts ...decision.Fact) {
	if m.State == to {
		return
	}
	why := decision.Ruled(rule, append(facts, decision.At("from", m.State, "metadata.labels["+kruise.StateLabel+"]"), decision.F("to", to))...)
	a := Action(decision.SetState, m.Ref, why)
	a.Into = to
	s.Does(a, write)
	s.Record.Version(m.Name)
}

// Action returns an action on one object, which is certain.
func Action(verb decision.Verb, object decision.Ref, why decision.Ruling) decision.Action {
	return decision.Action{Verb: verb, Object: object, Count: 1, Certainty: decision.Certain, Ruling: why}
}
