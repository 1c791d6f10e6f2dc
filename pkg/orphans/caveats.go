package orphans

import (
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// readCaveats name what could not be read. Of the kinds that files hold none
// of, those that few clusters serve are not told.
func (rep *Report) readCaveats(r *view.Reader, q Query) []decision.Caveat {
	known := concerned(r)
	concerns := func(k view.Kind) bool { return known[k.GroupResource()] }
	return lineage.NotRead(r, lineage.Telling{
		Installed: q.Installed, Concerns: concerns, Lacks: ": what they own, adopt or release is not known", IfMissing: rep.without,
		Complete: "; " + complete(r, q),
		Partial:  func(read view.Read) bool { return read.Partial() && !rep.readInstead(read) },
	})
}

// complete says what a bundle covers, and how to save all that the question is about.
func complete(r *view.Reader, q Query) string {
	kinds := slices.Clone(q.Kinds)
	for _, claimed := range q.Kinds {
		kinds = append(kinds, ownership.ClaimerKinds(r, claimed)...)
	}
	return lineage.Complete(r, q.Namespace, kinds)
}

// readInstead reports whether what a read could not tell of all namespaces was
// read in each. While some kinds may be read in all namespaces, the others are
// not read in each.
func (rep *Report) readInstead(read view.Read) bool {
	return read.IfMissing == eachInstead && len(rep.Namespaces) > 0
}

// without is what the answer lacks. What a controller's decision requires, this
// answer does not.
func (rep *Report) without(read view.Read) string {
	if read.Required() {
		return "what its controller does next is not known"
	}
	if read.IfMissing == eachInstead && !rep.readInstead(read) {
		return notShown
	}
	return read.IfMissing
}

// concerned are the kinds that own, adopt or release.
func concerned(r *view.Reader) map[string]bool {
	all := map[string]bool{}
	for _, claimed := range Kinds {
		all[claimed.GroupResource()] = true
		for _, k := range ownership.ClaimerKinds(r, claimed) {
			all[k.GroupResource()] = true
		}
	}
	return all
}
