package replicaset

import (
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
)

// The rules of this plugin, besides those of claiming (package ownership).
const (
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
	WritesNotRead   = "WritesNotRead"

	CreateMissing      = "CreateMissing"
	CreateBurst        = "CreateBurst"
	CreateUntilRefused = "CreateUntilRefused"
	CreateAfterRefusal = "CreateAfterRefusal"
	CreateIfAdmitted   = "CreateIfAdmitted"
	DeleteAll          = "DeleteAll"
	DeleteIfAdopted    = "DeleteIfAdopted"

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
	OwnedFirst            = "OwnedFirst"
	SiblingUnread         = "SiblingUnread"
	SiblingDeletes        = "SiblingDeletes"
	SameFromEveryList     = "SameFromEveryList"

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

	NamespaceTerminating = "NamespaceTerminating"
	QuotaShortfall       = "QuotaShortfall"
	QuotaDemandsRequest  = "QuotaDemandsRequest"
	QuotaNotCounted      = "QuotaNotCounted"
	LimitRangeForbids    = "LimitRangeForbids"
	PodInvalid           = "PodInvalid"
	FailedCreateEvent    = "FailedCreateEvent"
	ReplicaFailure       = "ReplicaFailure"
	SpecNotObserved      = "SpecNotObserved"
)

// refusalRules are the rules of evidence that the API server refuses pods.
var refusalRules = []string{QuotaShortfall, QuotaDemandsRequest, QuotaNotCounted, LimitRangeForbids, PodInvalid, NamespaceTerminating}

const (
	syncReplicaSet = "pkg/controller/replicaset/replica_set.go syncReplicaSet (v1.37.1)"
	manageReplicas = "pkg/controller/replicaset/replica_set.go manageReplicas (v1.37.1)"
	lessThan       = "pkg/controller/controller_utils.go ActivePodsWithRanks.Less (v1.37.1)"
	statusUtils    = "pkg/controller/replicaset/replica_set_utils.go calculateStatus, updateReplicaSetStatus (v1.37.1)"
	satisfied      = "pkg/controller/controller_utils.go ControllerExpectations.SatisfiedExpectations (v1.37.1)"
)

// Rules is the catalogue of everything the plugin says, in the order in which
// a sync comes to it.
var Rules = slices.Concat(ownership.Rules, ownership.RecheckRules, ownership.ContestRules, claimRules, gateRules, manageRules, rankRules, statusRules, nextRules, admissionRules, evidenceRules)
