package orphans

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// knownRules say what a pod is to a controller that is not modelled.
var knownRules = decision.Catalogue{
	{
		ID: ThenInstance, Title: "The adopted pod is one of the StatefulSet's instances",
		Source: "pkg/controller/statefulset/stateful_set_control.go updateStatefulSet (v1.37.1)",
		Text:   "The ordinal in its name is one that the StatefulSet wants: the pod takes that place, and none is created for it. A pod whose label controller-revision-hash is not that of the newest revision counts as outdated, and the rolling update deletes it in its turn.",
		Line: func(fs decision.Facts) string {
			text := fmt.Sprintf("then has it as instance %d", fs.Int("ordinal"))
			if fs.Str("outdated") == "true" {
				text += " until the rolling update replaces it: it does not bear the newest revision"
			}
			return text
		},
	},
	{
		ID: ThenCondemned, Title: "The adopted pod is beyond the StatefulSet's instances",
		Source: "pkg/controller/statefulset/stateful_set_control.go updateStatefulSet (v1.37.1)",
		Text:   "The ordinal in its name is not among those that the StatefulSet wants. Such pods are deleted, the highest ordinal first; with podManagementPolicy OrderedReady once all instances are ready.",
		Line: func(fs decision.Facts) string {
			if fs.Int("last") < fs.Int("first") {
				return "then deletes it: it wants no instance"
			}
			return fmt.Sprintf("then deletes it in its turn: ordinal %d is not among %d to %d", fs.Int("ordinal"), fs.Int("first"), fs.Int("last"))
		},
	},
	{
		ID: ThenNameTaken, Title: "A released pod keeps the name of a StatefulSet's instance",
		Source: "pkg/controller/statefulset/stateful_pod_control.go CreateStatefulPod (v1.37.1)",
		Text:   "The StatefulSet misses the instance and tries to create a pod of the same name, which the API server refuses as long as the released one exists.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("then misses instance %d and can't create it while %s exists", fs.Int("ordinal"), fs.Str("pod"))
		},
	},
	{
		ID: ThenOnNode, Title: "The adopted pod is the DaemonSet's on its node",
		Source: "pkg/controller/daemon/daemon_controller.go podsShouldBeOnNode (v1.37.1)",
		Text:   "A DaemonSet wants one pod on each node that it is for. Where it then has several, all but the oldest go; where it wants none, this one goes.",
		Line:   func(decision.Facts) string { return "then has it on its node, and keeps no more than one there" },
	},
	{
		ID: ThenNodeMisses, Title: "The DaemonSet misses its pod on a node",
		Source: "pkg/controller/daemon/daemon_controller.go podsShouldBeOnNode (v1.37.1)",
		Text:   "The released pod does not count any more. If the DaemonSet is for that node and has no other pod there, it creates one.",
		Line:   func(decision.Facts) string { return "then creates another on its node, if it wants one there" },
	},
	{
		ID: ThenCountedByJob, Title: "The adopted pod counts for the Job",
		Source: "pkg/controller/job/job_controller.go getPodsForJob, manageJob (v1.37.1)",
		Text:   "The adoption also puts the finalizer batch.kubernetes.io/job-tracking on the pod. While it runs, it is one of spec.parallelism; when it ends, the Job counts it as succeeded or failed and takes the finalizer off.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("then counts it as one of %d at a time, and marks it with the finalizer %s", fs.Int("parallelism"), fs.Str("finalizer"))
		},
	},
	{
		ID: ThenJobMisses, Title: "The Job does not count the released pod any more",
		Source: "pkg/controller/job/job_controller.go getPodsForJob, manageJob (v1.37.1)",
		Text:   "The release takes the finalizer batch.kubernetes.io/job-tracking off the pod. The Job creates another if it then has too few.",
		Line: func(decision.Facts) string {
			return "then does not count it, and creates another if it has too few"
		},
	},
}
