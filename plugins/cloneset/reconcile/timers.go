package reconcile

import (
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
)

// timer is a moment at which the set is looked at again (requeueduration).
type timer struct {
	after time.Duration
	decision.Ruling
}

// Timers are the durations after which the set is looked at again.
type Timers []timer

func (all *Timers) push(t timer) { *all = append(*all, t) }

// Timer pushes a duration; the shortest one counts, and none that is not
// positive.
func (s *Run) Timer(after time.Duration, rule string, facts ...decision.Fact) {
	if after > 0 {
		facts = append(facts, decision.F(rules.KeyAfter, after.String()), decision.F(rules.KeyAt, format.Instant(s.Now.Add(after))))
		s.Timers.push(timer{after, decision.Ruled(rule, facts...)})
	}
}

// First returns the shortest duration and why the set is looked at then, 0 for none.
func (all Timers) First() (after time.Duration, why decision.Ruling) {
	for _, t := range all {
		if after == 0 || t.after < after {
			after, why = t.after, t.Ruling
		}
	}
	return after, why
}

// Ripens returns after how long a ready Pod is available at the earliest, and which one: the
// sync that saw it become ready was to look at the set again by then. 0 for none.
func (s *Run) Ripens() (after time.Duration, pod string) {
	for _, m := range s.Pods {
		left := m.ReadySince.Add(time.Duration(s.Set.Spec.MinReadySeconds) * time.Second).Sub(s.Now)
		if m.Ready && !m.Available && left > 0 && (after == 0 || left < after) {
			after, pod = left, m.Ref.Name
		}
	}
	return after, pod
}
