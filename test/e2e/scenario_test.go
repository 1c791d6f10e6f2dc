package e2e

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// scenario is one prediction that the controller is held to.
type scenario struct {
	name string
	hold hold
	// setup runs while the controllers act, change while they are held. What a
	// plan asks with a flag ("what if"), then does after it.
	setup, change, then func(*world)
	// args go to plan: rs/web when empty. The setup may choose others.
	args []string
	// plugin asks through kubectl.
	plugin bool
	// shows lists rules without which the plan would miss the point.
	shows []string
	// differs is for what the plan cannot, or does not yet, foresee: how the
	// differences that must be found begin, each on a line of its own. The
	// report says because of what.
	differs []string
	because string
	// after looks at what the plan and the comparison leave out.
	after func(*world, *decision.Decision, observed)
}

func runScenarios(t *testing.T, scenarios []scenario) {
	for _, s := range scenarios {
		t.Run(s.name, s.run)
	}
}

func (s scenario) run(t *testing.T) {
	w := newWorld(t, t.Name())
	if s.setup != nil {
		w.check(env.kcm.release(t.Context()))
		s.setup(w)
	}
	w.check(env.kcm.hold(t.Context(), s.hold))
	if s.change != nil {
		s.change(w)
	}
	plan := s.plan(w)
	s.checkShows(w, plan)
	did := s.act(w, plan)
	s.judge(w, plan, did)
}

// plan asks the tool. A ranking that growing older would change before the
// controller gets to act is asked for again.
func (s scenario) plan(w *world) *decision.Decision {
	w.Helper()
	args := slices.Concat([]string{"plan", "-o", "json"}, s.args, w.args)
	if len(s.args)+len(w.args) == 0 {
		args = append(args, "rs/"+web)
	}
	for {
		plan, err := parsePlan(w.run(s.plugin, args...))
		w.check(err)
		if !outlived(s.hold, plan.Ranking) {
			return plan
		}
	}
}

// outlived reports whether a ranking changes before a held controller manager acts, and
// waits until it has.
func outlived(h hold, r *decision.Ranking) bool {
	if r == nil || r.HoldsUntil == nil || time.Until(*r.HoldsUntil) > h.margin() {
		return false
	}
	time.Sleep(time.Until(*r.HoldsUntil))
	return true
}

// margin is how long a held controller manager takes to act at most.
func (h hold) margin() time.Duration {
	if h == stopped {
		return 3 * time.Second
	}
	return 10 * time.Second
}

func (s scenario) checkShows(w *world, plan *decision.Decision) {
	w.Helper()
	var rules []string
	plan.EachRuling(func(r *decision.Ruling) { rules = append(rules, r.Rule) })
	for _, rule := range s.shows {
		if !slices.Contains(rules, rule) {
			w.Errorf("the plan does not show %s, but %v", rule, rules)
		}
	}
}

// act lets the controllers go on and observes the first sync.
func (s scenario) act(w *world, plan *decision.Decision) observed {
	w.Helper()
	mark := w.mark()
	if s.then != nil {
		s.then(w)
	}
	target := plan.Target
	if s.then != nil {
		target.UID = w.uidOf(target.Name) // it may be a new one
	}
	w.letGo(mark)
	return w.observe(mark, target, plan.Status.Writes)
}

func (s scenario) judge(w *world, plan *decision.Decision, did observed) {
	w.Helper()
	err := compare(plan, did)
	env.report.add(w.Name(), plan, did, err, s.because)
	if !s.expects(err) {
		w.Errorf("the controller did not keep to the plan; want the differences %q, got:\n%v%s", s.differs, err, late(plan, did))
	}
	if s.after != nil {
		s.after(w, plan, did)
	}
}

// expects reports whether exactly the expected differences were found.
func (s scenario) expects(err error) bool {
	if err == nil {
		return len(s.differs) == 0
	}
	lines := strings.Split(err.Error(), "\n")
	return slices.EqualFunc(lines, s.differs, strings.HasPrefix)
}

// late says when the sync cannot be held to the plan: when it chose pods at a
// time when their ages compare otherwise. No later than its first deletion.
func late(plan *decision.Decision, did observed) string {
	if plan.Ranking == nil || plan.Ranking.HoldsUntil == nil || len(did.deleted) == 0 {
		return ""
	}
	first := slices.MinFunc(slices.Collect(maps.Values(did.deleted)), time.Time.Compare)
	if first.Before(*plan.Ranking.HoldsUntil) {
		return ""
	}
	return fmt.Sprintf("\n(the machine is too slow for this: it acted at %v, but the plan held until %v)", first, plan.Ranking.HoldsUntil)
}
