package replicaset

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

var statusRules = decision.Catalogue{
	{
		ID: StatusNotReached, Title: "The sync ends before status", Source: syncReplicaSet,
		Text: "A sync that ends early writes no status.",
		Line: func(decision.Facts) string { return "not reached" },
	},
	{
		ID: StatusUnchanged, Title: "Status is not written when nothing changed", Source: statusUtils,
		Text: "All counts, the conditions and observedGeneration are unchanged.",
		Line: func(decision.Facts) string { return "unchanged, not written" },
	},
	{
		ID: StatusWritten, Title: "Status counts the Pods as claimed", Source: statusUtils,
		Text: "Counts are of the Pods claimed at the start of the sync, before what it creates and deletes. From 1.34 on a Pod is available once minReadySeconds have passed; before, only after.",
		Line: func(decision.Facts) string { return "written" },
	},
	{
		ID: StatusRefused, Title: "A refused status update is tried once more", Source: statusUtils,
		Text: "The set is read again and the same status sent a second time. If that is refused too, the sync fails with that error, even if it met another one before.",
		Keys: []decision.Key{keyError, keyTries},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("refused (tries: %d): %s", fs.Int(keyTries), fs.Str(keyError))
		},
	},
	{
		ID: FailureSet, Title: "A failed sync sets ReplicaFailure", Source: statusUtils,
		Text: "A creation or deletion failed and the condition is not there yet: it is added with the error's message.",
		Keys: []decision.Key{keyMessage, keyReason},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("sets ReplicaFailure (%s): %s", fs.Str(keyReason), fs.Str(keyMessage))
		},
	},
	{
		ID: FailureKept, Title: "An older ReplicaFailure is left as it is", Source: statusUtils,
		Text: "The sync failed and the condition is already there. Reason, message and time stay those of the first failure, even if the cause is another one by now.",
		Keys: []decision.Key{keyReason, keySince},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("keeps ReplicaFailure (%s) of %s as it is", fs.Str(keyReason), fs.Str(keySince))
		},
	},
	{
		ID: FailureCleared, Title: "A sync without error removes ReplicaFailure", Source: statusUtils,
		Text: "That holds for every sync that reaches status without an error, also for one that expectations kept from trying again.",
		Keys: []decision.Key{keyReason},
		Line: func(fs decision.Facts) string { return fmt.Sprintf("removes ReplicaFailure (%s)", fs.Str(keyReason)) },
	},
}

var nextRules = decision.Catalogue{
	{
		ID: NextOnEvent, Title: "The next sync comes with the next event", Source: syncReplicaSet,
		Text: "No timer is set. A change of the set or of one of its Pods, or the periodic resync (12 to 24 hours), brings it back.",
		Line: func(decision.Facts) string { return "on the next Pod or set event; no timer" },
	},
	{
		ID: AvailabilityCheck, Title: "The next sync is timed for minReadySeconds", Source: syncReplicaSet,
		Text: "Some ready Pods are not available yet. From 1.34 on the set is looked at again when the first of them becomes available. Up to 1.33 it is looked at again after minReadySeconds, and only when all wanted Pods are ready.",
		Keys: []decision.Key{keyAfter, keyAt, keyMinReadySeconds},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("in %s (%s): spec.minReadySeconds %d", fs.Brief(keyAfter), fs.Str(keyAt), fs.Int(keyMinReadySeconds))
		},
	},
	{
		ID: RetryWithBackoff, Title: "A failed sync is retried with backoff", Source: "pkg/controller/replicaset/replica_set.go processNextWorkItem (v1.37.1)",
		Text: "The delay starts at 5ms and doubles with each failure in a row, up to 1000s; how many there were is in the controller's memory. Events bring the set back earlier.",
		Line: func(decision.Facts) string {
			return "after a backoff (5ms, doubled with each failure in a row, 1000s at most), or on the next event"
		},
	},
}
