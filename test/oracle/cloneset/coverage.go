package cloneset

import (
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset"
)

// beyond are rules that speak of objects which no oracle looks at: events, the
// manager's Lease, what could not be read or is left out of a saved file, what
// webhooks forbid, image pull jobs, which need kruise-daemon and are switched off,
// and what ends the oracle.
var beyond = []string{lease.Expired, lease.Ignored, cloneset.HistoryPanics, cloneset.FailedEvent, cloneset.RevisionNotRead, cloneset.CompletionUnknown,
	cloneset.ImagesPreDownloaded, cloneset.ImagesNotPreDownloaded, cloneset.BudgetUnread, cloneset.BudgetForbids, cloneset.BudgetLetsSome}

// only are rules of some versions.
var only = map[string][]string{
	cloneset.BudgetInconsistent:      {"1.6.0", "1.7", "1.8", "1.9"},
	cloneset.DeadlineCheck:           {"1.9"},
	cloneset.OnDeleteIgnored:         {"1.9"},
	cloneset.RollbackPanics:          {"1.7", "1.8"},
	cloneset.ScaleExpectationDropped: {"1.8", "1.9"},
}

// missing lists the rules that the states of a version should have fired and
// did not.
func (r *Result) missing() []string {
	var none []string
	for _, id := range cloneset.Rules.IDs() {
		versions, limited := only[id]
		if r.Rules[id] == 0 && !slices.Contains(beyond, id) && (!limited || slices.Contains(versions, r.Version)) {
			none = append(none, id)
		}
	}
	return none
}
