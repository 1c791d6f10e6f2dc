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
