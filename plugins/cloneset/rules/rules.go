package rules

import (
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
)

// Where the rules come from, in OpenKruise v1.9.1.
const (
	doReconcile  = "pkg/controller/cloneset/cloneset_controller.go doReconcile (Kruise v1.9.1)"
	scaleFunc    = "pkg/controller/cloneset/sync/cloneset_scale.go Scale (Kruise v1.9.1)"
	createFunc   = "pkg/controller/cloneset/sync/cloneset_scale.go createPods (Kruise v1.9.1)"
	deleteFunc   = "pkg/controller/cloneset/sync/cloneset_scale.go deletePods (Kruise v1.9.1)"
	diffsFunc    = "pkg/controller/cloneset/sync/cloneset_sync_utils.go calculateDiffsWithExpectation (Kruise v1.9.1)"
	updateFunc   = "pkg/controller/cloneset/sync/cloneset_update.go Update (Kruise v1.9.1)"
	refreshFunc  = "pkg/controller/cloneset/sync/cloneset_update.go refreshPodState (Kruise v1.9.1)"
	updatePod    = "pkg/controller/cloneset/sync/cloneset_update.go updatePod (Kruise v1.9.1)"
	limitFunc    = "pkg/controller/cloneset/sync/cloneset_update.go limitUpdateIndexes (Kruise v1.9.1)"
	lessFunc     = "pkg/controller/cloneset/utils/pod_sorter.go ActivePodsWithRanks.Less (Kruise v1.9.1)"
	statusFunc   = "pkg/controller/cloneset/cloneset_status.go UpdateCloneSetStatus (Kruise v1.9.1)"
	revisionFunc = "pkg/controller/cloneset/cloneset_controller.go getActiveRevisions (Kruise v1.9.1)"
	inPlaceFunc  = "pkg/util/inplaceupdate/inplace_update_defaults.go defaultCalculateInPlaceUpdateSpec (Kruise v1.9.1)"
	refreshInto  = "pkg/util/inplaceupdate/inplace_update.go Refresh (Kruise v1.9.1)"
	expectFunc   = "pkg/util/expectations/scale_expectations.go (Kruise v1.9.1)"
	versionFunc  = "pkg/util/expectations/resource_version_expectation.go (Kruise v1.9.1)"
)

// All is the catalogue of everything the plugin says, in the order in which
// a sync comes to it.
var All = slices.Concat(gateRules, shared(), ownership.ContestRules, ownership.RefManagerRules, claimRules, revisionRules, preDownloadRules, numberRules,
	scaleUpRules, deleteRules, rankRules, refreshRules, updateRules, orderRules, budgetRules, reasonRules, podUpdateRules, statusRules, nextRules, evidenceRules)

// shared are the rules of claiming that a CloneSet comes to: it looks only at
// pods that refer to it.
func shared() decision.Catalogue {
	var out decision.Catalogue
	for _, id := range []string{
		ownership.OwnedMatching, ownership.AdoptOrphan, ownership.ReleaseMismatch,
		ownership.OtherController, ownership.DeletingAdoptsNothing, ownership.DeletingKeeps,
	} {
		r, _ := ownership.Rules.Find(id) // a name of this table
		out = append(out, r)
	}
	return out
}

// says is a sentence without facts.
//
//go:noinline
func says(text string) func(decision.Facts) string {
	return func(decision.Facts) string { return text }
}
