package ownership

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// The rules of claiming that hold for some kinds of controllers only.
const (
	NotMember        = "NotMember"
	NeverAdopts      = "NeverAdopts"
	EndedOrphan      = "EndedOrphan"
	NotLookedAt      = "NotLookedAt"
	FinishedJob      = "FinishedJob"
	ManagedElsewhere = "ManagedElsewhere"
	FailsAbroad      = "FailsAbroad"
)

// The rules of Kruise's ref manager.
const (
	KruiseRefManager = "KruiseRefManager"
	ReadFromCache    = "ReadFromCache"
)

const refManager = "openkruise/kruise pkg/util/refmanager/ref_manager.go claimObject, adopt, release, canAdopt; pkg/util/client/client.go NewClientFromManager (v1.9.1)"

// RefManagerRules is the part of a catalogue about Kruise's ref manager.
var RefManagerRules = decision.Catalogue{
	{
		ID: KruiseRefManager, Title: "Kruise claims by a ref manager of its own", Source: refManager,
		Text: "It decides as Kubernetes' does, but reads and writes differently. It writes the whole object by an update, where Kubernetes' patches ownerReferences alone with the UID as a precondition: any other change meanwhile is a conflict, and the sync is repeated. It reads its own object before an adoption through the manager's client, which answers from the cache. An object that is gone meanwhile fails the sync, because the error is wrapped as text and not known as NotFound any more; Kubernetes' goes on. A CloneSet hands it only Pods whose ownerReferences have its UID.",
		Says: "by Kruise's ref manager: it updates the whole object instead of patching ownerReferences, reads itself from the cache and not live before it adopts, and fails the sync on an object that is gone; a CloneSet finds no Pod without a reference to it",
	},
	{
		ID: ReadFromCache, Title: "Kruise's ref manager reads its own object from the cache", Source: refManager,
		Text: "Before the first adoption of a sync it looks whether its own object has another UID or is being deleted, as Kubernetes' controllers do. It asks the manager's cache, not the API server: a deletion that the cache has not seen yet does not keep it from adopting.",
		Keys: []decision.Key{keyOwner, keyUID},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%s reads itself once before it adopts, from the manager's cache and not from the API server: %s%s", fs.Str(keyOwner), found(fs), whole(fs))
		},
	},
}

// RefManagerDiffers says how Kruise's ref manager differs from that of Kubernetes.
func RefManagerDiffers() decision.Ruling { return decision.Ruled(KruiseRefManager) }

// whole says how an adoption of Kruise is written.
func whole(fs decision.Facts) string {
	if fs.Str(keyError) != "" {
		return ""
	}
	return " by an update of the whole object"
}

// KindRules is the catalogue of those rules.
var KindRules = decision.Catalogue{
	{
		ID: NotMember, Title: "A StatefulSet claims only Pods of its name",
		Source: "pkg/controller/statefulset/stateful_set_utils.go isMemberOf (v1.37.1)",
		Text:   "Besides the selector, the Pod's name must be that of the StatefulSet, a dash and an ordinal. An orphan with another name is not adopted; a Pod of the set whose name does not fit is released.",
		Keys:   []decision.Key{keyName, keyPattern},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("labels match, but the name %s is not of the form %s", fs.Str(keyName), fs.Str(keyPattern))
		},
	},
	{
		ID: NeverAdopts, Title: "A CloneSet or BroadcastJob adopts no orphans",
		Source: "openkruise/kruise pkg/controller/cloneset/cloneset_controller.go claimPods, getOwnedPods; broadcastjob/broadcastjob_controller.go Reconcile (v1.9.1)",
		Text:   "A CloneSet looks only at Pods that refer to it in their owner references. Labels that match its selector wake it up, but it does not adopt a Pod without ownerReferences. A BroadcastJob looks only at Pods that it controls.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("labels match, but a %s never adopts", fs.Str(keyKind))
		},
	},
	{
		ID: EndedOrphan, Title: "A Pod that ended is not adopted",
		Source: "pkg/controller/replicaset/replica_set.go syncReplicaSet, controller.FilterActivePods (v1.37.1)",
		Text:   "The Pod succeeded or failed. ReplicaSets and ReplicationControllers leave such Pods out before they claim.",
		Line:   func(decision.Facts) string { return "labels match, but the Pod has ended" },
	},
	{
		ID: NotLookedAt, Title: "An own object that the controller does not look at is not released",
		Source: "pkg/controller/replicaset/replica_set.go syncReplicaSet; pkg/controller/history/controller_history.go ListControllerRevisions (v1.37.1)",
		Text:   "The object no longer matches the selector, but the controller left it out before it claimed: a Pod that ended or is being deleted, or a revision of a StatefulSet, which lists revisions by label, or a workload of a UnitedDeployment, which does so with its subsets.",
		Line:   func(decision.Facts) string { return "no longer matches, but the controller does not look at it" },
	},
	{
		ID: FinishedJob, Title: "A finished Job claims nothing",
		Source: "pkg/controller/job/job_controller.go syncJob (v1.37.1)",
		Text:   "The Job has a condition Complete or Failed. Its sync ends before it lists Pods.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("labels match, but the Job is finished (%s)", fs.Str(keyCondition))
		},
	},
	{
		ID: ManagedElsewhere, Title: "A Job managed by another controller is left to it",
		Source: "pkg/controller/job/job_controller.go managedByExternalController (v1.37.1)",
		Text:   "spec.managedBy names another controller. The built-in one skips the Job; what the other does is not known.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("labels match, but the Job is managed by %s", fs.Str(keyManagedBy))
		},
	},
	{
		ID: FailsAbroad, Title: "A UnitedDeployment fails on an orphan of another namespace",
		Source: "openkruise/kruise pkg/controller/uniteddeployment/revision.go controlledHistories (v1.9.1); controller-runtime pkg/controller/controllerutil SetControllerReference",
		Text:   "A UnitedDeployment lists revisions by label in all namespaces, and tries to adopt those without a controller. Nothing can be owned from another namespace, so that its reconcile ends with an error, each time, until the object is gone, has a controller or other labels. The object stays as it is.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("labels match, but it is in namespace %s, and each of its reconciles fails on this one", fs.Str(KeyNamespace))
		},
	},
}
