package replicaset

import (
	"fmt"
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
)

// The rules of this plugin, besides those of claiming (package ownership).
const (
	AdoptContested        = "AdoptContested"
	TerminatingNotCounted = "TerminatingNotCounted"
	FinishedNotCounted    = "FinishedNotCounted"

	InvalidSelector = "InvalidSelector"
	SetDeleting     = "SetDeleting"
	ClaimRefused    = "ClaimRefused"
	GateOpen        = "GateOpen"
	GateFulfilled   = "GateFulfilled"
	GateClosed      = "GateClosed"
	GateExpired     = "GateExpired"
	ReadsOwnWrites  = "ReadsOwnWrites"

	CreateMissing      = "CreateMissing"
	CreateBurst        = "CreateBurst"
	CreateUntilRefused = "CreateUntilRefused"
	CreateAfterRefusal = "CreateAfterRefusal"
	DeleteAll          = "DeleteAll"

	UnassignedFirst       = "UnassignedFirst"
	PendingFirst          = "PendingFirst"
	NotReadyFirst         = "NotReadyFirst"
	LowerCostFirst        = "LowerCostFirst"
	CoLocatedFirst        = "CoLocatedFirst"
	YoungerReadyFirst     = "YoungerReadyFirst"
	ReadyBucketUID        = "ReadyBucketUID"
	RestartedFirst        = "RestartedFirst"
	SidecarRestartedFirst = "SidecarRestartedFirst"
	YoungerFirst          = "YoungerFirst"
	AgeBucketUID          = "AgeBucketUID"
	TiedForDeletion       = "TiedForDeletion"
	CyclicOrder           = "CyclicOrder"

	StatusNotReached = "StatusNotReached"
	StatusUnchanged  = "StatusUnchanged"
	StatusWritten    = "StatusWritten"
	StatusRefused    = "StatusRefused"
	FailureSet       = "FailureSet"
	FailureKept      = "FailureKept"
	FailureCleared   = "FailureCleared"

	NextOnEvent       = "NextOnEvent"
	AvailabilityCheck = "AvailabilityCheck"
	RetryWithBackoff  = "RetryWithBackoff"

	LeaseExpired         = "LeaseExpired"
	NamespaceTerminating = "NamespaceTerminating"
	QuotaShortfall       = "QuotaShortfall"
	FailedCreateEvent    = "FailedCreateEvent"
	ReplicaFailure       = "ReplicaFailure"
	SpecNotObserved      = "SpecNotObserved"
)

const (
	syncReplicaSet = "pkg/controller/replicaset/replica_set.go syncReplicaSet (v1.37.1)"
	manageReplicas = "pkg/controller/replicaset/replica_set.go manageReplicas (v1.37.1)"
	lessThan       = "pkg/controller/controller_utils.go ActivePodsWithRanks.Less (v1.37.1)"
	statusUtils    = "pkg/controller/replicaset/replica_set_utils.go calculateStatus, updateReplicaSetStatus (v1.37.1)"
	satisfied      = "pkg/controller/controller_utils.go ControllerExpectations.SatisfiedExpectations (v1.37.1)"
)

// Rules is the catalogue of everything the plugin says, in the order in which
// a sync comes to it.
var Rules = slices.Concat(ownership.Rules, claimRules, gateRules, manageRules, rankRules, statusRules, nextRules, evidenceRules)

var claimRules = decision.Catalogue{
	{
		ID: AdoptContested, Title: "Several controllers would adopt the same orphan",
		Source: "pkg/controller/controller_ref_manager.go BaseControllerRefManager.ClaimObject (v1.37.1)",
		Text:   "The orphan matches the selectors of several controllers. Whichever syncs first becomes its controller; the others then ignore it. Which one that is cannot be known from outside.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("no controller, labels match; %s may adopt it first", fs.Str("rivals"))
		},
	},
	{
		ID: TerminatingNotCounted, Title: "A pod that is being deleted does not count", Source: syncReplicaSet,
		Text: "Pods with a deletion timestamp are left out before claims and counts: a replacement is created at once, while the old pod still holds its place on the node.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("being deleted (until %s), not counted", fs.Str("deletionTimestamp"))
		},
	},
	{
		ID: FinishedNotCounted, Title: "A finished pod does not count", Source: syncReplicaSet,
		Text: "Pods in phase Succeeded or Failed are left out before claims and counts. They are neither adopted nor released, and a replacement is created.",
		Line: func(fs decision.Facts) string { return fmt.Sprintf("phase %s, not counted", fs.Str("phase")) },
	},
}

var gateRules = decision.Catalogue{
	{
		ID: InvalidSelector, Title: "A selector that does not parse ends the sync", Source: syncReplicaSet,
		Text: "The controller logs the error and does nothing else: no claim, no pod, no status, and no retry until the next event.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("the selector is invalid: %s; the controller does nothing", fs.Str("error"))
		},
	},
	{
		ID: SetDeleting, Title: "A set that is being deleted creates and deletes no pods", Source: syncReplicaSet,
		Text: "Claims of its own pods and the status update still happen. The pods are left to the garbage collector.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("being deleted since %s: creates and deletes nothing", fs.Str("deletionTimestamp"))
		},
	},
	{
		ID: ClaimRefused, Title: "A refused adoption or release ends the sync", Source: syncReplicaSet,
		Text: "All other claims of the sync are still made; then it ends with the error, without creating, deleting or writing status, and is retried with backoff.",
		Line: func(fs decision.Facts) string { return "a claim was refused: " + fs.Str("error") },
	},
	{
		ID: GateOpen, Title: "No expectations: the sync may create and delete", Source: satisfied,
		Text: "A controller that was just started, or that never acted on this object, has no record of outstanding writes. What the real one remembers can't be read from outside. Since 1.36 a ReplicaSet's sync also waits until the cache holds the controller's own last writes (gate StaleControllerConsistencyReplicaSet), usually for milliseconds.",
		Line: func(decision.Facts) string { return "open: an embedded run starts without expectations" },
	},
	{
		ID: GateFulfilled, Title: "Expectations are fulfilled: the sync may create and delete", Source: satisfied,
		Text: "Every creation and deletion of the last action was observed.",
		Line: func(decision.Facts) string { return "open: all expected creations and deletions were observed" },
	},
	{
		ID: GateClosed, Title: "Expectations are outstanding: nothing is created or deleted", Source: satisfied,
		Text: "The controller has not yet seen all pods that it created or deleted before. It still claims pods and writes status, and waits until the rest is seen or five minutes have passed since the record was made.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("closed: waits to see %s and %s, at most until %s", plural(fs.Int("adds"), "creation"), plural(fs.Int("dels"), "deletion"), fs.Str("expires"))
		},
	},
	{
		ID: GateExpired, Title: "Expectations have expired: the sync may create and delete", Source: satisfied,
		Text: "More than five minutes have passed since the record was made. The controller goes on as if it were fulfilled.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("open: expectations are %s old, older than 5m", fs.Brief("age"))
		},
	},
	{
		ID: ReadsOwnWrites, Title: "The next sync waits until the caches hold this one's writes", Versions: "1.36 and later, gate StaleControllerConsistencyReplicaSet; ReplicaSets",
		Source: "pkg/controller/util/consistency/consistency.go RealConsistencyStore.EnsureReady (v1.37.1)",
		Text:   "The controller notes the newest resource version that it wrote: of pods by creating and adopting, not by deleting; of ReplicaSets by its status, or the version that it read if it had nothing to write. A sync that finds a cache older than that ends at once and is retried with backoff, usually for milliseconds. This is beside expectations and holds back claims and status, too.",
		Line: func(fs decision.Facts) string {
			if v := fs.Str("version"); v != "" {
				return fmt.Sprintf("the cache of %s must be as new as version %s, which it has", fs.Str("resource"), v)
			}
			return fmt.Sprintf("the cache of %s must be as new as %s", fs.Str("resource"), fs.Str("write"))
		},
	},
}

var manageRules = decision.Catalogue{
	{
		ID: CreateMissing, Title: "Missing pods are created", Source: manageReplicas,
		Text: "There are fewer active pods than spec.replicas. Creation starts slowly: one pod, then two, four and so on, each batch only after the one before succeeded (slowStartBatch).",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%d missing, in batches of %s", fs.Int("missing"), fs.Str("batches"))
		},
	},
	{
		ID: CreateBurst, Title: "At most 500 pods are created in one sync", Source: "pkg/controller/replicaset/replica_set.go BurstReplicas (v1.37.1)",
		Text: "More pods are missing than one sync creates. The rest follows when all of these have been seen.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%d missing, 500 at once at most, in batches of %s", fs.Int("missing"), fs.Str("batches"))
		},
	},
	{
		ID: CreateUntilRefused, Title: "Creation stops with the batch that is refused", Source: "pkg/controller/replicaset/replica_set.go slowStartBatch (v1.37.1)",
		Text: "The API server refuses a creation. The other calls of the same batch are still made, the batches after it are not; the sync ends with the first error and is retried with backoff.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%d missing, %d tried (batches of %s), then refused: %s", fs.Int("missing"), fs.Int("attempted"), fs.Str("batches"), fs.Str("error"))
		},
	},
	{
		ID: CreateAfterRefusal, Title: "Creation is tried again after a refusal", Source: manageReplicas,
		Text: "ReplicaFailure is stored with reason FailedCreate, so the last attempt was refused, and nothing that can be read explains it: admission by a webhook, a policy or the like. Whether the API server accepts the pods now is known only by trying. If it refuses the first, no other is tried, and the condition stays as it is.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%d missing, in batches of %s, unless the API server refuses again", fs.Int("missing"), fs.Str("batches"))
		},
	},
	{
		ID: DeleteAll, Title: "All pods go", Source: "pkg/controller/replicaset/replica_set.go getPodsToDelete (v1.37.1)",
		Text: "As many pods are to be deleted as there are active ones. Upstream does not sort then, and no ranking applies.",
		Line: func(fs decision.Facts) string { return fmt.Sprintf("all %d active pods go", fs.Int("active")) },
	},
}

var statusRules = decision.Catalogue{
	{
		ID: StatusNotReached, Title: "The sync ends before status", Source: syncReplicaSet,
		Text: "A sync that ends early writes no status.",
		Line: func(decision.Facts) string { return "not reached" },
	},
	{
		ID: StatusUnchanged, Title: "Status is not written when nothing changed", Source: statusUtils,
		Text: "All counts, the conditions and observedGeneration are as stored.",
		Line: func(decision.Facts) string { return "as stored, not written" },
	},
	{
		ID: StatusWritten, Title: "Status counts the pods as claimed", Source: statusUtils,
		Text: "Counts are of the pods claimed at the start of the sync, before what it creates and deletes. From 1.34 on a pod is available once minReadySeconds have passed; before, only after.",
		Line: func(decision.Facts) string { return "written" },
	},
	{
		ID: StatusRefused, Title: "A refused status update is tried once more", Source: statusUtils,
		Text: "The set is read again and the same status sent a second time. If that is refused too, the sync fails with that error, even if it met another one before.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("refused (tries: %d): %s", fs.Int("tries"), fs.Str("error"))
		},
	},
	{
		ID: FailureSet, Title: "A failed sync sets ReplicaFailure", Source: statusUtils,
		Text: "A creation or deletion failed and the condition is not there yet: it is added with the error's message.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("sets ReplicaFailure (%s): %s", fs.Str("reason"), fs.Str("message"))
		},
	},
	{
		ID: FailureKept, Title: "An older ReplicaFailure is left as it is", Source: statusUtils,
		Text: "The sync failed and the condition is already there. Reason, message and time stay those of the first failure, even if the cause is another one by now.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("keeps ReplicaFailure (%s) of %s as it is", fs.Str("reason"), fs.Str("since"))
		},
	},
	{
		ID: FailureCleared, Title: "A sync without error removes ReplicaFailure", Source: statusUtils,
		Text: "That holds for every sync that reaches status without an error, also for one that expectations kept from trying again.",
		Line: func(fs decision.Facts) string { return fmt.Sprintf("removes ReplicaFailure (%s)", fs.Str("reason")) },
	},
}

var nextRules = decision.Catalogue{
	{
		ID: NextOnEvent, Title: "The next sync comes with the next event", Source: syncReplicaSet,
		Text: "No timer is set. A change of the set or of one of its pods, or the periodic resync (12 to 24 hours), brings it back.",
		Line: func(decision.Facts) string { return "on the next pod or set event; no timer" },
	},
	{
		ID: AvailabilityCheck, Title: "The next sync is timed for minReadySeconds", Source: syncReplicaSet,
		Text: "Some ready pods are not available yet. From 1.34 on the set is looked at again when the first of them becomes available. Up to 1.33 it is looked at again after minReadySeconds, and only when all wanted pods are ready.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("in %s (%s): spec.minReadySeconds %d", fs.Brief("after"), fs.Str("at"), fs.Int("minReadySeconds"))
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

var evidenceRules = decision.Catalogue{
	{
		ID: LeaseExpired, Title: "The controller manager's lease has expired", Source: "k8s.io/client-go/tools/leaderelection (v0.37.1)",
		Text: "The leader renews its Lease every two seconds. One that is older than its duration means that no controller manager acts, for this or any other object. A cluster that runs without leader election, or whose control plane is managed elsewhere, may have a stale Lease all the time.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("last renewed %s ago, valid for %ds (holder %s): nobody acts", fs.Brief("age"), fs.Int("seconds"), fs.Str("holder"))
		},
	},
	{
		ID: NamespaceTerminating, Title: "The namespace is being deleted", Source: manageReplicas,
		Text: "The API server refuses new pods in it. The controller takes that for success and then waits for pods that never come, until its expectations expire after five minutes.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("namespace %s is being deleted: no pod can be created in it", fs.Str("namespace"))
		},
	},
	{
		ID: QuotaShortfall, Title: "A resource quota leaves too little room", Source: "k8s.io/apiserver/pkg/admission/plugin/resourcequota (v0.37.1)",
		Text: "Admission refuses pods beyond the quota. What is used is taken from the quota's status, which follows the cluster with a delay; terminating pods count until they are gone.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%s: %s of %s used, each pod takes %s: room for %d of %d missing pods",
				fs.Str("resource"), fs.Str("used"), fs.Str("hard"), fs.Str("each"), fs.Int("room"), fs.Int("missing"))
		},
	},
	{
		ID: FailedCreateEvent, Title: "Creations were refused", Source: "pkg/controller/controller_utils.go RealPodControl.createPods (v1.37.1)",
		Text: "The newest FailedCreate event of the set. Events are aggregated and rate-limited: a low count or an old one proves nothing.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("FailedCreate ×%d, last %s ago: %s", fs.Int("count"), fs.Brief("age"), fs.Str("message"))
		},
	},
	{
		ID: ReplicaFailure, Title: "The stored condition says that creation or deletion fails", Source: statusUtils,
		Text: "Reason and message are those of the first failure in the streak and may be out of date: see the newest event.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("ReplicaFailure for %s (%s), first message: %s", fs.Brief("age"), fs.Str("reason"), fs.Str("message"))
		},
	},
	{
		ID: SpecNotObserved, Title: "The controller has not reported on the present spec", Source: statusUtils,
		Text: "observedGeneration is behind: no sync has written status since the last change of the spec.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("spec is at generation %d, the controller reported on %d", fs.Int("generation"), fs.Int("observedGeneration"))
		},
	},
}
