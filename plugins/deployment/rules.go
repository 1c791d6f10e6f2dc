package deployment

import (
	"fmt"
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
)

// The rules of this plugin, besides those of claiming (package ownership).
const (
	ClaimRefused = "ClaimRefused"

	SelectsAll         = "SelectsAll"
	InvalidSelector    = "InvalidSelector"
	StrategyUnknown    = "StrategyUnknown"
	DeploymentDeleting = "DeploymentDeleting"
	DeploymentPaused   = "DeploymentPaused"
	RollbackRequested  = "RollbackRequested"
	ScalingEvent       = "ScalingEvent"
	RecreateStrategy   = "RecreateStrategy"
	RollingUpdate      = "RollingUpdate"

	SyncNewSet     = "SyncNewSet"
	CreateNewSet   = "CreateNewSet"
	ScaleNewUp     = "ScaleNewUp"
	ScaleNewDown   = "ScaleNewDown"
	CleanUnhealthy = "CleanUnhealthy"
	ScaleOldDown   = "ScaleOldDown"
	RecreateDown   = "RecreateDown"
	RecreateUp     = "RecreateUp"
	DropRevision   = "DropRevision"

	ScaleOnlySet      = "ScaleOnlySet"
	NewSetSaturated   = "NewSetSaturated"
	ScaleInProportion = "ScaleInProportion"
	NoteNewSizes      = "NoteNewSizes"
	RolloutAfterScale = "RolloutAfterScale"
	PodsRefused       = "PodsRefused"

	RollbackDone         = "RollbackDone"
	RollbackSameTemplate = "RollbackSameTemplate"
	RollbackNoLast       = "RollbackNoLast"
	RollbackNotFound     = "RollbackNotFound"

	SurgeUsedUp           = "SurgeUsedUp"
	NewPodsNotAvailable   = "NewPodsNotAvailable"
	AvailabilityAtMinimum = "AvailabilityAtMinimum"
	OldNotSettled         = "OldNotSettled"
	ScaleRefused          = "ScaleRefused"
	OldSetReportsPods     = "OldSetReportsPods"
	OldPodRuns            = "OldPodRuns"
	RevisionInUse         = "RevisionInUse"

	StatusNotReached   = "StatusNotReached"
	StatusUnchanged    = "StatusUnchanged"
	StatusWritten      = "StatusWritten"
	StatusRefused      = "StatusRefused"
	NewSetFound        = "NewSetFound"
	NewSetCreated      = "NewSetCreated"
	NewSetRefused      = "NewSetRefused"
	HashCollision      = "HashCollision"
	PauseNoted         = "PauseNoted"
	ResumeNoted        = "ResumeNoted"
	RolloutComplete    = "RolloutComplete"
	RolloutProgressing = "RolloutProgressing"
	RolloutTimedOut    = "RolloutTimedOut"

	NextOnEvent        = "NextOnEvent"
	ProgressCheck      = "ProgressCheck"
	ProgressCheckNow   = "ProgressCheckNow"
	RetryAfterOwnWrite = "RetryAfterOwnWrite"
	RetryWithBackoff   = "RetryWithBackoff"
	NamespaceGone      = "NamespaceGone"
)

// Where the rules come from, all of v1.37.1.
const (
	upstream       = "pkg/controller/deployment/"
	syncDeployment = upstream + "deployment_controller.go syncDeployment (v1.37.1)"
	handleErr      = upstream + "deployment_controller.go handleErr (v1.37.1)"
	getNewSet      = upstream + "sync.go getNewReplicaSet (v1.37.1)"
	scaleFunc      = upstream + "sync.go scale (v1.37.1)"
	reconcileNew   = upstream + "rolling.go reconcileNewReplicaSet (v1.37.1)"
	reconcileOld   = upstream + "rolling.go reconcileOldReplicaSets (v1.37.1)"
	cleanUnhealthy = upstream + "rolling.go cleanupUnhealthyReplicas (v1.37.1)"
	scaleDownOld   = upstream + "rolling.go scaleDownOldReplicaSetsForRollingUpdate (v1.37.1)"
	rolloutRecr    = upstream + "recreate.go rolloutRecreate (v1.37.1)"
	rollbackFunc   = upstream + "rollback.go rollback (v1.37.1)"
	cleanupFunc    = upstream + "sync.go cleanupDeployment (v1.37.1)"
	statusFunc     = upstream + "sync.go syncDeploymentStatus, calculateStatus (v1.37.1)"
	progressFunc   = upstream + "progress.go syncRolloutStatus (v1.37.1)"
)

// Rules is the catalogue of everything the plugin says, in the order in which
// a sync comes to it.
var Rules = slices.Concat(ownership.Rules, ownership.RecheckRules, ownership.ContestRules, claimRules, wayRules, newSetRules, rollingRules, recreateRules,
	resizeRules, rollbackRules, cleanupRules, statusRules, progressRules, nextRules)

var claimRules = decision.Catalogue{
	{
		ID: ClaimRefused, Title: "A refused adoption or release of a ReplicaSet ends the sync", Source: syncDeployment,
		Text: "All other claims of the sync are still made; then it ends with the error, before anything is scaled and before status, and is retried.",
		Keys: []decision.Key{keyError},
		Line: func(fs decision.Facts) string { return "a claim was refused: " + fs.Str(keyError) },
	},
}

var wayRules = decision.Catalogue{
	{
		ID: SelectsAll, Title: "A Deployment with an empty selector is left alone", Source: syncDeployment,
		Text: "A selector without any term would select every Pod. The controller warns with an event, acknowledges the generation and does nothing else.",
		Line: func(decision.Facts) string { return "spec.selector is empty: the controller does nothing" },
	},
	{
		ID: InvalidSelector, Title: "A selector that does not parse fails the sync", Source: upstream + "deployment_controller.go getReplicaSetsForDeployment (v1.37.1)",
		Text: "Nothing is claimed, scaled or written. The sync is retried up to 15 times, and then waits for the next event.",
		Keys: []decision.Key{keyError},
		Line: func(fs decision.Facts) string { return "the selector is invalid: " + fs.Str(keyError) },
	},
	{
		ID: StrategyUnknown, Title: "A strategy that does not exist fails the sync", Source: syncDeployment,
		Text: "The API server accepts RollingUpdate and Recreate only.",
		Keys: []decision.Key{keyType},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("strategy %q is unknown: nothing is done", fs.Str(keyType))
		},
	},
	{
		ID: DeploymentDeleting, Title: "A Deployment that is being deleted scales nothing", Source: upstream + "sync.go syncStatusOnly (v1.37.1)",
		Text: "Its ReplicaSets are left to the garbage collector. The new ReplicaSet's annotations are still kept up to date, and status is written.",
		Keys: []decision.Key{keyDeletionTimestamp},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("being deleted since %s: status only", fs.Str(keyDeletionTimestamp))
		},
	},
	{
		ID: DeploymentPaused, Title: "A paused Deployment is scaled but not rolled out", Source: upstream + "sync.go sync (v1.37.1)",
		Text: "No ReplicaSet is created and no Pod is replaced. A change of spec.replicas is still spread over the active ReplicaSets, and old revisions are still dropped.",
		Line: func(decision.Facts) string { return "paused: it is scaled, but no rollout continues" },
	},
	{
		ID: RollbackRequested, Title: "The rollback annotation is handled first", Source: syncDeployment,
		Text: "The annotation deprecated.deployment.rollback.to asks for the template of an earlier revision. kubectl rollout undo does not use it: it changes the template itself.",
		Keys: []decision.Key{keyRevision},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("a rollback to revision %d is asked for by annotation", fs.Int(keyRevision))
		},
	},
	{
		ID: ScalingEvent, Title: "A change of spec.replicas is spread before a rollout continues", Source: upstream + "sync.go isScalingEvent (v1.37.1)",
		Text: "An active ReplicaSet remembers, in the annotation desired-replicas, another number than spec.replicas. This sync scales all active ReplicaSets in proportion; the rollout continues in a later one.",
		Keys: []decision.Key{decision.KeyDesired, keySet, keyWas},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("scaled from %d to %d: %s remembers %[1]d", fs.Int(keyWas), fs.Int(decision.KeyDesired), fs.Str(keySet))
		},
	},
	{
		ID: RecreateStrategy, Title: "Recreate: all old Pods are deleted before new ones are created", Source: rolloutRecr,
		Text: "Old ReplicaSets are scaled to 0. Only when none of their Pods runs any more is the new one created or scaled up.",
		Line: func(decision.Facts) string { return "Recreate: old Pods are deleted before new ones are created" },
	},
	{
		ID: RollingUpdate, Title: "Rolling update: first up, then down", Source: upstream + "rolling.go rolloutRolling (v1.37.1)",
		Text: "A sync scales the new ReplicaSet up as far as maxSurge allows. One that has nothing to bring up scales old ones down, as far as maxUnavailable allows.",
		Line: func(decision.Facts) string { return "rolling update" },
	},
}

var newSetRules = decision.Catalogue{
	{
		ID: SyncNewSet, Title: "The new ReplicaSet takes over annotations and minReadySeconds", Source: getNewSet,
		Text: "Annotations of the Deployment are copied, its revision is raised above those of the old ones, and minReadySeconds follows the Deployment. The controller continues with the copy that it read before, so that a further write to the same ReplicaSet in this sync is refused as out of date.",
		Keys: []decision.Key{keyAnnotations},
		Line: func(fs decision.Facts) string {
			return "updates it: " + joinNonEmpty(fs.Str(keyAnnotations), prefixed("revision ", fs.Str(keyRevision)), prefixed("minReadySeconds ", fs.Str(keyMinReadySeconds)))
		},
	},
	{
		ID: CreateNewSet, Title: "A template without ReplicaSet gets one", Source: getNewSet,
		Text: "No ReplicaSet of the Deployment has its template, the label pod-template-hash left aside. It starts with as many replicas as maxSurge leaves room for, or with all of them under Recreate.",
		Keys: []decision.Key{decision.KeyDesired, keyRevision},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("0 → %d, revision %d: no ReplicaSet has the template", createdSize(fs), fs.Int(keyRevision))
		},
	},
}

// createdSize is what a created set starts with.
func createdSize(fs decision.Facts) int64 {
	if _, rolling := fs.Get(keyScaleUpCount); rolling {
		return fs.Int(keyScaleUpCount)
	}
	return fs.Int(decision.KeyDesired)
}
