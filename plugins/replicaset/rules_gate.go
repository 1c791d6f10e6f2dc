package replicaset

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

var claimRules = decision.Catalogue{
	{
		ID: TerminatingNotCounted, Title: "A Pod that is being deleted does not count", Source: syncReplicaSet,
		Text: "Pods with a deletion timestamp are left out before claims and counts: a replacement is created at once, while the old Pod still holds its place on the node.",
		Keys: []decision.Key{keyDeletionTimestamp},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("being deleted (until %s), not counted", fs.Str(keyDeletionTimestamp))
		},
	},
	{
		ID: FinishedNotCounted, Title: "A finished Pod does not count", Source: syncReplicaSet,
		Text: "Pods in phase Succeeded or Failed are left out before claims and counts. They are neither adopted nor released, and a replacement is created.",
		Keys: []decision.Key{keyPhase},
		Line: func(fs decision.Facts) string { return fmt.Sprintf("phase %s, not counted", fs.Str(keyPhase)) },
	},
}

var gateRules = decision.Catalogue{
	{
		ID: InvalidSelector, Title: "A selector that does not parse ends the sync", Source: syncReplicaSet,
		Text: "The controller logs the error and does nothing else: no claim, no Pod, no status, and no retry until the next event.",
		Keys: []decision.Key{keyError},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("the selector is invalid: %s; the controller does nothing", fs.Str(keyError))
		},
	},
	{
		ID: SetDeleting, Title: "A set that is being deleted creates and deletes no Pods", Source: syncReplicaSet,
		Text: "Claims of its own Pods and the status update still happen. The Pods are left to the garbage collector.",
		Keys: []decision.Key{keyDeletionTimestamp},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("being deleted since %s: creates and deletes nothing", fs.Str(keyDeletionTimestamp))
		},
	},
	{
		ID: ClaimRefused, Title: "A refused adoption or release ends the sync", Source: syncReplicaSet,
		Text: "All other claims of the sync are still made; then it ends with the error, without creating, deleting or writing status, and is retried with backoff.",
		Keys: []decision.Key{keyError},
		Line: func(fs decision.Facts) string { return "a claim was refused: " + fs.Str(keyError) },
	},
	{
		ID: GateOpen, Title: "No expectations: the sync may create and delete", Source: satisfied,
		Text: "A controller that was just started, or that never acted on this object, has no record of outstanding writes. What the real one remembers can't be read from outside. Since 1.36 a ReplicaSet's sync also waits until the cache holds the controller's own last writes (gate StaleControllerConsistencyReplicaSet), usually for milliseconds.",
		Line: func(decision.Facts) string { return "open: a simulated controller starts without expectations" },
	},
	{
		ID: GateFulfilled, Title: "Expectations are fulfilled: the sync may create and delete", Source: satisfied,
		Text: "Every creation and deletion of the last action was observed.",
		Line: func(decision.Facts) string { return "open: all expected creations and deletions were observed" },
	},
	{
		ID: GateClosed, Title: "Expectations are outstanding: nothing is created or deleted", Source: satisfied,
		Text: "The controller has not yet seen all Pods that it created or deleted before. It still claims Pods and writes status, and waits until the rest is seen or five minutes have passed since the record was made.",
		Keys: []decision.Key{keyAdds, keyDels, keyExpires},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("closed: waits to see %s and %s, at most until %s", format.Plural(fs.Int(keyAdds), "creation"), format.Plural(fs.Int(keyDels), "deletion"), fs.Str(keyExpires))
		},
	},
	{
		ID: GateExpired, Title: "Expectations have expired: the sync may create and delete", Source: satisfied,
		Text: "More than five minutes have passed since the record was made. The controller continues as if it were fulfilled. If it deletes Pods again, the new keys replace those that were never observed, and it logs \"Clobbering existing delete keys\" (UIDTrackingControllerExpectations.ExpectDeletions): a later deletion of a replaced key lowers nothing.",
		Keys: []decision.Key{keyAge},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("open: expectations are %s old, older than 5m", fs.Brief(keyAge))
		},
	},
	{
		ID: ReadsOwnWrites, Title: "The next sync waits until the caches hold this one's writes", Versions: "1.36 and later, gate StaleControllerConsistencyReplicaSet; ReplicaSets",
		Source: "pkg/controller/util/consistency/consistency.go RealConsistencyStore.EnsureReady (v1.37.1)",
		Text:   "The controller notes the newest resource version that it wrote: of Pods by creating and adopting, not by deleting; of ReplicaSets by its status, or the version that it read if it had nothing to write. A sync that finds a cache older than that ends at once and is retried with backoff, usually for milliseconds. This is beside expectations and holds back claims and status as well.",
		Keys:   []decision.Key{keyResource, keyWrite},
		Line: func(fs decision.Facts) string {
			if v := fs.Str(keyVersion); v != "" {
				return fmt.Sprintf("the cache of %s must be as new as version %s, which it has", fs.Str(keyResource), v)
			}
			return fmt.Sprintf("the cache of %s must be as new as %s", fs.Str(keyResource), fs.Str(keyWrite))
		},
	},
	{
		ID: WritesNotRead, Title: "A sync ends while a cache does not hold the controller's own last writes", Versions: "1.36 and later, gate StaleControllerConsistencyReplicaSet; ReplicaSets",
		Source: syncReplicaSet,
		Text:   "This comes before everything else: nothing is claimed, created, deleted or written. The sync counts as failed and is retried with backoff, until the watch has caught up. No timeout ends that.",
		Keys:   []decision.Key{keyResources},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("closed: waits to read back what it wrote last of %s", fs.Str(keyResources))
		},
	},
}
