package simulate

import (
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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

// written is the decision of a sync of which some writes are left out: what is expected
// to be seen are the others, also those that were picked of several.
func (s *Sync) written(left map[int]bool) *decision.Decision {
	d, after := *s.Decision, s.Decision.Expectations.After
	if after == nil || len(left)+len(after.PossibleKeys)+len(after.PossibleVersions) == 0 {
		return &d
	}
	e, made := *after, map[string]bool{}
	for i := range s.Writes {
		w := &s.Writes[i]
		out := left[i+1] || w.With > 0 && left[w.With]
		switch {
		case w.Verb == cluster.Create && out:
			e.Adds -= min(e.Adds, int64(max(1, w.Count)))
		case w.Verb == cluster.Delete, w.Kind.GroupKind() == view.Pods.GroupKind():
			made[w.Name] = made[w.Name] || !out
		}
	}
	unmade := func(key string) bool {
		done, known := made[key[strings.LastIndex(key, "/")+1:]]
		return known && !done
	}
	e.DeleteKeys = slices.DeleteFunc(slices.Concat(after.DeleteKeys, after.PossibleKeys), unmade)
	e.PossibleKeys, e.Dels = nil, int64(len(e.DeleteKeys))
	e.Versions = slices.DeleteFunc(slices.Concat(after.Versions, after.PossibleVersions), unmade)
	e.PossibleVersions, e.NewVersions = nil, int64(len(e.Versions))
	d.Expectations.After = &e
	return &d
}

// justBefore finds an object as memories take it that a sync has written: the version
// that they expect next is the one that it has, also where the write changed nothing.
func (r *run) justBefore(k view.Kind, namespace, name string) (metav1.Object, bool) {
	obj, there := r.model.Get(k, namespace, name)
	return before{obj}, there
}

// before is an object under the version before its own.
type before struct{ metav1.Object }

func (b before) GetResourceVersion() string {
	now := b.Object.GetResourceVersion()
	n, err := strconv.ParseUint(now, 10, 64)
	if err != nil || n == 0 {
		return now
	}
	return strconv.FormatUint(n-1, 10)
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
