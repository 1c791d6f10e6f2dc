package statefulset

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// created says which Pod is created.
func created(fs decision.Facts) string {
	text := fmt.Sprintf("ordinal %s is missing; revision %s (%s)", fs.Str(keyOrdinal), fs.Str(keyRevision), fs.Str(keyRole))
	if claims := fs.Str(keyClaims); claims != "" {
		text += "; mounts the existing " + claims
	}
	return text
}

// alsoDeleted says which claims are deleted after Pods, empty for none.
func alsoDeleted(claims string) string {
	if claims == "" {
		return ""
	}
	return "; the garbage collector also deletes " + claims
}

var podRules = decision.Catalogue{
	{
		ID: CreateOrdinal, Title: "The Pod of a missing ordinal is created", Source: replicaFunc + "; " + podFile + "CreateStatefulPod (v1.37.1)",
		Text: "Ordinals go from spec.ordinals.start, or 0, to as many as spec.replicas says. Volume claims that are missing are created first; those that exist, also of an earlier Pod of the ordinal, are used as they are. Below the partition the Pod gets the current revision, and else the update revision, also where nothing is rolled out.",
		Keys: []decision.Key{keyClaims, keyOrdinal, keyRevision, keyRole},
		Line: created,
	},
	{
		ID: CreateOrdinalIfAdmitted, Title: "A Pod is created if the API server accepts it", Source: podFile + "CreateStatefulPod (v1.37.1)",
		Text: "Whether a quota or a LimitRange accepts the Pod, or its volume claims, or what refused the last attempt this one, is not known. If it is refused, the sync fails and is repeated.",
		Keys: []decision.Key{keyClaims, keyDoubt, keyOrdinal, keyRevision, keyRole},
		Line: func(fs decision.Facts) string { return created(fs) + "; " + fs.Str(keyDoubt) },
	},
	{
		ID: PodConforms, Title: "A Pod is given back its name label or volumes", Source: podFile + "UpdateStatefulPod (v1.37.1)",
		Text: "The label statefulset.kubernetes.io/pod-name has to name the Pod, and a volume for each of volumeClaimTemplates the claim of its ordinal. The API server refuses other volumes in a Pod that exists: then the sync fails until the Pod is deleted.",
		Keys: []decision.Key{keyWhat},
		Line: tells("to restore %s", keyWhat),
	},
	{
		ID: PodWrittenUnchanged, Title: "A Pod is written with the owners of its claims", Source: podFile + "UpdateStatefulPod (v1.37.1)",
		Text: "Where the owners of claims are written, by the retention policy, the Pod is written as well, unchanged.",
		Keys: []decision.Key{keyWhat},
		Line: tells("written unchanged, after %s", keyWhat),
	},
	{
		ID: DeleteFinished, Title: "A Pod that has ended is replaced", Source: replicaFunc,
		Text: "Failed or Succeeded, whatever the reason: an evicted Pod, or one that a node rejected, as well. The sync ends, and the Pod is created again once this one is gone.",
		Keys: []decision.Key{keyPhase, keyReason},
		Line: func(fs decision.Facts) string {
			if why := fs.Str(keyReason); why != "" {
				return fmt.Sprintf("it is %s (%s)", fs.Str(keyPhase), why)
			}
			return "it is " + fs.Str(keyPhase)
		},
	},
	{
		ID: DeleteBeyond, Title: "A Pod beyond the ordinals is deleted", Source: controlFile + "processCondemned (v1.37.1)",
		Text: "The highest ordinal first. With OrderedReady, one in a sync, and only while all Pods of the ordinals are available; of those beyond, one that is not available is deleted only if no Pod below it is unavailable as well. Pods below spec.ordinals.start are beyond the ordinals.",
		Keys: []decision.Key{keyClaims, keyFirst, keyLast, keyOrdinal, decision.KeySpecReplicas},
		Line: func(fs decision.Facts) string {
			return beyond(fs.Int(keyOrdinal), fs.Int(keyFirst), fs.Int(keyLast), fs.Int(decision.KeySpecReplicas)) + alsoDeleted(fs.Str(keyClaims))
		},
	},
	{
		ID: DeleteForUpdate, Title: "A Pod is deleted to be updated", Source: rollFunc,
		Text:     "RollingUpdate deletes the highest Pod from the partition on that carries another revision than the update revision, if all Pods above it are available. With the gate MaxUnavailableStatefulSet it deletes as many as rollingUpdate.maxUnavailable lets, less those of the ordinals that are not available.",
		Versions: "the gate is on by default from 1.35.0 to 1.35.3, and since 1.37",
		Keys:     []decision.Key{keyRevision, keyUpdate},
		Line:     replaced(", to be replaced by "),
	},
	{
		ID: DeleteBroken, Title: "A Pod of an old revision that is not available is deleted first", Source: rollFunc, Versions: "since 1.37 (gate MaxUnavailableStatefulSet)",
		Text: "With podManagementPolicy Parallel, Pods of other revisions that are not available are deleted first, all of them, whatever maxUnavailable says: they cost no availability.",
		Keys: []decision.Key{keyRevision, keyUpdate},
		Line: replaced(", and not available; to be replaced by "),
	},
	{
		ID: DeleteForRecreate, Title: "Recreate deletes all Pods of other revisions", Source: controlFile + "recreateDeleteAndWait (v1.37.1)", Versions: "since 1.37 (gate StatefulSetRecreateStrategy)",
		Text: "All at once, also with OrderedReady, and those beyond the ordinals as well. No Pod is created before all of them are gone.",
		Keys: []decision.Key{keyRevision, keyUpdate},
		Line: func(fs decision.Facts) string {
			if fs.Str(keyUpdate) == "" {
				return replaced(", and its ordinal is not desired")(fs)
			}
			return replaced(", to be replaced by ")(fs)
		},
	},
}

var holdRules = decision.Catalogue{
	{
		ID: WaitReady, Title: "OrderedReady waits for a Pod that is not ready", Source: replicaFunc,
		Text: "No Pod of a higher ordinal is created, none is deleted, and none is updated while this one is not Running and Ready. If its revision is what is wrong, a corrected template does not reach it: delete the Pod, and it is created again of the revision that its ordinal gets now (kubernetes#67250).",
		Keys: []decision.Key{keyPod},
		Line: tells("%s is not ready: all else waits for it (OrderedReady)", keyPod),
	},
	{
		ID: WaitAvailable, Title: "OrderedReady waits for a Pod that is not available yet", Source: replicaFunc,
		Text: "It is ready, and minReadySeconds have not passed.",
		Keys: []decision.Key{keyMinReadySeconds, keyPod},
		Line: tells("%s is ready, and not available before minReadySeconds (%s) have passed", keyPod, keyMinReadySeconds),
	},
	{
		ID: WaitGone, Title: "A Pod that is being deleted holds its ordinal", Source: replicaFunc,
		Text: "Names are unique: the Pod is created again when this one is gone. With OrderedReady, all else waits for that. On a node that does not answer, a Pod stays until the node is back, the node is shut down and gets the taint node.kubernetes.io/out-of-service, its Node object is deleted, or the Pod is deleted by force. The last two risk two running Pods of one identity.",
		Keys: []decision.Key{keyPod},
		Line: tells("%s is being deleted: its ordinal is filled when it is gone", keyPod),
	},
	{
		ID: WaitGoneBefore, Title: "OrderedReady deletes one Pod after the other", Source: controlFile + "processCondemned (v1.37.1)",
		Text: "While a Pod beyond the ordinals is being deleted, the next is not, and no Pod is updated.",
		Keys: []decision.Key{keyNext, keyPod},
		Line: func(fs decision.Facts) string {
			if next := fs.Str(keyNext); next != "" {
				return fmt.Sprintf("%s is being deleted: %s is deleted when it is gone", fs.Str(keyPod), next)
			}
			return fs.Str(keyPod) + ", beyond the ordinals, is being deleted: all else waits for that"
		},
	},
	{
		ID: WaitBeforeDelete, Title: "OrderedReady deletes no Pod while another one is not available", Source: controlFile + "processCondemned (v1.37.1)",
		Text: "A Pod beyond the ordinals that is not ready is deleted only if it is the first that is not available.",
		Keys: []decision.Key{keyNext, keyPod},
		Line: func(fs decision.Facts) string {
			if fs.Str(keyNext) == fs.Str(keyPod) {
				return fs.Str(keyPod) + " is deleted when it is available"
			}
			return fmt.Sprintf("%s is deleted when %s is available", fs.Str(keyNext), fs.Str(keyPod))
		},
	},
	{
		ID: WaitUpdated, Title: "The update waits for a Pod that is not available", Source: rollFunc,
		Text: "Pods are updated from the highest ordinal down, one at a time: the next when all above it are available; up to 1.33 when they are ready.",
		Keys: []decision.Key{keyPod},
		Line: tells("%s is not available: Pods below it are updated when it is", keyPod),
	},
	{
		ID: UnavailableUsedUp, Title: "As many Pods are unavailable as maxUnavailable allows", Source: rollFunc, Versions: "with the gate MaxUnavailableStatefulSet: on by default from 1.35.0 to 1.35.3, and since 1.37",
		Text: "All Pods of the ordinals count that are not available, of whatever revision. Until 1.36, a Pod of an old revision that is not available counts as well, and is not replaced while the budget is used up: a broken revision blocks its own fix (kubernetes#137409). Since 1.37, Parallel replaces those first.",
		Keys: []decision.Key{decision.KeyMaxUnavailable, keyToDelete, keyUnavailable},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%s unavailable, and maxUnavailable is %s: no Pod is deleted to be updated", pods(fs.Int(keyUnavailable)), fs.Str(decision.KeyMaxUnavailable))
		},
	},
	{
		ID: DeleteLater, Title: "Pods beyond spec.replicas are deleted one by one", Source: controlFile + "processCondemned, runForAll (v1.37.1)",
		Text: "With OrderedReady, a sync deletes the highest Pod alone. The next one is deleted when that is gone, and all Pods below it are ready and available.",
		Keys: []decision.Key{keyClaims, keyNext, keyPod},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("when %s is gone: %s, one by one (OrderedReady)", fs.Str(keyPod), fs.Str(keyNext)) + alsoDeleted(fs.Str(keyClaims))
		},
	},
	{
		ID: UpdateLater, Title: "Pods of other revisions are updated by later syncs", Source: rollFunc,
		Text:     "RollingUpdate updates the highest Pod first, and the next when that one is available again; with the gate MaxUnavailableStatefulSet, as many as rollingUpdate.maxUnavailable allows. OrderedReady creates Pods that are missing before it updates any, and deletes those beyond the ordinals.",
		Question: asks("NOT ALL AT ONCE"),
		Keys:     []decision.Key{decision.KeyMaxUnavailable, keyNames, keyPods},
		Line: func(fs decision.Facts) string {
			switch n := fs.Int(decision.KeyMaxUnavailable); {
			case fs.Int(keyPods) == 1:
				return fs.Str(keyNames) + " is updated after that"
			case n > 1:
				return fmt.Sprintf("%s are updated as maxUnavailable (%d) allows, the highest ordinal first", fs.Str(keyNames), n)
			}
			return fs.Str(keyNames) + " are updated one after the other, the highest ordinal first"
		},
	},
	{
		ID: PartitionKeeps, Title: "Pods below the partition keep their revision", Source: rollFunc,
		Text:     "Pods whose place among the ordinals is below rollingUpdate.partition are not updated. One that is created again there gets the current revision.",
		Question: asks("NOT ALL UPDATED"), Keys: []decision.Key{keyPartition, keyPods, keyRevision},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%s another revision than %s: below partition %s", keep(fs.Int(keyPods)), fs.Str(keyRevision), fs.Str(keyPartition))
		},
	},
	{
		ID: OnDeleteKeeps, Title: "OnDelete updates no Pod", Source: controlFile + "updateStatefulSet (v1.37.1)",
		Text:     "A Pod gets the update revision when somebody deletes it.",
		Question: asks("NOT ALL UPDATED"), Keys: []decision.Key{keyNames, keyPods, keyRevision},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%s another revision than %s until deleted (OnDelete): %s", keep(fs.Int(keyPods)), fs.Str(keyRevision), fs.Str(keyNames))
		},
	},
	{
		ID: NameInUse, Title: "The name of a Pod is taken", Source: podFile + "CreateStatefulPod (v1.37.1)",
		Text: "A Pod of this name exists that the StatefulSet does not own and may not adopt: it has another controller, or labels that the selector does not match, as one that is released, or it has no phase, which the API server gives each Pod. The creation is refused and the sync fails, until that Pod is gone or its labels match.",
		Keys: []decision.Key{keyPod, keyWhat},
		Line: tells("a Pod %s exists that %s: it can't be created", keyPod, keyWhat),
	},
	{
		ID: VolumesCantChange, Title: "The volumes of a Pod are immutable", Source: podFile + "UpdateStatefulPod; pkg/apis/core/validation/validation.go ValidatePodUpdate (v1.37.1)",
		Text: "A Pod that was not created from these volumeClaimTemplates, as one that was adopted, lacks the volume of a claim. Each sync tries to add it, and the API server refuses that, until the Pod is deleted and created again.",
		Keys: []decision.Key{keyClaims, keyPod},
		Line: tells("%s has no volume of PVC %s, and the volumes of a Pod are immutable", keyPod, keyClaims),
	},
	{
		ID: LabelTooLong, Title: "The name of the StatefulSet is too long for its Pods", Source: utilsFile + "updateIdentity, newVersionedStatefulSetPod; apimachinery pkg/apis/meta/v1/validation ValidateLabels (v1.37.1)",
		Text: "The labels statefulset.kubernetes.io/pod-name and controller-revision-hash hold the name of the Pod and that of its revision, which has up to 11 characters more than the StatefulSet's. A label value has at most 63: the API server refuses Pods with longer ones. Names of StatefulSets of up to 52 characters are safe (kubernetes#64023).",
		Keys: []decision.Key{keyCharacters, keyLabel, keyPod},
		Line: tells("%s can't be created: the value of its label %s has %s characters, and at most 63 are allowed", keyPod, keyLabel, keyCharacters),
	},
	{
		ID: SpecNotObserved, Title: "The controller has not observed the newest spec", Source: controlFile + "updateStatefulSet (v1.37.1)",
		Text: "status.observedGeneration is behind metadata.generation.",
		Keys: []decision.Key{keyGeneration, keyObserved},
		Line: tells("generation %s is observed, and %s is stored", keyObserved, keyGeneration),
	},
	{
		ID: CreateRefused, Title: "The API server refuses a creation", Source: podFile + "CreateStatefulPod (v1.37.1)",
		Text: "A quota, a LimitRange, validation or the deletion of the namespace refuses the Pod or a volume claim of it. The sync fails there, and is repeated with back-off.",
		Keys: []decision.Key{keyError, keyWhat},
		Line: tells("%s is refused: %s", keyWhat, keyError),
	},
	{
		ID: FailedCreateEvent, Title: "Creations were refused", Source: podFile + "recordPodEvent, recordClaimEvent (v1.37.1)",
		Text: "The newest FailedCreate event of the StatefulSet, while no Pod was created after it and it is not older than the longest back-off. Events are aggregated and rate-limited: a low count or an old one proves nothing.",
		Keys: []decision.Key{keyAge, keyCount, keyMessage},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("FailedCreate ×%d, last %s ago: %s", fs.Int(keyCount), fs.Brief(keyAge), fs.Str(keyMessage))
		},
	},
}

// replaced says which revision takes the place of which.
func replaced(by string) func(decision.Facts) string {
	return func(fs decision.Facts) string {
		of := "no label of a revision"
		if name := fs.Str(keyRevision); name != "" {
			of = "revision " + name
		}
		return of + by + fs.Str(keyUpdate)
	}
}

func pods(n int64) string {
	if n == 1 {
		return "1 Pod is"
	}
	return fmt.Sprintf("%d Pods are", n)
}

// beyond says why an ordinal is none of a set's.
func beyond(ordinal, first, last, replicas int64) string {
	switch {
	case replicas == 0:
		return fmt.Sprintf("ordinal %d, and spec.replicas is 0", ordinal)
	case ordinal < first:
		return fmt.Sprintf("ordinal %d, and the first is %d (spec.ordinals.start)", ordinal, first)
	}
	return fmt.Sprintf("ordinal %d, and the last is %d (spec.replicas %d)", ordinal, last, replicas)
}

func keep(n int64) string {
	if n == 1 {
		return "1 Pod keeps"
	}
	return fmt.Sprintf("%d Pods keep", n)
}
