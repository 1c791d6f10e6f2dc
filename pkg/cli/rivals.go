package cli

import (
	"slices"
	"sort"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// rivals are the objects of a list that create something where a quota is known. Each was
// decided as if it had all that the quota has left.
type rivals struct {
	*view.View
	all []rival
}

// rival is one of them, and which decision of the round is about it.
type rival struct {
	demanding
	decision int
}

// rivalry looks for rivals in a list of several objects. Those of manifests know of each
// other already.
func (s *session) rivalry(v *view.View, aims []aim) *rivals {
	if s.together != nil || len(aims) < 2 {
		return nil
	}
	return &rivals{View: v}
}

// competes reports whether what a decision creates may be what others of the list create.
func (among *rivals) competes(a aim, d *decision.Decision, at int) bool {
	if among == nil || !creates(d) || !limited(among.View, a.Namespace) {
		return false
	}
	of, found := creatorOf(among.View, a)
	if !found {
		return false
	}
	var demands []view.Demand
	for _, one := range of.planned(d) {
		if one.Count > 0 {
			demands = append(demands, one)
		}
	}
	if len(demands) > 0 {
		among.all = append(among.all, rival{demanding{a, demands}, at})
	}
	return len(demands) > 0
}

// creates reports whether a decision, or one that follows it, may create something.
func creates(d *decision.Decision) bool {
	create := func(a decision.Action) bool { return a.Verb == decision.Create }
	some := d.Timeline != nil || slices.ContainsFunc(d.Actions, create)
	for i := range d.Follows {
		some = some || slices.ContainsFunc(d.Follows[i].Actions, create)
	}
	return some
}

// mostRivals is how many others of its namespace a rival is held against, those that create
// most: a quota that has room for all of these seldom lacks it for the rest.
const mostRivals = 100

// falling are the rivals of each namespace, those first that create most.
func (among *rivals) falling() map[string][]demanding {
	in := map[string][]demanding{}
	for i := range among.all {
		one := &among.all[i].demanding
		in[one.Namespace] = append(in[one.Namespace], *one)
	}
	for _, all := range in {
		sort.SliceStable(all, func(i, j int) bool { return all[i].count() > all[j].count() })
	}
	return in
}

func (d *demanding) count() (n int64) {
	for i := range d.demands {
		n += d.demands[i].Count
	}
	return n
}

// compete decides again about each rival, beside what the others of its namespace create.
func (s *session) compete(among *rivals, r *round, keep keep) {
	if among == nil {
		return
	}
	falling := among.falling()
	for _, one := range among.all {
		a := one.aim
		a.demands = beside(among.View, a, falling[a.Namespace], mostRivals)
		if len(a.demands) > 0 {
			d, used, err := s.one(among.View, a)
			r.note(used)
			if err == nil { // as it was alone
				r.decisions[one.decision] = d
			}
		}
		r.decisions[one.decision] = keep(r.decisions[one.decision])
	}
}
