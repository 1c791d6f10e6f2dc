package handlers

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// The branches of event handlers.
const (
	TargetAdded    = "TargetAdded"
	TargetUpdated  = "TargetUpdated"
	TargetResynced = "TargetResynced"
	TargetReplaced = "TargetReplaced"
	TargetDeleted  = "TargetDeleted"

	DependentAdded       = "DependentAdded"
	DependentUpdated     = "DependentUpdated"
	DependentLeft        = "DependentLeft"
	DependentTerminating = "DependentTerminating"
	DependentDeleted     = "DependentDeleted"
	OrphanAdded          = "OrphanAdded"
	OrphanUpdated        = "OrphanUpdated"

	BecameReady        = "BecameReady"
	ExistingDependent  = "ExistingDependent"
	RecreatePodDeleted = "RecreatePodDeleted"
	RecreatePodsLeft   = "RecreatePodsLeft"
	UpdateUnheard      = "UpdateUnheard"
	UpdateUnsure       = "UpdateUnsure"

	OwnerNotHere     = "OwnerNotHere"
	Resynced         = "Resynced"
	OrphanNotMatched = "OrphanNotMatched"
	OrphanUnchanged  = "OrphanUnchanged"
	OrphanDeleted    = "OrphanDeleted"
)

// What is listened to of an update of a CloneSet's pod, and why it is not, while
// the gate CloneSetEventHandlerOptimization is on: the fact "why" of the ruling.
const (
	NoOwner            = "the CloneSet is not in the cache"
	GenerationChanged  = "its generation changed"
	PreDeleteMoved     = "a finalizer of the hook preDelete came or went"
	InPlaceUpdateMoved = "a finalizer of the hook inPlaceUpdate came or went"
	PreNormalMoved     = "a finalizer of the hook preNormal came or went"
	ReadinessChanged   = "it became ready or unready"
	ActivityChanged    = "it came to its end"
	InPlaceDone        = "its update in place is done"
	MayBeResized       = "its update in place is done, and resources may be updated (InPlaceWorkloadVerticalScaling)"

	NothingChanged  = "nothing changed that counts"
	StateUnreadable = "the record of its update in place can't be read"
	InPlaceGoesOn   = "its in-place update continues"
	ConditionTrue   = "InPlaceUpdateReady is True already"
)

const (
	setHandlers   = "pkg/controller/replicaset/replica_set.go addRS, updateRS, deleteRS; deployment_controller.go addDeployment, updateDeployment, deleteDeployment (v1.37.1); kruise pkg/controller/cloneset/cloneset_controller.go add (v1.9.1)"
	podHandlers   = "pkg/controller/replicaset/replica_set.go addPod, updatePod, deletePod (v1.37.1); kruise cloneset_event_handler.go (v1.9.1)"
	kruiseHandler = "kruise pkg/controller/cloneset/cloneset_event_handler.go (v1.9.1)"
	kruiseIgnores = "kruise pkg/controller/cloneset/core/cloneset_core.go IgnorePodUpdateEvent (v1.9.1)"
)

// Rules is the catalogue of the branches.
var Rules = decision.Catalogue{
	{
		ID: TargetAdded, Title: "An object that the controller syncs came into its cache", Source: setHandlers,
		Text: "Its key is enqueued, once for every object when the controller starts.",
		Says: "new to the cache",
	},
	{
		ID: TargetUpdated, Title: "An object that the controller syncs was written", Source: setHandlers,
		Text: "Its key is enqueued, whatever was written: also the controller's own status updates come back this way.",
		Line: func(fs decision.Facts) string {
			if was, is := fs.Int(keyOldGeneration), fs.Int(keyGeneration); was != is {
				return "spec changed (generation " + fs.Str(keyOldGeneration) + " → " + fs.Str(keyGeneration) + ")"
			}
			return "spec unchanged"
		},
	},
	{
		ID: TargetResynced, Title: "The informer repeats an object that the controller syncs", Source: setHandlers,
		Text: "Its key is enqueued even so: a set whose creations failed is not left alone for ever.",
		Says: "repeated, the resource version is the same",
	},
	{
		ID: TargetReplaced, Title: "Another object of the same name took its place", Source: setHandlers,
		Text: "The informer saw no deletion in between. What was expected for the old object is dropped, so that the new one starts clean.",
		Says: "another UID: the old one counts as deleted, its expectations are dropped",
	},
	{
		ID: TargetDeleted, Title: "An object that the controller syncs is gone", Source: setHandlers,
		Text: "Its key is enqueued once more. The ReplicaSet controller drops what was expected for it at once, the others when the sync finds nothing.",
		Line: func(fs decision.Facts) string {
			if fs.Str(keyForgets) == "true" {
				return "gone: its expectations are dropped"
			}
			return "gone"
		},
	},
	{
		ID: DependentAdded, Title: "An owned object came into the cache", Source: podHandlers,
		Text: "One creation less is expected of its owner, whose key is enqueued. For a ReplicaSet of a Deployment nothing is counted.",
		Line: func(fs decision.Facts) string {
			return "owner " + fs.Str(KeyOwner) + counted(fs, ": creation observed")
		},
	},
	{
		ID: DependentUpdated, Title: "An owned object was written", Source: podHandlers,
		Text: "Its owner's key is enqueued. No expectation is about updates. While Kruise's gate CloneSetEventHandlerOptimization is on, some updates of a CloneSet's Pods pass unheard, and the line says why this one does not.",
		Line: func(fs decision.Facts) string { return "owner " + fs.Str(KeyOwner) + because(fs) },
	},
	{
		ID: DependentLeft, Title: "An object no longer names its controller", Source: podHandlers,
		Text: "The former owner's key is enqueued, because it may now have one object too few.",
		Line: func(fs decision.Facts) string { return "left " + fs.Str(KeyOwner) },
	},
	{
		ID: DependentTerminating, Title: "An owned object is being deleted", Source: podHandlers,
		Text: "The deletion timestamp counts as the deletion: a replacement is made before the node has stopped the Pod. A deletion is counted only when this very one is expected.",
		Line: func(fs decision.Facts) string {
			return "being deleted, owner " + fs.Str(KeyOwner) + counted(fs, ": deletion observed")
		},
	},
	{
		ID: DependentDeleted, Title: "An owned object is gone", Source: podHandlers,
		Text: "A deletion is counted only when this very one is expected; most were counted when the deletion timestamp was set.",
		Line: func(fs decision.Facts) string {
			return "gone, owner " + fs.Str(KeyOwner) + counted(fs, ": deletion observed")
		},
	},
	{
		ID: OrphanAdded, Title: "An object without a controller came into the cache", Source: podHandlers,
		Text: "The keys of all whose selectors match are enqueued, to see whether one adopts it. No creation is observed: no controller expects an orphan.",
		Says: "orphan that the selector matches",
	},
	{
		ID: OrphanUpdated, Title: "An object without a controller changed its labels, or lost its controller", Source: podHandlers,
		Text: "The keys of all whose selectors match are enqueued, to see whether one adopts it.",
		Says: "orphan that the selector matches now",
	},
	{
		ID: BecameReady, Title: "A Pod became ready, and minReadySeconds have to pass", Source: podHandlers,
		Text:     "Nothing happens when it becomes available, so the key is enqueued for that moment.",
		Versions: "until 1.33 one second later",
		Line:     func(decision.Facts) string { return "became ready: looked at again when it is available" },
	},
	{
		ID: ExistingDependent, Title: "A CloneSet's Pod came into the cache while none was expected", Source: kruiseHandler,
		Text: "The manager takes it for one that was there before it started, and lets the key wait for 3s. It is meant to wait longer each time, up to 30s, but never does: the limiter is asked with a pointer that is another one each time.",
		Line: func(fs decision.Facts) string {
			return "owner " + fs.Str(KeyOwner) + ": nothing was expected, so it counts as an old one and the key waits"
		},
	},
	{
		ID: RecreatePodDeleted, Title: "A Pod of a Deployment is gone", Source: "pkg/controller/deployment/deployment_controller.go deletePod (v1.37.1)",
		Text:     "Only a Deployment of strategy Recreate waits for the end of Pods, and only its key is enqueued.",
		Versions: "until 1.36 only when no Pod of its ReplicaSets is left",
		Line:     func(fs decision.Facts) string { return "gone; " + fs.Str(KeyOwner) + " may wait for that (Recreate)" },
	},
	{
		ID: RecreatePodsLeft, Title: "A Pod of a Deployment is gone, and others are left", Source: "pkg/controller/deployment/deployment_controller.go deletePod, getPodMapForDeployment (v1.36.3)",
		Text:     "A Deployment of strategy Recreate is enqueued only when no Pod of its ReplicaSets is in the cache, also none that has finished. Until 1.35 these are the Pods that its selector matches; in 1.36 those whose controller reference has the ReplicaSet's kind, name and UID.",
		Versions: "until 1.36",
		Line: func(fs decision.Facts) string {
			return "gone; " + fs.Str(KeyOwner) + " is enqueued when the last Pod is gone, " + fs.Str(KeyLeft) + " left"
		},
	},
	{
		ID: UpdateUnheard, Title: "An update of a CloneSet's Pod passes unheard", Source: kruiseIgnores,
		Text:     "With the gate CloneSetEventHandlerOptimization, off by default, the key is enqueued only when the Pod's labels or owner, its generation, a finalizer of a lifecycle hook, its readiness or its being active changed, and for each update while an update in place is done and the readiness gate InPlaceUpdateReady is not True. With the gate InPlaceWorkloadVerticalScaling, an update in place that is done is enough.",
		Versions: "until 1.8 neither the finalizers of preNormal nor the end of a Pod are listened to; until 1.7 the end of an update in place only of Pods with the readiness gate",
		Line:     func(fs decision.Facts) string { return "owner " + fs.Str(KeyOwner) + because(fs) + ", not listened to" },
	},
	{
		ID: UpdateUnsure, Title: "Whether an update of a CloneSet's Pod is listened to is not known", Source: kruiseIgnores,
		Text: "With the gate CloneSetEventHandlerOptimization it turns on whether the update in place is done, which hashes that kruise-daemon reports decide. The key is enqueued here, the real controller may leave it.",
		Line: func(fs decision.Facts) string {
			return "owner " + fs.Str(KeyOwner) + ", possibly not watched: " + fs.Str(KeyWhy) + " decide"
		},
	},
	{
		ID: OwnerNotHere, Title: "The owner is another controller's, or not there", Source: podHandlers,
		Text: "The controller reference names another kind, or an object that is not in the cache under this UID.",
		Line: func(fs decision.Facts) string { return fs.Str(KeyOwner) + " is not this controller's" },
	},
	{
		ID: Resynced, Title: "The informer repeats an object", Source: podHandlers,
		Text: "The resource version is the same, so nothing is done.",
		Says: "repeated, the resource version is the same",
	},
	{
		ID: OrphanNotMatched, Title: "No selector matches an orphan", Source: podHandlers,
		Text: "No key is enqueued.",
		Says: "orphan that no selector matches",
	},
	{
		ID: OrphanUnchanged, Title: "An orphan changed in nothing that could get it adopted", Source: podHandlers,
		Text: "Only its labels and its owner matter.",
		Says: "orphan with the same labels",
	},
	{
		ID: OrphanDeleted, Title: "An orphan is gone", Source: podHandlers,
		Text: "No key is enqueued.",
		Says: "orphan",
	},
}

// because is the reason in the facts, if there is one.
func because(fs decision.Facts) string {
	if why := fs.Str(KeyWhy); why != "" {
		return ": " + why
	}
	return ""
}

func counted(fs decision.Facts, text string) string {
	if fs.Str(keyCounts) == "true" {
		return text
	}
	return ""
}
