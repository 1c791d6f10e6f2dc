package orphans

import (
	"fmt"
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
)

// The rules of this package, besides those of claims and references.
const (
	FirstSyncWins     = "FirstSyncWins"
	NoController      = "NoController"
	ReleasedBefore    = "ReleasedBefore"
	NearMiss          = "NearMiss"
	ClaimersNotRead   = "ClaimersNotRead"
	UnclaimedPod      = "UnclaimedPod"
	UnclaimedSet      = "UnclaimedSet"
	UnclaimedRevision = "UnclaimedRevision"
	UnusedClaim       = "UnusedClaim"
	BeyondHistory     = "BeyondHistory"
	BeyondReplicas    = "BeyondReplicas"
	ClaimOfNoSet      = "ClaimOfNoSet"

	MirrorPod     = "MirrorPod"
	BarePod       = "BarePod"
	NodeOwned     = "NodeOwned"
	OperatorOwned = "OperatorOwned"
	StandaloneSet = "StandaloneSet"
	GoesWithOwner = "GoesWithOwner"

	ThenDeletes = "ThenDeletes"
	ThenCreates = "ThenCreates"
	ThenInStep  = "ThenInStep"
	ThenWaits   = "ThenWaits"
	ThenActs    = "ThenActs"

	ThenInstance     = "ThenInstance"
	ThenCondemned    = "ThenCondemned"
	ThenNameTaken    = "ThenNameTaken"
	ThenOnNode       = "ThenOnNode"
	ThenNodeMisses   = "ThenNodeMisses"
	ThenCountedByJob = "ThenCountedByJob"
	ThenJobMisses    = "ThenJobMisses"
	ThenRestarted    = "ThenRestarted"
	ThenEndedOfJob   = "ThenEndedOfJob"
	ThenTruncated    = "ThenTruncated"

	SelectsOthers = "SelectsOthers"
	ManySelect    = "ManySelect"
	CouldMeet     = "CouldMeet"
)

// Rules is everything that a Report says, in the order in which it is told.
var Rules = slices.Concat(ownership.Rules, ownership.KindRules, ownership.RecheckRules, ownership.RefManagerRules, lineage.ReferenceRules, orphanRules, designRules, thenRules, knownRules, overlapRules)

var orphanRules = decision.Catalogue{
	{
		ID: FirstSyncWins, Title: "Several controllers would adopt the object",
		Source: "pkg/controller/controller_ref_manager.go BaseControllerRefManager.ClaimObject (v1.37.1)",
		Text:   "The object has no controller and matches the selectors of several. Each adopts it in its next sync, and the API server accepts the first: a second controller reference is invalid. Which one syncs first is not known.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%s; the first to sync does", fs.Str(keyControllers))
		},
	},
	{
		ID: NoController, Title: "The object has owners but no controller",
		Source: "k8s.io/apimachinery pkg/apis/meta/v1/controller_ref.go GetControllerOf (v0.37.1)",
		Text:   "None of the owner references has controller=true. The garbage collector treats the owners like any others, but no controller counts, replaces or updates the object, and one that selects it may adopt it.",
		Line: func(fs decision.Facts) string {
			if n := fs.Int(keyOwners); n > 1 {
				return fmt.Sprintf("%d owners, none of them its controller; it is deleted when all of them are gone", n)
			}
			return fmt.Sprintf("%s owns it but is not its controller; it is deleted with its owner", fs.Str(keyOwner))
		},
	},
	{
		ID: ReleasedBefore, Title: "The object was made by a controller that no longer selects it",
		Source: "pkg/controller/controller_ref_manager.go BaseControllerRefManager.ClaimObject (v1.37.1)",
		Text:   "Its name was generated from that of a controller in the namespace, but its labels don't match the selector: it was released when they changed. It lives on, is not replaced when it fails, and is not collected with the controller.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("made by %s, which no longer selects it: %s, selector wants %s", fs.Str(keyController), fs.Str(keyLabel), fs.Str(keyTerm))
		},
	},
	{
		ID: NearMiss, Title: "One term of a selector keeps the object from being adopted",
		Source: "k8s.io/apimachinery pkg/labels/selector.go Requirement.Matches (v0.37.1)",
		Text:   "The object has no controller. Its labels match all terms of a controller's selector but one.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("misses %s by one term: %s, selector wants %s", fs.Str(keyController), fs.Str(keyLabel), fs.Str(keyTerm))
		},
	},
	{
		ID: ClaimersNotRead, Title: "Whether a controller selects the object is not known", Source: "this tool",
		Text: "The object refers to no controller, and nothing that this user may read selects it. Controllers of other kinds, which this user may not read, may.",
		Line: func(fs decision.Facts) string {
			return "no controller; whether one selects it is not known: this user may not list " + fs.Str(keyKinds)
		},
	},
	{
		ID: UnclaimedPod, Title: "A Pod of a controller that no controller claims",
		Source: "pkg/controller/garbagecollector/garbagecollector.go orphanDependents (v1.37.1)",
		Text:   "The Pod has a label that controllers give to the Pods that they make, or its managedFields say that kube-controller-manager created it, but it refers to no controller and none selects it: its controller was deleted with --cascade=orphan, or the labels were changed. Its containers run on, and nothing replaces, updates or deletes it.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("made by %s (%s), but %s", fs.Str(keyMaker), fs.Str(keyLabel), unselected(fs, "no controller selects it"))
		},
	},
	{
		ID: UnclaimedSet, Title: "A ReplicaSet of a Deployment that no Deployment claims",
		Source: "pkg/controller/deployment/deployment_controller.go getReplicaSetsForDeployment (v1.37.1)",
		Text:   "The ReplicaSet has the label pod-template-hash, which Deployments give to theirs, but refers to no controller and no Deployment selects it: its Deployment was deleted with --cascade=orphan, or its labels were changed. It keeps its Pods running, and nothing rolls it out or removes it.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("made by a Deployment (pod-template-hash=%s), but %s", fs.Str(keyHash), unselected(fs, "no Deployment selects it"))
		},
	},
	{
		ID: UnclaimedRevision, Title: "A ControllerRevision that no controller claims",
		Source: "pkg/controller/history/controller_history.go ListControllerRevisions (v1.37.1)",
		Text:   "The revision refers to no controller, and no StatefulSet, DaemonSet or CloneSet selects it. Nothing uses or removes it.",
		Line: func(fs decision.Facts) string {
			return unselected(fs, "no StatefulSet, DaemonSet or CloneSet selects it")
		},
	},
	{
		ID: BeyondHistory, Title: "A revision beyond the history limit",
		Source: "pkg/controller/statefulset/stateful_set_control.go truncateHistory; pkg/controller/daemon/update.go cleanupHistory (v1.37.1)",
		Text:   "Neither the controller nor any of its Pods uses the revision, and it is among the oldest of more than spec.revisionHistoryLimit. A sync deletes such revisions; one that stays shows that syncs end before they come to that.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("beyond the history limit of %d: the next sync of %s deletes it", fs.Int(keyLimit), fs.Str(keyController))
		},
	},
	{
		ID: UnusedClaim, Title: "A volume claim of a CloneSet's instance that has no Pod",
		Source: "openkruise/kruise pkg/controller/cloneset/sync/cloneset_scale.go getOrGenAvailableIDs; cloneset_controller.go cleanupPVCs (v1.9.1)",
		Text:   "The claim bears the ID of an instance of the CloneSet, and no Pod does. When the CloneSet scales up, it uses such IDs first, so that a new Pod gets the old volume. With scaleStrategy.disablePVCReuse the claim is deleted instead.",
		Line: func(fs decision.Facts) string {
			next := "the next scale-up reuses it"
			if fs.Str(keyDisablePVCReuse) == "true" {
				next = "the CloneSet deletes it"
			}
			return fmt.Sprintf("instance %s of %s has no Pod; %s", fs.Str(keyInstance), fs.Str(keyController), next)
		},
	},
	{
		ID: BeyondReplicas, Title: "A volume claim beyond a StatefulSet's replicas",
		Source: "pkg/controller/statefulset/stateful_set_utils.go getPersistentVolumeClaimName; stateful_pod_control.go createPersistentVolumeClaims (v1.37.1)",
		Text:   "By its name the claim is that of a Pod that the StatefulSet does not want at its replicas and first ordinal, and there is none. A scale-down leaves claims behind unless spec.persistentVolumeClaimRetentionPolicy.whenScaled is Delete. The next scale-up to that ordinal uses the claim, with the data that is on it.",
		Line: func(fs decision.Facts) string {
			if start := fs.Int(keyStart); start > 0 {
				return fmt.Sprintf("for pod/%s, below spec.ordinals.start %d of %s; a lower one that makes the Pod reuses it", fs.Str(keyPod), start, fs.Str(keyController))
			}
			return fmt.Sprintf("for pod/%s, beyond the replicas of %s; a scale-up that makes the Pod reuses it", fs.Str(keyPod), fs.Str(keyController))
		},
	},
	{
		ID: ClaimOfNoSet, Title: "A volume claim named like one of a StatefulSet that does not exist",
		Source: "pkg/controller/statefulset/stateful_set_utils.go getPersistentVolumeClaims, getPersistentVolumeClaimName (v1.37.1)",
		Text:   "The claim has labels, and its name ends in a StatefulSet's name and an ordinal. No StatefulSet has such a name, no owner is named, and no Pod uses the claim. A StatefulSet that is deleted leaves its claims behind unless spec.persistentVolumeClaimRetentionPolicy.whenDeleted is Delete. Another of the same name and claim template would use them, with the data that is on them. Only the name tells: a claim that was created by hand may have such a name.",
		Line: func(fs decision.Facts) string {
			sets := "no such StatefulSet exists"
			if kinds := fs.Str(keyKinds); kinds != "" {
				sets = "the input holds no " + kinds
			}
			return "named like a claim of a StatefulSet, but " + sets + " and no Pod uses it"
		},
	},
}

// unselected says that no controller selects an object, as far as the input holds such kinds.
func unselected(fs decision.Facts, none string) string {
	if kinds := fs.Str(keyKinds); kinds != "" {
		return fmt.Sprintf("the input holds no %s that could select it", kinds)
	}
	return none
}
