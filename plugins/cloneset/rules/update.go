package rules

import (
	"fmt"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/inplace"
)

// The rules of refreshing and updating pods.
const (
	PodNormal         = "PodNormal"
	PreNormalHeld     = "PreNormalHeld"
	PreparingStays    = "PreparingStays"
	UpdateArrived     = "UpdateArrived"
	UpdateFinished    = "UpdateFinished"
	UpdatedHeld       = "UpdatedHeld"
	CompletionUnknown = "CompletionUnknown"
	TemplateHashAdded = "TemplateHashAdded"
	InPlaceReadySet   = "InPlaceReadySet"
	NextBatch         = "NextBatch"
	GraceDropped      = "GraceDropped"
	GraceOver         = "GraceOver"

	UpdateArithmetic   = "UpdateArithmetic"
	InPlaceUpdate      = "InPlaceUpdate"
	ContainersChange   = "ContainersChange"
	UpdateHooked       = "UpdateHooked"
	UpdateRestarted    = "UpdateRestarted"
	RecreateNotInPlace = "RecreateNotInPlace"
	RecreateAlways     = "RecreateAlways"
	RecreateMarked     = "RecreateMarked"
	InPlaceOnlyRefused = "InPlaceOnlyRefused"
	StateRefused       = "StateRefused"
	UpdateFailed       = "UpdateFailed"

	PodUpdated            = "PodUpdated"
	UpdateInProgress      = "UpdateInProgress"
	UpdatedUnavailable    = "UpdatedUnavailable"
	PartitionKept         = "PartitionKept"
	UpdatePaused          = "UpdatePaused"
	ScaledInstead         = "ScaledInstead"
	RefreshFailed         = "RefreshFailed"
	RefreshedInstead      = "RefreshedInstead"
	OnDeleteIgnored       = "OnDeleteIgnored"
	MaxUnavailableReached = "MaxUnavailableReached"
	TargetUnavailable     = "TargetUnavailable"
	BeingDeleted          = "BeingDeleted"
	InGrace               = "InGrace"
	HookHolds             = "HookHolds"
	RefusedAhead          = "RefusedAhead"
)

var refreshRules = decision.Catalogue{
	{
		ID: PodNormal, Title: "A new Pod becomes Normal", Source: refreshFunc,
		Text: "With a preNormal hook, when all of the hook's labels and finalizers are there; without one, when the Pod is on a node (since 1.9) or at once (before). Until then the Pod counts as unavailable.",
		Says: "PreparingNormal is over",
	},
	{
		ID: PreNormalHeld, Title: "The preNormal hook is not complete", Source: refreshFunc,
		Text: "All of the hook's labels and finalizers have to be on the Pod before it becomes Normal. Until then it counts as unavailable.",
		Keys: []decision.Key{KeyMissing, KeyPod},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("Pod %s waits in PreparingNormal for %s", fs.Str(KeyPod), fs.Str(KeyMissing))
		},
	},
	{
		ID: PreparingStays, Title: "Pods stay in PreparingUpdate", Source: refreshFunc,
		Text: "Their update began, and is not due now: updates are paused, or the partition keeps their revision. They count as unavailable, also after the hook's labels and finalizers are removed, until their update continues.",
		Keys: []decision.Key{KeyCount, KeyPods, KeyWhy},
		Line: func(fs decision.Facts) string {
			pods := "Pod " + fs.Str(KeyPods) + " stays"
			if fs.Int(KeyCount) > 1 {
				pods = "Pods " + fs.Str(KeyPods) + " stay"
			}
			return fmt.Sprintf("%s in PreparingUpdate, and unavailable, while %s", pods, fs.Str(KeyWhy))
		},
	},
	{
		ID: UpdateArrived, Title: "An updated Pod waits for its hook", Source: refreshFunc,
		Text: "The Pod's update is done, and lifecycle is set: it enters Updated until all labels and finalizers of the inPlaceUpdate hook are on it again. A lifecycle without that hook also passes through Updated.",
		Keys: []decision.Key{KeyFrom},
		Line: func(fs decision.Facts) string { return updateOver(fs) + "; Updated comes before Normal" },
	},
	{
		ID: UpdateFinished, Title: "An updated Pod becomes Normal", Source: refreshFunc,
		Text: "The update is done and no hook is missing. A Pod in PreparingUpdate was not updated yet: where the template returns to its revision, no update of it is due any more (kruise#1156).",
		Keys: []decision.Key{KeyFrom},
		Line: updateOver,
	},
	{
		ID: UpdatedHeld, Title: "The hook of an updated Pod is not complete", Source: refreshFunc,
		Text: "The Pod stays in Updated, and unavailable, until all labels and finalizers of lifecycle.inPlaceUpdate are on it.",
		Keys: []decision.Key{KeyMissing, KeyPod},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("Pod %s waits in Updated for %s", fs.Str(KeyPod), fs.Str(KeyMissing))
		},
	},
	{
		ID: CompletionUnknown, Title: "Whether an in-place update is done is not known", Source: "pkg/util/inplaceupdate/inplace_update_defaults.go DefaultCheckInPlaceUpdateCompleted (Kruise v1.9.1)",
		Text: "It turns on hashes that kruise-daemon reports, of text that a saved file leaves out: values of environment variables and arguments, or annotations. The Pod is shown as not done; ask the cluster itself.",
		Keys: []decision.Key{KeyPod, KeyWhy},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("whether the update of Pod %s is done is not known: it turns on %s", fs.Str(KeyPod), fs.Str(KeyWhy))
		},
	},
	{
		ID: TemplateHashAdded, Title: "A Pod without the label pod-template-hash gets it", Source: "pkg/controller/cloneset/sync/cloneset_update.go fixPodTemplateHashLabel (Kruise v1.9.1)",
		Text: "Pods of releases before 1.1 lack it. The sync that adds it updates nothing.",
		Keys: []decision.Key{KeyTo},
		Line: func(fs decision.Facts) string { return "label pod-template-hash=" + fs.Str(KeyTo) + " is added" },
	},
	{
		ID: InPlaceReadySet, Title: "The Pod's readiness gate is opened", Source: refreshInto,
		Text: "A Pod with the readiness gate InPlaceUpdateReady and no update under way gets the condition True. Without it the kubelet never reports the Pod ready.",
		Says: "condition InPlaceUpdateReady becomes True",
	},
	{
		ID: NextBatch, Title: "The next containers of a Pod are updated", Source: refreshInto,
		Text: "Containers with a launch priority are updated in batches, the highest first. A batch begins when the containers of the one before are done and ready. Of a batch of resources alone, none ever begins.",
		Keys: []decision.Key{KeyContainers, KeyLater},
		Line: func(fs decision.Facts) string {
			if fs.Str(KeyContainers) == "" {
				return "the next batch is of containers that the Pod has not"
			}
			return "the next batch of its containers is changed: " + fs.Str(KeyContainers) + afterThat(fs)
		},
	},
	{
		ID: GraceDropped, Title: "A grace period for another revision is dropped", Source: refreshInto,
		Text: "The Pod's revision has changed since the grace period began. It is updated again.",
		Keys: []decision.Key{KeyRevision},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("its grace period was for revision %s and is dropped", kruise.ShortHash(fs.Str(KeyRevision)))
		},
	},
	{
		ID: GraceOver, Title: "The grace period is over", Source: refreshInto,
		Text: "inPlaceUpdateStrategy.gracePeriodSeconds after it was marked not ready, the Pod's containers are changed.",
		Keys: []decision.Key{KeyLater, KeySeconds},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("its grace period of %ss is over: the containers are changed now%s", fs.Str(KeySeconds), afterThat(fs))
		},
	},
}

var updateRules = decision.Catalogue{
	{
		ID: UpdateArithmetic, Title: "How many Pods are updated", Source: diffsFunc,
		Text: "updateNum is how many Pods the partition leaves to update; updateMaxUnavailable bounds how many may be unavailable meanwhile. Without gate CloneSetPartitionRollback, raising the partition rolls back no Pod.",
		Keys: []decision.Key{KeyNewRevisionActiveCount, KeyOldRevisionActiveCount, KeyPartition, KeyReplicas, KeyUpdateNewDiff, KeyUpdateNum, KeyUpdateOldDiff},
		Line: func(fs decision.Facts) string {
			head := fmt.Sprintf("updateNum %d: updateOldDiff %d (%d old Pods − partition %d), updateNewDiff %d (%d updated − (replicas %d − partition %d))",
				fs.Int(KeyUpdateNum), fs.Int(KeyUpdateOldDiff), fs.Int(KeyOldRevisionActiveCount), fs.Int(KeyPartition),
				fs.Int(KeyUpdateNewDiff), fs.Int(KeyNewRevisionActiveCount), fs.Int(KeyReplicas), fs.Int(KeyPartition))
			if fs.Int(KeyUpdateNum) == 0 {
				return head
			}
			return head + fmt.Sprintf("; updateMaxUnavailable %d = maxUnavailable %d + Pods %d − replicas %d", fs.Int(KeyUpdateMaxUnavailable), fs.Int(decision.KeyMaxUnavailable), fs.Int(KeyPods), fs.Int(KeyReplicas))
		},
	},
	{
		ID: InPlaceUpdate, Title: "A Pod is updated in place", Source: updatePod,
		Text: "Only images of containers and metadata of the template differ (with gate InPlaceWorkloadVerticalScaling also requests and limits of cpu and memory). The Pod keeps its name, node, IP and volumes; its changed containers restart: all at once, or those of the highest launch priority first.",
		Keys: []decision.Key{KeyLater, KeySeconds, inplace.KeyImages, inplace.KeyMetadata, inplace.KeyResources, inplace.KeyRestarts},
		Line: inPlaceLine,
	},
	{
		ID: ContainersChange, Title: "What becomes of the containers of a Pod that is updated in place",
		Source: "pkg/kubelet/container/helpers.go HashContainer; pkg/kubelet/kuberuntime/kuberuntime_manager.go computePodActions (v1.37.1); openkruise/kruise pkg/daemon/containermeta (v1.9.1)",
		Text:   "The kubelet compares a hash of each container with that which the running one was started with, and restarts a container whose hash is another one, whatever the Pod's restartPolicy. Since 1.31 only name and image are hashed, before that the whole container. Labels and annotations are in no hash: where the environment of a container reads one that changes, kruise-daemon stops the container, and the kubelet starts it again. Requests and limits are changed in the running container, or by a restart if its resizePolicy says so.",
		Keys:   []decision.Key{inplace.KeyResized, inplace.KeyRestarts, inplace.KeyStay, inplace.KeyStops},
		Line:   containersLine,
	},
	{
		ID: UpdateHooked, Title: "A Pod enters PreparingUpdate first", Source: updatePod,
		Text: "The Pod has a label or finalizer of lifecycle.inPlaceUpdate. It is updated when whoever put it there takes it away.",
		Keys: []decision.Key{KeyHook},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("to PreparingUpdate: %s (inPlaceUpdate hook) holds it", fs.Str(KeyHook))
		},
	},
	{
		ID: UpdateRestarted, Title: "A Pod in Updated starts over", Source: updatePod,
		Text: "The Pod was updated, waits for its hook, and is to be updated again: it returns to PreparingUpdate with the hook's labels and finalizers.",
		Says: "from Updated back to PreparingUpdate, with its hook",
	},
	{
		ID: RecreateNotInPlace, Title: "A Pod that can't be updated in place is recreated", Source: inPlaceFunc,
		Text: "The templates differ in more than an in-place update can change. The Pod is marked for deletion; a later sync deletes it, with its volume claims, and the one after creates another.",
		Keys: []decision.Key{decision.KeyOp, inplace.KeyPath},
		Line: func(fs decision.Facts) string {
			return "not possible in place: " + forbidden(fs)
		},
	},
	{
		ID: RecreateAlways, Title: "The update type recreates Pods", Source: updatePod,
		Text: "updateStrategy.type is ReCreate. The Pod is marked for deletion; a later sync deletes it, with its volume claims, and the one after creates another. To keep Pods, set InPlaceIfPossible.",
		Keys: []decision.Key{KeyType},
		Line: func(fs decision.Facts) string { return "updateStrategy.type " + fs.Str(KeyType) },
	},
	{
		ID: RecreateMarked, Title: "A Pod is already marked for deletion", Source: updatePod,
		Text: "It bears the label apps.kruise.io/specified-delete, and is deleted as soon as maxUnavailable and PodUnavailableBudgets allow, and not before the Pods are created that maxSurge asks for. It takes a place of the update all the same.",
		Keys: []decision.Key{KeyBudget, KeyError},
		Line: func(fs decision.Facts) string {
			switch {
			case fs.Str(KeyError) != "":
				return "already marked for deletion; deleted once the creations are accepted"
			case fs.Str(KeyBudget) != "":
				return fmt.Sprintf("already marked for deletion; PodUnavailableBudget %s forbids deletions for now", fs.Str(KeyBudget))
			}
			return "already marked for deletion; maxUnavailable keeps it for now"
		},
	},
	{
		ID: InPlaceOnlyRefused, Title: "InPlaceOnly refuses a Pod, and with it those behind it", Source: updatePod,
		Text: "The Pod can't be updated in place, and updateStrategy.type forbids to recreate it. The sync ends with an error and updates none of the Pods behind it, in this and every later try.",
		Keys: []decision.Key{decision.KeyOp, inplace.KeyPath},
		Line: func(fs decision.Facts) string {
			return "InPlaceOnly, but not possible in place: " + forbidden(fs)
		},
	},
	{
		ID: StateRefused, Title: "A Pod in an unexpected state is refused", Source: updatePod,
		Text: "The sync ends with an error and updates none of the Pods behind it.",
		Keys: []decision.Key{KeyState},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("lifecycle state %q allows no update in place", fs.Str(KeyState))
		},
	},
	{
		ID: UpdateFailed, Title: "The API server refuses an update", Source: updateFunc,
		Text: "The sync ends with the error and updates none of the Pods behind this one.",
		Keys: []decision.Key{KeyError},
		Line: func(fs decision.Facts) string { return "refused: " + fs.Str(KeyError) },
	},
}

// updateOver says why the update of a Pod is over.
func updateOver(fs decision.Facts) string {
	if fs.Str(KeyFrom) == kruise.PreparingUpdate {
		return "not updated yet, and of the update revision again: no update is due"
	}
	return "its update is done"
}

func inPlaceLine(fs decision.Facts) string {
	var parts []string
	for _, key := range []decision.Key{KeyImages, KeyResources, KeyMetadata} {
		if v := fs.Str(key); v != "" {
			parts = append(parts, strings.TrimSuffix(string(key), "s")+" "+v)
		}
	}
	if v := fs.Str(KeyRestarts); v != "" {
		parts = append(parts, "restarts "+v)
	}
	if len(parts) == 0 {
		parts = append(parts, "nothing in the template differs")
	}
	if grace := fs.Str(KeySeconds); grace != "" && grace != "0" {
		parts = append(parts, "after a grace period of "+grace+"s")
	}
	return strings.Join(parts, "; ") + afterThat(fs)
}

// containersLine says what becomes of containers.
func containersLine(fs decision.Facts) string {
	var parts []string
	for _, part := range []struct {
		key  decision.Key
		text string
	}{
		{inplace.KeyRestarts, "the kubelet restarts "}, {inplace.KeyStops, "kruise-daemon stops, for their environment, "},
		{inplace.KeyResized, "the kubelet resizes "}, {inplace.KeyStay, "unchanged: "},
	} {
		if v := fs.Str(part.key); v != "" {
			parts = append(parts, part.text+v)
		}
	}
	return strings.Join(parts, "; ")
}

// afterThat names the containers whose launch priority has them come later.
func afterThat(fs decision.Facts) string {
	if later := fs.Str(KeyLater); later != "" {
		return "; " + later + " in a later batch"
	}
	return ""
}

// forbidden names what keeps a pod from being updated in place.
func forbidden(fs decision.Facts) string {
	switch path := fs.Str(KeyPath); path {
	case "revision":
		return "the Pod's revision is not kept any more"
	case "template":
		return "the template does not decode"
	default:
		return fs.Str(decision.KeyOp) + " " + path
	}
}

var podUpdateRules = decision.Catalogue{
	podRule(PodUpdated, "A Pod is of the revision it shall be", updateFunc, "Nothing is left to do.", says("updated")),
	podRule(UpdateInProgress, "A Pod is being updated", refreshFunc, "It carries the new revision, and its containers are not all replaced yet.", says("being updated in place")),
	podRule(UpdatedUnavailable, "An updated Pod is not available", limitFunc, "It counts against maxUnavailable, and holds up Pods that still wait.", func(fs decision.Facts) string {
		if st := fs.Str(KeyState); st != "" && st != kruise.Normal {
			return "updated, not available (" + st + ")"
		}
		return "updated, not available"
	}, KeyState),
	podRule(PartitionKept, "The partition keeps a Pod on its revision", diffsFunc, "As many Pods as updateStrategy.partition says stay as they are. A partition of percent is rounded up.", func(fs decision.Facts) string {
		if fs.Int(KeyPartition) == 0 {
			return "not updated now: enough Pods are, or are about to be"
		}
		return fmt.Sprintf("by partition %d of %d", fs.Int(KeyPartition), fs.Int(KeyReplicas))
	}, KeyPartition, KeyReplicas),
	podRule(UpdatePaused, "The rollout is paused", updateFunc, "updateStrategy.paused stops updates. Scaling continues, without surge; Pods that it creates beyond the partition are of the new revision.", says("updateStrategy.paused")),
	podRule(ScaledInstead, "A sync that scales does not update", "pkg/controller/cloneset/cloneset_controller.go syncCloneSet (Kruise v1.9.1)", "Creations and deletions come first. The update follows when all of them have been seen.", func(fs decision.Facts) string {
		if fs.Int(KeyPartition) == 0 {
			return "this sync scales; updates come after"
		}
		return fmt.Sprintf("this sync scales; later ones update all but %d of %d Pods (partition)", fs.Int(KeyPartition), fs.Int(KeyReplicas))
	}, KeyPartition, KeyReplicas),
	podRule(RefreshedInstead, "A sync that refreshes Pods does not update", updateFunc, "Changes of a Pod's lifecycle state, of its label with the hash of the template or of its readiness gate are seen first; the update follows in the next sync.", says("this sync refreshes Pods; updates come after")),
	podRule(RefreshFailed, "A Pod that can't be refreshed ends the update", refreshFunc, "Before any update, every Pod's own progress is looked after. A write that is refused there, or an annotation of an earlier update that does not parse, ends the sync with an error.", says("a Pod's refresh failed")),
	podRule(OnDeleteIgnored, "Type OnDelete updates nothing", updateFunc, "The update step ends at once. In 1.9 that also leaves out the refresh of Pods: those with the readiness gate InPlaceUpdateReady never become ready.", says("updateStrategy.type OnDelete: Pods are neither updated nor refreshed")),
	podRule(MaxUnavailableReached, "As many Pods are unavailable as may be", limitFunc, "An available Pod is updated only while fewer than updateMaxUnavailable Pods are unavailable. Old Pods that are not available cost nothing here.", func(fs decision.Facts) string {
		return fmt.Sprintf("%d of at most %d Pods are or become unavailable", fs.Int(KeyUnavailable), fs.Int(KeyUpdateMaxUnavailable))
	}, KeyUnavailable, KeyUpdateMaxUnavailable),
	podRule(TargetUnavailable, "As many updated Pods are unavailable as may be", limitFunc, "Pods of the target revision that are not available, with those that this sync updates, may be no more than updateMaxUnavailable.", func(fs decision.Facts) string {
		if fs.Int(KeyUpdateMaxUnavailable) <= 0 {
			return "no Pod may become unavailable"
		}
		return fmt.Sprintf("%d of at most %d Pods of the new revision are or become unavailable", fs.Int(KeyTargetUnavailable)+fs.Int(KeyCount), fs.Int(KeyUpdateMaxUnavailable))
	}, KeyCount, KeyTargetUnavailable, KeyUpdateMaxUnavailable),
	podRule(BeingDeleted, "A Pod in PreparingDelete is not updated", updateFunc, "Its deletion has begun.", func(fs decision.Facts) string {
		if pod := fs.Str(KeyPod); pod != "" {
			return "Pod " + pod + " is in PreparingDelete"
		}
		return "in PreparingDelete"
	}),
	podRule(InGrace, "A Pod in its grace period is not updated again", updateFunc, "An in-place update of it is under way: it was marked not ready, and its containers are changed when the period is over.", says("in its grace period")),
	podRule(HookHolds, "The inPlaceUpdate hook holds a Pod", updatePod, "The Pod waits in PreparingUpdate until the hook's label or finalizer is removed. It takes one of the places of the update.", func(fs decision.Facts) string {
		return fmt.Sprintf("in PreparingUpdate until %s is removed", fs.Str(KeyHook))
	}, KeyHook),
	podRule(RefusedAhead, "A refused Pod holds up those behind it", updateFunc, "The sync ends with the first Pod that can't be updated.", func(fs decision.Facts) string {
		return fmt.Sprintf("behind Pod %s, whose update is refused", fs.Str(KeyPod))
	}, KeyPod),
}

// podRule is a rule about where a pod stands in a rollout.
//
//go:noinline
func podRule(id, title, source, text string, line func(decision.Facts) string, keys ...decision.Key) decision.Rule {
	return decision.Rule{ID: id, Title: title, Source: source, Text: text, Keys: keys, Line: line}
}
