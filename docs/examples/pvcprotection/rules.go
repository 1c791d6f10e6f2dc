package pvcprotection

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"

// The rules' IDs.
const (
	FinalizerRemoved = "FinalizerRemoved"
	UsedByPod        = "UsedByPod"
	NotDeleted       = "NotDeleted"
	NotProtected     = "NotProtected"
	NoExpectations   = "NoExpectations"
)

const source = "pkg/controller/volume/pvcprotection/pvc_protection_controller.go "

// Rules is the catalogue, in upstream's order.
var Rules = decision.Catalogue{
	{ID: NotDeleted, Title: "the claim is not being deleted", Source: source + "processPVC",
		Text: "Protection matters once somebody deletes the claim.",
		Line: func(decision.Facts) string { return "on the deletion of the claim" }},
	{ID: UsedByPod, Title: "a pod uses the claim", Source: source + "podUsesPVCForDeletion",
		Text: "A pod on a node that has the claim among its volumes keeps it, whatever its phase.",
		Line: func(f decision.Facts) string { return "when pod " + f.Str("pod") + " on " + f.Str("node") + " is gone" }},
	{ID: FinalizerRemoved, Title: "nothing uses the claim", Source: source + "removeFinalizer",
		Text: "The finalizer is taken away, and the API server deletes the claim.",
		Line: func(f decision.Facts) string { return "no pod uses it: " + f.Str("finalizer") + " is taken away" }},
	{ID: NotProtected, Title: "the claim is not protected", Source: source + "processPVC",
		Text: "Without the finalizer there is nothing to do.",
		Line: func(decision.Facts) string { return "never: the claim is not protected" }},
	{ID: NoExpectations, Title: "the controller remembers nothing", Source: source + "processPVC",
		Text: "Each sync looks at the pods afresh.",
		Line: func(decision.Facts) string { return "open: this controller keeps no expectations" }},
}

// Answer is the first line.
func Answer(d *decision.Decision) string {
	if d.Pending {
		return d.Target.String() + " is released for deletion: no Pod uses it."
	}
	return d.Target.String() + " stays as it is; next looked at " + d.NextSync.Message + "."
}
