package orphans

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// contest is what the controllers that match an object make of it.
type contest struct {
	// candidates are the first of them, as ownership.Rivals picks them.
	candidates         []Candidate
	adopting, refusing int
	// patch is that of the last candidate that adopts.
	patch string
}

// contest asks the controllers whose selectors match an object without a
// controller, but not the one whose UID is except.
func (f *finder) contest(k view.Kind, obj metav1.Object, except types.UID, ended func(metav1.Object) bool) *contest {
	rivals := f.claimantsOf(k).Rivals(obj, except, ended)
	c := &contest{adopting: rivals.Adopting, refusing: rivals.Refusing}
	for _, one := range rivals.First {
		v := one.Claim(obj, ended)
		adopts := v.Decision == decision.ToAdopt
		if adopts {
			c.patch = v.Patch
		}
		c.candidates = append(c.candidates, Candidate{Controller: one.Ref, Adopts: adopts, Ruling: v.Ruling, Claiming: one.Manner(adopts)})
	}
	return c
}

// abroad puts the controllers of other namespaces, which fail on an orphan that
// none of its own takes, before the others.
func (c *contest) abroad(first []*ownership.Controller, n int) {
	var all []Candidate
	for _, one := range first {
		all = append(all, Candidate{Controller: one.Ref, Ruling: decision.Ruled(ownership.FailsAbroad, decision.At(ownership.KeyNamespace, one.Ref.Namespace, "metadata.namespace"))})
	}
	c.refusing += n
	c.candidates = append(all, c.candidates...)
	c.candidates = c.candidates[:min(len(c.candidates), format.Most)]
}

// more counts the candidates that are not listed, nil where all are.
func (c *contest) more() *MoreCandidates {
	listed := len(adopting(c.candidates))
	more := MoreCandidates{Adopting: c.adopting - listed, Refusing: c.refusing - (len(c.candidates) - listed)}
	if more == (MoreCandidates{}) {
		return nil
	}
	return &more
}

// adopt is the finding of an object that one or several adopt.
func (c *contest) adopt(found *Finding) {
	adopters := adopting(c.candidates)
	if c.adopting == 1 {
		found.Group, found.Patch = Adopted, c.patch
		found.Ruling = decision.Ruled(adopters[0].Rule, slices.Concat(adopters[0].Facts, []decision.Fact{decision.F(keyController, adopters[0].Controller.String())})...)
		return
	}
	found.Group = Contested
	found.Ruling = decision.Ruled(FirstSyncWins, decision.F(keyControllers, format.OneOf(controllers(adopters), c.adopting)))
}

// adopting are those of the candidates that adopt; no copy where all do, as of most orphans.
func adopting(candidates []Candidate) []Candidate {
	refuses := func(c Candidate) bool { return !c.Adopts }
	if !slices.ContainsFunc(candidates, refuses) {
		return candidates
	}
	return slices.DeleteFunc(slices.Clone(candidates), refuses)
}

func controllers(candidates []Candidate) []string {
	var names []string
	for _, c := range candidates {
		names = append(names, c.Controller.String())
	}
	return names
}
