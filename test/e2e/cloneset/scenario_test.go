package cloneset

import (
	"slices"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// scenario is one prediction that the manager is held to.
type scenario struct {
	name string
	// set edits the CloneSet that is made first; setup goes on from there.
	set   []func(spec object)
	setup func(*world)
	// change happens while no manager runs; then the tool is asked, and the
	// manager started with these feature gates.
	change func(*world)
	gates  string
	// Without change, the tool is asked "what if" with args, while the manager
	// runs, and then does it.
	args []string
	then func(*world)
	// shows lists rules without which the plan would miss the point.
	shows []string
}

func runScenarios(t *testing.T, scenarios []scenario) {
	for _, s := range scenarios {
		t.Run(s.name, func(t *testing.T) { s.run(newWorld(t)) })
	}
}

func (s scenario) run(w *world) {
	w.plain()
	w.settled(s.set...)
	if s.setup != nil {
		s.setup(w)
	}
	if s.change != nil {
		w.predictHeld(s)
	} else {
		w.predict(s.args, s.then, s.shows...)
	}
}

// predict asks what would happen, makes it so, and compares.
func (w *world) predict(args []string, then func(*world), shows ...string) *decision.Decision {
	w.Helper()
	plan, err := w.ask(w.Context(), args...)
	w.check(err)
	pods, mark := w.pods(), w.mark()
	then(w)
	w.judge(plan, pods, mark, shows)
	return plan
}

// predictHeld changes things behind the manager's back, and asks.
func (w *world) predictHeld(s scenario) {
	w.Helper()
	w.hold()
	s.change(w)
	args := s.args
	if s.gates != "" {
		args = append(slices.Clone(args), "--kruise-feature-gates", s.gates)
	}
	plan, err := w.ask(w.Context(), args...)
	w.check(err)
	pods, mark := w.pods(), w.mark()
	w.release(s.gates)
	w.judge(plan, pods, mark, s.shows)
}

func (w *world) checkShows(plan *decision.Decision, shows []string) {
	w.Helper()
	var rules []string
	plan.EachRuling(func(r *decision.Ruling) { rules = append(rules, r.Rule) })
	for _, rule := range shows {
		if !slices.Contains(rules, rule) {
			w.Errorf("the plan does not show %s, but %v", rule, rules)
		}
	}
}
