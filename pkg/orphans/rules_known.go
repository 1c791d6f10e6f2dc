package orphans

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// knownRules say what a pod is to a controller that is not modelled.
var knownRules = decision.Catalogue{
	{
		ID: ThenInstance, Title: "The adopted Pod is one of the StatefulSet's instances",
		Source: "pkg/controller/statefulset/stateful_set_control.go updateStatefulSet (v1.37.1)",
		Text:   "The ordinal in its name is one that the StatefulSet wants: the Pod takes that place, and none is created for it. A Pod whose label controller-revision-hash is not that of the newest revision counts as outdated, and the rolling update deletes it in its turn.",
		Line: func(fs decision.Facts) string {
			text := fmt.Sprintf("then has it as instance %d", fs.Int(keyOrdinal))
			if fs.Str(keyOutdated) == "true" {
				text += " until the rolling update replaces it: it does not bear the newest revision"
			}
			return text
		},
	},
	{
		ID: ThenCondemned, Title: "The adopted Pod is beyond the StatefulSet's instances",
		Source: "pkg/controller/statefulset/stateful_set_control.go updateStatefulSet (v1.37.1)",
		Text:   "The ordinal in its name is not among those that the StatefulSet wants. Such Pods are deleted, the highest ordinal first; with podManagementPolicy OrderedReady once all instances are ready.",
		Line: func(fs decision.Facts) string {
			if fs.Int(keyLast) < fs.Int(keyFirst) {
				return "then deletes it: it wants no instance"
			}
			return fmt.Sprintf("then deletes it in its turn: ordinal %d is not among %d to %d", fs.Int(keyOrdinal), fs.Int(keyFirst), fs.Int(keyLast))
		},
	},
	{
		ID: ThenNameTaken, Title: "A released Pod keeps the name of a StatefulSet's instance",
		Source: "pkg/controller/statefulset/stateful_pod_control.go CreateStatefulPod (v1.37.1)",
		Text:   "The StatefulSet misses the instance and tries to create a Pod of the same name, which the API server refuses as long as the released one exists.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("then misses instance %d and can't create it while %s exists", fs.Int(keyOrdinal), fs.Str(keyPod))
		},
	},
	{
		ID: ThenOnNode, Title: "The adopted Pod is the DaemonSet's on its node",
		Source: "pkg/controller/daemon/daemon_controller.go podsShouldBeOnNode (v1.37.1)",
		Text:   "A DaemonSet wants one Pod on each node that it is for. Where it then has several, all but the oldest are deleted; where it wants none, this one is deleted.",
		Line:   func(decision.Facts) string { return "then has it on its node, and keeps no more than one there" },
	},
	{
		ID: ThenNodeMisses, Title: "The DaemonSet misses its Pod on a node",
		Source: "pkg/controller/daemon/daemon_controller.go podsShouldBeOnNode (v1.37.1)",
		Text:   "The released Pod does not count any more. If the DaemonSet is for that node and has no other Pod there, it creates one.",
		Line:   func(decision.Facts) string { return "then creates another on its node, if it wants one there" },
	},
	{
		ID: ThenCountedByJob, Title: "The adopted Pod counts for the Job",
		Source: "pkg/controller/job/job_controller.go getPodsForJob, manageJob (v1.37.1)",
		Text:   "The adoption also puts the finalizer batch.kubernetes.io/job-tracking on the Pod. While it runs, it is one of spec.parallelism; when it ends, the Job counts it as succeeded or failed and takes the finalizer off.",
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("then counts it as one of %d at a time, and marks it with the finalizer %s", fs.Int(keyParallelism), fs.Str(keyFinalizer))
		},
	},
	{
		ID: ThenJobMisses, Title: "The Job does not count the released Pod any more",
		Source: "pkg/controller/job/job_controller.go getPodsForJob, manageJob (v1.37.1)",
		Text:   "The release takes the finalizer batch.kubernetes.io/job-tracking off the Pod. The Job creates another if it then has too few.",
		Line: func(decision.Facts) string {
			return "then does not count it, and creates another if it has too few"
		},
	},
	{
		ID: ThenRestarted, Title: "The adopted Pod has ended, and the StatefulSet makes it anew",
		Source: "pkg/controller/statefulset/stateful_set_control.go processReplica (v1.37.1)",
		Text:   "The ordinal in its name is one that the StatefulSet wants, but the Pod is Failed or Succeeded: it is deleted, and the next sync creates another of its name.",
		Says:   "then deletes it, as it has ended, and creates another",
	},
	{
		ID: ThenEndedOfJob, Title: "The adopted Pod has ended, and the Job counts it",
		Source: "pkg/controller/job/job_controller.go getPodsForJob, trackJobStatusAndRemoveFinalizers (v1.37.1)",
		Text:   "A Job adopts Pods that have ended as well. A Succeeded one is one of spec.completions, a Failed one counts against spec.backoffLimit.",
		Says:   "then counts it as one that has ended: towards its completions, or its failures",
	},
	{
		ID: ThenTruncated, Title: "The adopted revision is beyond the history limit",
		Source: "pkg/controller/statefulset/stateful_set_control.go truncateHistory; pkg/controller/daemon/update.go cleanupHistory (v1.37.1)",
		Text:   "The revision is among the oldest of more than spec.revisionHistoryLimit that nothing uses. The sync that adopts it deletes it.",
		Says:   "then deletes it: it is beyond the history limit",
	},
}
