package statefulset

import (
	"fmt"
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
)

// The rules of this plugin, besides those of claiming (package ownership).
const (
	OneByOne        = "OneByOne"
	AllAtOnce       = "AllAtOnce"
	SetDeleting     = "SetDeleting"
	InvalidSelector = "InvalidSelector"
	ClaimRefused    = "ClaimRefused"
	RevisionFailed  = "RevisionFailed"
	StrategyOff     = "StrategyOff"
	WritesNotRead   = "WritesNotRead"

	CreateOrdinal           = "CreateOrdinal"
	CreateOrdinalIfAdmitted = "CreateOrdinalIfAdmitted"
	CreateClaim             = "CreateClaim"
	OwnClaim                = "OwnClaim"
	PodConforms             = "PodConforms"
	PodWrittenUnchanged     = "PodWrittenUnchanged"
	DeleteFinished          = "DeleteFinished"
	DeleteBeyond            = "DeleteBeyond"
	DeleteForUpdate         = "DeleteForUpdate"
	DeleteBroken            = "DeleteBroken"
	DeleteForRecreate       = "DeleteForRecreate"

	WaitReady           = "WaitReady"
	WaitAvailable       = "WaitAvailable"
	WaitGone            = "WaitGone"
	WaitGoneBefore      = "WaitGoneBefore"
	WaitBeforeDelete    = "WaitBeforeDelete"
	WaitUpdated         = "WaitUpdated"
	DeleteLater         = "DeleteLater"
	UpdateLater         = "UpdateLater"
	UnavailableUsedUp   = "UnavailableUsedUp"
	StaleClaim          = "StaleClaim"
	ClaimBeingDeleted   = "ClaimBeingDeleted"
	ClaimOwnedElsewhere = "ClaimOwnedElsewhere"
	NameInUse           = "NameInUse"
	VolumesCantChange   = "VolumesCantChange"
	LabelTooLong        = "LabelTooLong"
	PartitionKeeps      = "PartitionKeeps"
	OnDeleteKeeps       = "OnDeleteKeeps"
	SpecNotObserved     = "SpecNotObserved"
	CreateRefused       = "CreateRefused"
	FailedCreateEvent   = "FailedCreateEvent"

	RevisionCurrentTemplate = "RevisionCurrentTemplate"
	RevisionSameMeaning     = "RevisionSameMeaning"
	RevisionOlderTemplate   = "RevisionOlderTemplate"
	RevisionNewTemplate     = "RevisionNewTemplate"
	RevisionNameTaken       = "RevisionNameTaken"
	RevisionsUnread         = "RevisionsUnread"
	OlderTemplate           = "OlderTemplate"
	RevisionTruncated       = "RevisionTruncated"

	StatusNotReached = "StatusNotReached"
	StatusUnchanged  = "StatusUnchanged"
	StatusWritten    = "StatusWritten"
	StatusRefused    = "StatusRefused"
	StatusBelowZero  = "StatusBelowZero"

	RetryWithBackoff  = "RetryWithBackoff"
	AvailabilityCheck = "AvailabilityCheck"
	NextOnEvent       = "NextOnEvent"
	ReadsOwnWrites    = "ReadsOwnWrites"
)

const (
	upstream    = "pkg/controller/statefulset/"
	setFile     = upstream + "stateful_set.go "
	controlFile = upstream + "stateful_set_control.go "
	podFile     = upstream + "stateful_pod_control.go "
	utilsFile   = upstream + "stateful_set_utils.go "
	replicaFunc = controlFile + "processReplica (v1.37.1)"
	rollFunc    = controlFile + "updateStatefulSet, updateStatefulSetAfterInvariantEstablished (v1.37.1)"
	revisions   = controlFile + "getStatefulSetRevisions; pkg/controller/history/controller_history.go (v1.37.1)"
)

// Rules is the catalogue, in upstream's order.
var Rules = slices.Concat(ownership.Rules, ownership.RecheckRules, ownership.ContestRules, notMember(), gateRules, revisionRules, podRules, holdRules, claimRules, statusRules)

// notMember is the rule about names, of those that hold for some kinds.
func notMember() decision.Catalogue {
	return slices.DeleteFunc(slices.Clone(ownership.KindRules), func(r decision.Rule) bool { return r.ID != ownership.NotMember })
}

// asks makes the question that a reason answers.
//
//go:noinline
func asks(text string) func(decision.Facts) string {
	return func(decision.Facts) string { return text }
}

// tells makes the line of a rule with facts in the places of %s.
//
//go:noinline
func tells(text string, keys ...decision.Key) func(decision.Facts) string {
	return func(fs decision.Facts) string {
		args := make([]any, len(keys))
		for i, key := range keys {
			args[i] = fs.Str(key)
		}
		return fmt.Sprintf(text, args...)
	}
}

var gateRules = decision.Catalogue{
	{
		ID: OneByOne, Title: "OrderedReady: one Pod after the other", Source: controlFile + "runForAll, allowsBurst (v1.37.1)",
		Text: "With podManagementPolicy OrderedReady, the default, the controller looks at Pods by ordinal. The sync ends at the first Pod that it creates or deletes, and at the first that is not ready and available. Pods beyond spec.replicas come next, the highest first, and updates last. A Pod that never becomes ready holds up all that comes after it, its own update included.",
		Says: "OrderedReady: one Pod after the other",
	},
	{
		ID: AllAtOnce, Title: "Parallel: all Pods in one sync", Source: controlFile + "runForAll, slowStartBatch (v1.37.1)",
		Text: "With podManagementPolicy Parallel, the controller creates and deletes all Pods that are due in one sync, in batches of 1, 2, 4 and so on up to 500, until one of a batch fails. Pods of one batch are written at the same time. It waits for no Pod, but for updates.",
		Says: "Parallel: all Pods in one sync",
	},
	{
		ID: SetDeleting, Title: "A StatefulSet that is being deleted only writes status", Source: controlFile + "updateStatefulSet (v1.37.1)",
		Text: "Its Pods are left to the garbage collector. Pods may still be released, a revision may be stored, and old ones deleted.",
		Says: "it is being deleted: only status is written",
	},
	{
		ID: InvalidSelector, Title: "A StatefulSet with an invalid selector is left alone", Source: setFile + "sync (v1.37.1)",
		Text: "Nothing is done and nothing is written until the StatefulSet changes.",
		Keys: []decision.Key{keyError},
		Line: tells("its selector is invalid: %s", keyError),
	},
	{
		ID: ClaimRefused, Title: "A refused adoption or release ends the sync", Source: setFile + "adoptOrphanRevisions, getPodsForStatefulSet (v1.37.1)",
		Text: "No Pod is created or deleted, and no status is written. A StatefulSet that is being deleted while a ControllerRevision without a controller matches its selector fails in each sync: it may not adopt.",
		Keys: []decision.Key{keyError},
		Line: tells("an adoption or release is refused: %s", keyError),
	},
	{
		ID: RevisionFailed, Title: "The sync ends where no revision can be stored", Source: revisions,
		Text: "Without the revision of the template, no Pod is looked at. Old revisions may still be deleted.",
		Keys: []decision.Key{keyError},
		Line: tells("its revision can't be stored: %s", keyError),
	},
	{
		ID: StrategyOff, Title: "The strategy Recreate needs a feature gate", Source: controlFile + "updateStatefulSet (v1.37.1)", Versions: "since 1.37",
		Text: "While the gate StatefulSetRecreateStrategy is off, a StatefulSet of strategy Recreate fails in each sync, with the event UnknownStrategy.",
		Keys: []decision.Key{keyGate},
		Line: tells("its strategy Recreate needs the feature gate %s", keyGate),
	},
	{
		ID: WritesNotRead, Title: "The sync waits until caches hold the controller's own writes", Versions: "since 1.36 (gate StaleControllerConsistencyStatefulSet)",
		Source: setFile + "sync; pkg/controller/util/consistency (v1.37.1)",
		Text:   "The controller remembers the resource versions of the Pods, volume claims and status that it wrote. While a cache has not read as far, the sync ends with an error before it does anything, and is repeated with back-off.",
		Keys:   []decision.Key{keyResources},
		Line:   tells("it has not read back its own last write of %s", keyResources),
	},
	{
		ID: RetryWithBackoff, Title: "A failed sync is repeated with back-off", Source: setFile + "processNextWorkItem (v1.37.1)",
		Text: "From 5ms, twice as long after each failure, up to 16m40s, without end.",
		Keys: []decision.Key{keyError},
		Line: tells("with back-off: %s", keyError),
	},
	{
		ID: AvailabilityCheck, Title: "A ready Pod becomes available", Source: setFile + "syncStatefulSet (v1.37.1)",
		Text:     "No event says that minReadySeconds have passed, so the key is queued for that time.",
		Versions: "until 1.35.0 minReadySeconds after the first sync while status.availableReplicas differs from spec.replicas, so that one of before may be due earlier; since 1.35.1 when the next ready Pod becomes available",
		Keys:     []decision.Key{keyAfter, keyAt, keyAtMost, keyMinReadySeconds},
		Line: func(fs decision.Facts) string {
			if fs.Str(keyAtMost) == "true" {
				return fmt.Sprintf("in at most %s, by %s (minReadySeconds %s, from the sync that queued it)", fs.Brief(keyAfter), fs.Str(keyAt), fs.Str(keyMinReadySeconds))
			}
			return fmt.Sprintf("in %s, at %s (minReadySeconds %s)", fs.Brief(keyAfter), fs.Str(keyAt), fs.Str(keyMinReadySeconds))
		},
	},
	{
		ID: NextOnEvent, Title: "The next sync comes with an event", Source: setFile + "addPod, updatePod, deletePod, enqueueStatefulSet (v1.37.1)",
		Text: "Of the StatefulSet or of one of its Pods. Events of volume claims and of ControllerRevisions are not watched.",
		Says: "at the next event of the StatefulSet or of one of its Pods",
	},
	{
		ID: ReadsOwnWrites, Title: "What the caches must hold before the next sync", Versions: "since 1.36 (gate StaleControllerConsistencyStatefulSet)",
		Source: setFile + "NewStatefulSetController; pkg/controller/util/consistency (v1.37.1)",
		Text:   "Writes of Pods, volume claims and status are waited for, deletions and ControllerRevisions are not. What the API server numbers them is not known before.",
		Keys:   []decision.Key{keyResource, keyWrite},
		Line:   tells("%s of %s", keyWrite, keyResource),
	},
}
