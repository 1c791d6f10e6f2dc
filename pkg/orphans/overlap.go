package orphans

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/selection"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// mostOverlaps bounds the pairs that would only meet on an object which nothing
// makes: any two selectors without a common key do.
const mostOverlaps = 100

// overlaps finds the pairs of controllers whose selectors can match one object.
func (f *finder) overlaps() {
	for _, k := range f.Kinds {
		if k.Kind != view.Pods.Kind && k.Kind != view.ReplicaSets.Kind {
			continue
		}
		claimants := f.claimantsOf(k)
		made := map[[2]string]bool{}
		f.madeOverlaps(claimants, made)
		f.possibleOverlaps(claimants, made)
	}
}

func pairOf(a, b decision.Ref) [2]string {
	return [2]string{min(a.UID, b.UID), max(a.UID, b.UID)}
}

// madeOverlaps finds controllers that match what another one makes.
func (f *finder) madeOverlaps(claimants *ownership.Claimants, seen map[[2]string]bool) {
	for _, a := range claimants.All() {
		if a.Template == nil || !a.Selector.Matches(a.Template) {
			continue
		}
		for _, b := range claimants.Selecting(a.Ref.Namespace, a.Template) {
			if pair := pairOf(a.Ref, b.Ref); a != b && !seen[pair] {
				seen[pair] = true
				f.overlap(SelectsOthers, a, b, a.Template)
			}
		}
	}
}

// possibleOverlaps finds pairs that labels set by hand would bring together.
func (f *finder) possibleOverlaps(claimants *ownership.Claimants, seen map[[2]string]bool) {
	left := mostOverlaps
	byNamespace := claimants.Namespaces()
	for _, ns := range slices.Sorted(maps.Keys(byNamespace)) {
		all := manual(byNamespace[ns])
		selection.Pairs(selectorsOf(all), func(i, j int, witness labels.Set) bool {
			if seen[pairOf(all[i].Ref, all[j].Ref)] {
				return true
			}
			if left--; left >= 0 {
				f.overlap(CouldMeet, all[i], all[j], witness)
			}
			return left >= 0
		})
	}
	if left < 0 {
		f.rep.caveat("MoreOverlaps", "more pairs of selectors could match one object than are listed")
	}
}

// manual leaves out selectors with a value that was made up for one object.
func manual(all []*ownership.Controller) []*ownership.Controller {
	var out []*ownership.Controller
	for _, c := range all {
		if !c.Generated {
			out = append(out, c)
		}
	}
	return out
}

func selectorsOf(all []*ownership.Controller) []labels.Selector {
	out := make([]labels.Selector, len(all))
	for i, c := range all {
		out[i] = c.Selector
	}
	return out
}

func (f *finder) overlap(rule string, a, b *ownership.Controller, witness labels.Set) {
	f.rep.Overlaps = append(f.rep.Overlaps, Overlap{
		A: a.Ref, B: b.Ref, Witness: witness, Made: rule == SelectsOthers,
		Ruling: decision.Ruled(rule, decision.F("a", a.Ref.String()), decision.F("b", b.Ref.String()), decision.F("witness", witnessText(witness))),
	})
}

func witnessText(set labels.Set) string {
	var terms []string
	for _, key := range slices.Sorted(maps.Keys(set)) {
		terms = append(terms, key+"="+set[key])
	}
	return strings.Join(terms, ",")
}
