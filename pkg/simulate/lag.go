package simulate

import (
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// lags reports whether the caches of the controllers are behind.
func (r *run) lags() bool { return r.o.WatchLag > 0 }

// look takes the counts as they are where the controllers see them later.
func (r *run) look() error {
	if !r.lags() {
		return nil
	}
	return r.survey()
}

// withheld reports whether a sync ends before it does what it would do if its
// controller had seen all that it waits for.
func (r *run) withheld(k slot, s *Sync) bool {
	now := r.now[k]
	return r.lags() && now != nil && now.Decision.Gate.Open && !s.Decision.Gate.Open
}

// outdated finds the first of a sync's writes that is refused because its cache is
// behind, and leaves it out with all that come after it.
func (r *run) outdated(s *Sync, left map[int]bool) *cluster.Outdated {
	if !r.lags() {
		return nil
	}
	cut := r.model.Outdated(r.seen, s.Writes, left)
	if cut != nil {
		for n := cut.Number; n <= len(s.Writes); n++ {
			left[n] = true
		}
	}
	return cut
}

// until is the decision of a sync whose writes were made up to a number alone: no more
// than these are expected to be seen.
func (s *Sync) until(number int) *decision.Decision {
	d, after := *s.Decision, s.Decision.Expectations.After
	if after == nil {
		return &d
	}
	e := *after
	for i := number - 1; i < len(s.Writes); i++ {
		switch w := &s.Writes[i]; {
		case w.Verb == cluster.Create:
			e.Adds -= min(e.Adds, int64(max(1, w.Count)))
		case w.Verb == cluster.Delete:
			kept := slices.DeleteFunc(slices.Clone(e.DeleteKeys), func(key string) bool { return key[strings.LastIndex(key, "/")+1:] == w.Name })
			e.Dels -= int64(len(e.DeleteKeys) - len(kept))
			e.DeleteKeys = kept
		case w.Kind.GroupKind() == view.Pods.GroupKind():
			e.Versions = slices.DeleteFunc(slices.Clone(e.Versions), func(name string) bool { return name == w.Name })
		}
	}
	d.Expectations.After = &e
	return &d
}

// stopped puts on record that a sync ends early because its controller's cache is behind.
// Those that end alike, one after the other, are one.
func (r *run) stopped(of decision.Ref, why decision.Ruling) {
	r.tl.Totals.Stopped++
	n := len(r.tl.Rounds)
	if n == 0 || len(r.tl.Rounds[n-1].Actions) > 0 && r.tl.Rounds[n-1].Clock != r.clock() {
		r.tl.Rounds = append(r.tl.Rounds, decision.Round{Clock: r.clock(), Depends: r.depends >= 0, Actions: []decision.Action{}, Counts: r.tl.End.Counts})
		n++
	}
	round := &r.tl.Rounds[n-1]
	for i := range round.Stopped {
		if s := &round.Stopped[i]; s.Object == of && s.Rule == why.Rule {
			s.Syncs++
			return
		}
	}
	round.Stopped = append(round.Stopped, decision.Stop{Object: of, Syncs: 1, Ruling: why})
}
