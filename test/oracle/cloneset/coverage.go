package cloneset

import (
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
)

// beyond are rules that speak of objects which no oracle looks at: events, the
// manager's Lease, quotas and LimitRanges, other controllers that adopt, what could not be
// read or is left out of a saved file, what webhooks forbid, image pull jobs, which need
// kruise-daemon and are switched off, and what ends the oracle.
var beyond = []string{lease.Expired, lease.Ignored, rules.HistoryPanics, rules.FailedEvent, rules.RevisionNotRead, rules.RevisionMadeAgain, rules.CompletionUnknown,
	rules.ImagesPreDownloaded, rules.ImagesNotPreDownloaded, rules.BudgetUnread, rules.BudgetForbids, rules.BudgetLetsSome,
	rules.BudgetKeepsMarked, ownership.AdoptContested, rules.CreationInDoubt, rules.CreationNotThere}

// only are rules of some versions.
var only = map[string][]string{
	rules.BudgetInconsistent:      {"1.6.0", "1.7", "1.8", "1.9"},
	rules.DeadlineCheck:           {"1.9"},
	rules.DeadlinePassed:          {"1.9"},
	rules.OnDeleteIgnored:         {"1.9"},
	rules.RollbackPanics:          {"1.7", "1.8"},
	rules.ScaleExpectationDropped: {"1.8", "1.9"},
}

// missing lists the rules that the states of a version should have fired and
// did not.
func (r *Result) missing() []string {
	var none []string
	for _, id := range rules.All.IDs() {
		versions, limited := only[id]
		if r.Rules[id] == 0 && !slices.Contains(beyond, id) && (!limited || slices.Contains(versions, r.Version)) {
			none = append(none, id)
		}
	}
	return none
}
