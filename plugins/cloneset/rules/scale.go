package rules

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// The rules of scaling.
const (
	InvalidNumber       = "InvalidNumber"
	ScaleInStep         = "ScaleInStep"
	ScaleUpArithmetic   = "ScaleUpArithmetic"
	ScaleDownArithmetic = "ScaleDownArithmetic"

	ScaleUpLimited       = "ScaleUpLimited"
	CreateOfRevision     = "CreateOfRevision"
	CreateReusingVolumes = "CreateReusingVolumes"
	CreateFailed         = "CreateFailed"
	PartitionOfOne       = "PartitionOfOne"
	CreationInDoubt      = "CreationInDoubt"
	NameTaken            = "NameTaken"

	DeletionCancelled     = "DeletionCancelled"
	PreDeleteDone         = "PreDeleteDone"
	PreDeleteHooked       = "PreDeleteHooked"
	PreDeleteHeld         = "PreDeleteHeld"
	SpecifiedDelete       = "SpecifiedDelete"
	DeleteReadyLimited    = "DeleteReadyLimited"
	ScaleInSuspended      = "ScaleInSuspended"
	ScaleInLimited        = "ScaleInLimited"
	AllOfGroup            = "AllOfGroup"
	VolumeGoesWithPod     = "VolumeGoesWithPod"
	PodsToDeleteTruncated = "PodsToDeleteTruncated"
	HistoryTruncated      = "HistoryTruncated"
	HistoryPanics         = "HistoryPanics"
)

var numberRules = decision.Catalogue{
	{
		ID: InvalidNumber, Title: "A number of the spec that does not parse counts as 0", Source: diffsFunc,
		Text: "maxUnavailable and maxSurge must be whole numbers of percent: the error of \"12.5%\" is ignored, although the webhook of 1.9 lets it pass. A partition must end in a percent sign.",
		Keys: []decision.Key{KeyField, decision.KeyValue},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("spec.%s %q is no whole number of percent and counts as 0", fs.Str(KeyField), fs.Str(decision.KeyValue))
		},
	},
	{
		ID: ScaleInStep, Title: "As many Pods as expected", Source: diffsFunc,
		Text: "Neither more nor fewer Pods than replicas and the surge in use, and none named for deletion.",
		Keys: []decision.Key{KeyCurrentTotalCount, KeyExpectedTotalCount, KeyReplicas, KeyUseSurge},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%s, %d expected = replicas %d + surge %d", format.Plural(fs.Int(KeyCurrentTotalCount), "Pod"), fs.Int(KeyExpectedTotalCount), fs.Int(KeyReplicas), fs.Int(KeyUseSurge))
		},
	},
	{
		ID: ScaleUpArithmetic, Title: "How many Pods are created", Source: diffsFunc,
		Text: "scaleUpNum Pods are missing, surge included; scaleStrategy.maxUnavailable limits how many are created while others are unavailable. While Pods are missing nothing is deleted, not even Pods that someone named.",
		Keys: []decision.Key{KeyCurrentTotalCount, KeyExpectedTotalCount, KeyReplicas, KeyScaleMaxUnavailable, KeyScaleUpLimit, KeyScaleUpNum, KeyTotalUnavailable, KeyUseSurge},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("scaleUpLimit %d = min(scaleUpNum %d = expected %d − %s, max(scaleStrategy.maxUnavailable %s − unavailable %d, 0)); expected = replicas %d + surge %d",
				fs.Int(KeyScaleUpLimit), fs.Int(KeyScaleUpNum), fs.Int(KeyExpectedTotalCount), format.Plural(fs.Int(KeyCurrentTotalCount), "Pod"),
				unlimited(fs.Int(KeyScaleMaxUnavailable)), fs.Int(KeyTotalUnavailable), fs.Int(KeyReplicas), fs.Int(KeyUseSurge))
		},
	},
	{
		ID: ScaleDownArithmetic, Title: "How many Pods are deleted", Source: diffsFunc,
		Text: "scaleDownNum Pods are too many, besides those named for deletion. Ready Pods are deleted only as far as deleteReadyLimit allows: Pods that are ready but not yet available for minReadySeconds count as unavailable and lower it.",
		Keys: []decision.Key{KeyCurrentTotalCount, KeyDeleteReadyLimit, KeyExpectedTotalCount, decision.KeyMaxUnavailable, KeyPods, KeyReplicas, KeyScaleDownNum, KeyToDelete, KeyTotalUnavailable},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("scaleDownNum %d = %s − %d named − expected %d; deleteReadyLimit %d = max(maxUnavailable %d + (Pods %d − replicas %d) − unavailable %d, 0)",
				fs.Int(KeyScaleDownNum), format.Plural(fs.Int(KeyCurrentTotalCount), "Pod"), fs.Int(KeyToDelete), fs.Int(KeyExpectedTotalCount),
				fs.Int(KeyDeleteReadyLimit), fs.Int(decision.KeyMaxUnavailable), fs.Int(KeyPods), fs.Int(KeyReplicas), fs.Int(KeyTotalUnavailable))
		},
	},
}

// unlimited prints the value that stands for no limit as a word.
func unlimited(n int64) string {
	if n == 1<<31-1 {
		return "unset"
	}
	return fmt.Sprint(n)
}

var scaleUpRules = decision.Catalogue{
	{
		ID: ScaleUpLimited, Title: "scaleStrategy.maxUnavailable holds creations back", Source: scaleFunc,
		Text: "As many Pods are unavailable as may be, so fewer are created than are missing, or none. The controller writes an event of this name in every sync.",
		Keys: []decision.Key{KeyScaleMaxUnavailable, KeyScaleUpLimit, KeyScaleUpNum, KeyTotalUnavailable},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%d missing, %d created: scaleStrategy.maxUnavailable %d, %d unavailable", fs.Int(KeyScaleUpNum), fs.Int(KeyScaleUpLimit), fs.Int(KeyScaleMaxUnavailable), fs.Int(KeyTotalUnavailable))
		},
	},
	{
		ID: CreateOfRevision, Title: "A CloneSet creates missing Pods", Source: createFunc,
		Text: "Pods of the current revision first, as many as the partition lacks, then of the update revision. Names are made of the set's name and a random instance ID. Creation starts slowly: one Pod, then two, four and so on.",
		Keys: []decision.Key{decision.KeyBatches, KeyClaims, KeyRevision, KeyScaleUpNum, KeyToCreate},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%s%s, in batches of %s%s", ofRevision(fs), inTotal(fs), fs.Str(decision.KeyBatches), newClaims(fs))
		},
	},
	{
		ID: CreateReusingVolumes, Title: "New Pods take over the claims that are left", Source: "pkg/controller/cloneset/sync/cloneset_scale.go getOrGenAvailableIDs (Kruise v1.9.1)",
		Text: "A volume claim of the CloneSet whose instance ID no active Pod has gives its ID, and its data, to a new Pod. Of more free IDs than new Pods, which are taken is not deterministic, and which revision each gets. scaleStrategy.disablePVCReuse turns this off.",
		Keys: []decision.Key{decision.KeyBatches, KeyFree, KeyFresh, KeyReused, KeyRevision, KeyScaleUpNum, KeyTaken, KeyToCreate},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%s%s, in batches of %s; %s", ofRevision(fs), inTotal(fs), fs.Str(decision.KeyBatches), reused(fs))
		},
	},
	{
		ID: CreateFailed, Title: "Creation stops with the batch that fails", Source: "pkg/controller/cloneset/utils/cloneset_utils.go DoItSlowly (Kruise v1.9.1)",
		Text: "The other calls of the same batch are still made, the batches after it are not.",
		Keys: []decision.Key{decision.KeyAttempted, decision.KeyBatches, KeyError, KeyRevision, KeyToCreate},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%s%d tried of %d (batches of %s), then refused: %s", ofRevision(fs), fs.Int(decision.KeyAttempted), fs.Int(KeyToCreate), fs.Str(decision.KeyBatches), fs.Str(KeyError))
		},
	},
	{
		ID: PartitionOfOne, Title: "New Pods are of the update revision, whatever the partition says", Source: "pkg/controller/cloneset/cloneset_status.go UpdateCloneSetStatus (Kruise v1.9.1)",
		Text: "status.currentRevision is the update revision, so that the partition's Pods are made of that one as well. It became the update revision once all Pods were of it: before 1.7 even while some were missing, as after the Pods of the older revision were deleted (kruise#1545). To get Pods of the older one, give the template its old content.",
		Keys: []decision.Key{KeyPartition, KeyRevision},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("status.currentRevision is the update revision %s: the partition of %d makes no Pod of an older one", kruise.ShortHash(fs.Str(KeyRevision)), fs.Int(KeyPartition))
		},
	},
	{
		ID: CreationInDoubt, Title: "Whether a CloneSet's creations are accepted is not known", Source: createFunc,
		Text: "A quota or LimitRange may refuse the Pods, and what decides it could not be read or is about to change. If the API server refuses one, the creations of the same batch are still tried, and no later ones.",
		Keys: []decision.Key{decision.KeyBatches, KeyDoubts, KeyRevision, KeyScaleUpNum, KeyToCreate},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%s%s, in batches of %s, if they are accepted: %s", ofRevision(fs), inTotal(fs), fs.Str(decision.KeyBatches), fs.Str(KeyDoubts))
		},
	},
	{
		ID: NameTaken, Title: "The name to reuse is still taken", Source: createFunc,
		Text: "The claim of a finished, terminating or released Pod is free for reuse, but the Pod still has the name that the new one would get. So may a Pod or a claim that the CloneSet does not own. The API server refuses the new one as AlreadyExists, and the batches stop there, in every sync until what has the name is gone. The controller does not delete it. Deleting the finished Pod, or scaleStrategy.disablePVCReuse, ends it.",
		Keys: []decision.Key{KeyObject},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%s, which the CloneSet does not count, has a name that a new Pod would reuse: that creation is refused, and the batches stop there", fs.Str(KeyObject))
		},
	},
}

func newClaims(fs decision.Facts) string {
	if fs.Int(KeyClaims) == 0 {
		return ""
	}
	return ", each with " + format.Plural(fs.Int(KeyClaims), "new volume claim")
}

func reused(fs decision.Facts) string {
	if fs.Int(KeyTaken) < fs.Int(KeyFree) {
		return fmt.Sprintf("%d of the instances %s, whose volume claims are left", fs.Int(KeyTaken), fs.Str(KeyReused))
	}
	text := "instances " + fs.Str(KeyReused) + ", whose volume claims are left"
	if fresh := fs.Int(KeyFresh); fresh > 0 {
		text += ", and " + format.Plural(fresh, "fresh one")
	}
	return text
}

var deleteRules = decision.Catalogue{
	{
		ID: DeletionCancelled, Title: "A Pod in PreparingDelete is kept after all", Source: "pkg/controller/cloneset/sync/cloneset_scale.go managePreparingDelete (Kruise v1.9.1)",
		Text: "Pods are missing, and this one waits to be deleted without having been named: it returns to PreparingNormal. Not done when the preDelete or the inPlaceUpdate hook marks Pods not ready.",
		Says: "Pods are missing again: back from PreparingDelete",
	},
	{
		ID: PreDeleteDone, Title: "The preDelete hook has been removed", Source: deleteFunc,
		Text: "A Pod in PreparingDelete without any of the hook's labels and finalizers is deleted, ready or not.",
		Says: "was in PreparingDelete, and no preDelete hook holds it any more",
	},
	{
		ID: PreDeleteHooked, Title: "A Pod enters PreparingDelete first", Source: deleteFunc,
		Text: "The Pod has a label or finalizer of lifecycle.preDelete. It is deleted when whoever put it there takes it away. Deleting the Pod by hand does not wait for the hook.",
		Keys: []decision.Key{KeyHook},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("to PreparingDelete: %s (preDelete hook) holds it", fs.Str(KeyHook))
		},
	},
	{
		ID: PreDeleteHeld, Title: "The preDelete hook holds a Pod", Source: deleteFunc,
		Text: "The Pod waits in PreparingDelete for its hook, counts as unavailable, and suspends every other scale-in.",
		Keys: []decision.Key{KeyHook, KeyPod},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("Pod %s waits in PreparingDelete until %s is removed", fs.Str(KeyPod), fs.Str(KeyHook))
		},
	},
	{
		ID: SpecifiedDelete, Title: "A Pod that was named is deleted", Source: scaleFunc,
		Text: "Named by scaleStrategy.podsToDelete or the label apps.kruise.io/specified-delete, with any value. Pods that are not ready are deleted at once, ready ones as far as deleteReadyLimit allows.",
		Says: "named by podsToDelete or label specified-delete",
	},
	{
		ID: DeleteReadyLimited, Title: "maxUnavailable keeps named Pods", Source: scaleFunc,
		Text: "Pods that were named for deletion are ready, and no more may become unavailable.",
		Keys: []decision.Key{KeyAllowed, KeyDeleteReadyLimit, KeyPod, KeyReady},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("deleteReadyLimit %d allows %d of %s named for deletion (%s)", fs.Int(KeyDeleteReadyLimit), fs.Int(KeyAllowed), format.Plural(fs.Int(KeyReady), "ready Pod"), fs.Str(KeyPod))
		},
	},
	{
		ID: ScaleInSuspended, Title: "Named Pods and PreparingDelete suspend the scale-in", Source: scaleFunc,
		Text: "While one Pod is named for deletion, or waits in PreparingDelete, no other is chosen.",
		Keys: []decision.Key{KeyNumToDelete, KeyScaleDownNum},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%d too many, but none is chosen while %s named or waiting for deletion", fs.Int(KeyScaleDownNum), AreOrIs(fs.Int(KeyNumToDelete), "Pod"))
		},
	},
	{
		ID: ScaleInLimited, Title: "maxUnavailable slows the scale-in", Source: scaleFunc,
		Text: "Of the Pods that were chosen, ready ones beyond deleteReadyLimit stay for now. With a long minReadySeconds that may be all of them: Pods that are ready but not yet available use up the limit.",
		Keys: []decision.Key{KeyDeleteReadyLimit, KeyLeft, KeyReady, KeyScaleDownNum},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%d of %d chosen Pods stay for now: %d are ready, deleteReadyLimit %d", fs.Int(KeyLeft), fs.Int(KeyScaleDownNum), fs.Int(KeyReady), fs.Int(KeyDeleteReadyLimit))
		},
	},
	{
		ID: AllOfGroup, Title: "All Pods of a group are deleted", Source: "pkg/controller/cloneset/sync/cloneset_scale.go choosePodsToDelete (Kruise v1.9.1)",
		Text: "As many Pods are deleted as there are in the group of updated Pods, or of those that are not. Upstream does not sort then.",
		Keys: []decision.Key{KeyAmong, decision.KeyN},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("all %d that are %s are deleted", fs.Int(decision.KeyN), fs.Str(KeyAmong))
		},
	},
	{
		ID: VolumeGoesWithPod, Title: "A Pod's volume claims are deleted with it", Source: deleteFunc,
		Text: "Every claim of the CloneSet with the Pod's instance ID is deleted, at a scale-in as well as at an update that recreates the Pod. If the Pod has no instance ID, the claims without one are deleted.",
		Keys: []decision.Key{KeyPod},
		Line: func(fs decision.Facts) string { return fmt.Sprintf("volume claim of Pod %s", fs.Str(KeyPod)) },
	},
	{
		ID: PodsToDeleteTruncated, Title: "podsToDelete is cleared of Pods that are gone", Source: "pkg/controller/cloneset/cloneset_controller.go truncatePodsToDelete (Kruise v1.9.1)",
		Text: "The controller updates the CloneSet's spec and takes the names out that none of its active Pods has. It uses the CloneSet as it was when the sync began, so that after a status update this one conflicts, which is only logged; the next sync succeeds.",
		Keys: []decision.Key{KeyGone, KeyLater},
		Line: func(fs decision.Facts) string {
			line := fmt.Sprintf("takes %s out of spec.scaleStrategy.podsToDelete", fs.Str(KeyGone))
			if fs.Str(KeyLater) == "true" {
				return line + " in a later sync: this one writes status first, and its own update then conflicts"
			}
			return line
		},
	},
	{
		ID: HistoryTruncated, Title: "Old revisions are deleted", Source: "pkg/controller/cloneset/cloneset_controller.go truncateHistory (Kruise v1.9.1)",
		Text: "Of the revisions that are neither current nor update revision and that no Pod carries, the oldest are deleted until revisionHistoryLimit are left.",
		Keys: []decision.Key{KeyLimit, KeyUnused},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%d unused revisions, revisionHistoryLimit %d", fs.Int(KeyUnused), fs.Int(KeyLimit))
		},
	},
	{
		ID: HistoryPanics, Title: "A negative revisionHistoryLimit makes each sync panic", Source: "pkg/controller/cloneset/cloneset_controller.go truncateHistory (Kruise v1.9.1)",
		Text: "The webhook accepts a negative revisionHistoryLimit. The sync then asks for more unused revisions than there are revisions, and panics after its last write. Since 1.9 the panic is the sync's error, and the sync is tried again with backoff; before, the kruise-manager exits. Set the limit to 0 or more. A limit that asks for fewer deletes all unused revisions.",
		Keys: []decision.Key{KeyCut, KeyLimit, KeyRecovers, KeyRevisions},
		Line: func(fs decision.Facts) string {
			then := "the kruise-manager crashes"
			if fs.Str(KeyRecovers) == "true" {
				then = "each sync panics after its last write, and is tried again"
			}
			return fmt.Sprintf("%s: revisionHistoryLimit %d asks to delete %s of %d", then, fs.Int(KeyLimit), format.Plural(int(fs.Int(KeyCut)), "revision"), fs.Int(KeyRevisions))
		},
	},
}

// AreOrIs counts a noun, with the verb.
func AreOrIs(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun + " is"
	}
	return fmt.Sprintf("%d %ss are", n, noun)
}

// inTotal is how many Pods a sync creates, of how many that are missing where it creates fewer.
func inTotal(fs decision.Facts) string {
	n, missing := fs.Int(KeyToCreate), fs.Int(KeyScaleUpNum)
	if n < missing {
		return fmt.Sprintf("%d of %d that are missing", n, missing)
	}
	return fmt.Sprintf("%d in total", n)
}

// ofRevision begins what is said of creations with their revision, where that is known.
func ofRevision(fs decision.Facts) string {
	if hash := kruise.ShortHash(fs.Str(KeyRevision)); hash != "" {
		return "of revision " + hash + ", "
	}
	return ""
}
