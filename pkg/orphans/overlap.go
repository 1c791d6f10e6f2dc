package orphans

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/selectorindex"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// mostOverlaps bounds the pairs that would only meet on an object which nothing
// makes: any two selectors without a common key do.
const mostOverlaps = 100

// overlaps finds the controllers whose selectors can match one object, which one of them
// may adopt.
func (f *finder) overlaps() {
	for _, k := range f.Kinds {
		if k.Kind != view.Pods.Kind && k.Kind != view.ReplicaSets.Kind {
			continue
		}
		claimants := f.claimantsOf(k)
		f.madeOverlaps(claimants)
		f.possibleOverlaps(claimants)
	}
}

func pairOf(a, b decision.Ref) [2]string {
	return [2]string{min(a.UID, b.UID), max(a.UID, b.UID)}
}

// madeOverlaps finds controllers that match what another one makes: pair by
// pair, and where there are many, all that match the same.
func (f *finder) madeOverlaps(claimants *ownership.Claimants) {
	pairs, crowds := map[[2]string]bool{}, map[*ownership.Selecting]bool{}
	for _, a := range claimants.All() {
		if !makes(a, a) {
			continue
		}
		met := claimants.Selecting(a.Ref.Namespace, a.Template)
		if met.N > format.Most {
			if !crowds[met] {
				crowds[met] = true
				f.crowd(a, met)
			}
			continue
		}
		for _, b := range met.First {
			if pair := pairOf(a.Ref, b.Ref); a != b && !b.NeverAdopts && !pairs[pair] {
				pairs[pair] = true
				f.overlap(SelectsOthers, a, b, a.Template)
			}
		}
	}
}

// makes reports whether a makes objects that b selects, of those that a itself
// selects.
func makes(a, b *ownership.Controller) bool {
	return a.Template != nil && a.Selector.Matches(a.Template) && b.Selector.Matches(a.Template)
}

// possibleOverlaps finds pairs that labels set by hand would bring together.
func (f *finder) possibleOverlaps(claimants *ownership.Claimants) {
	left, compared := mostOverlaps, true
	byNamespace := claimants.Namespaces()
	for _, ns := range slices.Sorted(maps.Keys(byNamespace)) {
		all := alike(manual(byNamespace[ns]))
		selectors := make([]labels.Selector, len(all))
		for i, same := range all {
			selectors[i] = same[0].Selector
			if witness, ok := selectorindex.Witness(selectors[i], selectors[i]); ok && !makes(same[0], same[0]) {
				left = f.couldMeet(same, same, witness, left)
			}
		}
		done := selectorindex.Pairs(selectors, func(i, j int, witness labels.Set) bool {
			if a, b := all[i][0], all[j][0]; !makes(a, b) && !makes(b, a) {
				left = f.couldMeet(all[i], all[j], witness, left)
			}
			return left >= 0
		})
		compared = compared && done
	}
	switch {
	case left < 0:
		f.rep.caveat("MoreOverlaps", "more pairs of selectors could match one object than are listed")
	case !compared:
		f.rep.caveat("MoreOverlaps", "there are too many selectors to compare each with each other: more pairs could match one object than are listed")
	}
}

// couldMeet tells of every pair of two groups, and of no pair twice, until none
// is left to be told.
func (f *finder) couldMeet(as, bs []*ownership.Controller, witness labels.Set, left int) int {
	for i, a := range as {
		rest := bs
		if as[0] == bs[0] {
			rest = bs[i+1:]
		}
		for _, b := range rest {
			if left--; left < 0 {
				return left
			}
			f.overlap(CouldMeet, a, b, witness)
		}
	}
	return left
}

// alike groups controllers that select and make the same.
func alike(all []*ownership.Controller) [][]*ownership.Controller {
	var groups [][]*ownership.Controller
	place := map[[2]string]int{}
	for _, c := range all {
		key := [2]string{c.Selector.String(), c.Template.String()}
		i, known := place[key]
		if !known {
			i = len(groups)
			place[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], c)
	}
	return groups
}

// manual leaves out selectors with a value that was made up for one object, and
// controllers that adopt nothing.
func manual(all []*ownership.Controller) []*ownership.Controller {
	var out []*ownership.Controller
	for _, c := range all {
		if !c.Generated && !c.NeverAdopts {
			out = append(out, c)
		}
	}
	return out
}

func (f *finder) overlap(rule string, a, b *ownership.Controller, witness labels.Set) {
	f.rep.Overlaps = append(f.rep.Overlaps, Overlap{
		A: a.Ref, B: b.Ref, Witness: witness, Made: rule == SelectsOthers,
		Ruling: decision.Ruled(rule, decision.F(keyA, a.Ref.String()), decision.F(keyB, b.Ref.String()), decision.F(keyWitness, witnessText(witness))),
	})
}

// crowd tells of many controllers that select what one of them makes.
func (f *finder) crowd(maker *ownership.Controller, met *ownership.Selecting) {
	others := slices.DeleteFunc(slices.Clone(met.First), func(c *ownership.Controller) bool { return c == maker })
	o := Overlap{A: maker.Ref, B: others[0].Ref, Witness: maker.Template, Made: true}
	var names []string
	for _, c := range met.First[:format.Most] {
		o.Controllers = append(o.Controllers, c.Ref)
		names = append(names, c.Ref.String())
	}
	o.MoreControllers = met.N - len(o.Controllers)
	o.Ruling = decision.Ruled(ManySelect, decision.F(decision.KeyN, met.N), decision.F(keyMaker, maker.Ref.String()),
		decision.F(keyControllers, format.Some(names, met.N)), decision.F(keyWitness, witnessText(maker.Template)))
	f.rep.Overlaps = append(f.rep.Overlaps, o)
}

func witnessText(set labels.Set) string {
	var terms []string
	for _, key := range slices.Sorted(maps.Keys(set)) {
		terms = append(terms, key+"="+set[key])
	}
	return strings.Join(terms, ",")
}
