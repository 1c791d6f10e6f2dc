package deployment

import (
	"fmt"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// arrow is the change that every scaling starts its sentence with.
func arrow(fs decision.Facts) string { return fmt.Sprintf("%d → %d", fs.Int(keyFrom), fs.Int(keyTo)) }

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

func joinNonEmpty(parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, "; ")
}

var rollingRules = decision.Catalogue{
	{
		ID: ScaleNewUp, Title: "The new ReplicaSet grows as far as maxSurge allows", Source: reconcileNew,
		Text: "All replicas that any ReplicaSet is to have count against spec.replicas + maxSurge, whether their Pods exist or not.",
		Keys: []decision.Key{keyCurrentPodCount, decision.KeyDesired, keyFrom, decision.KeyMaxSurge, keyMaxTotalPods, keyScaleUpCount, keyTo},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%s: %d desired by all ReplicaSets, at most %d (%d + surge %d)", arrow(fs),
				fs.Int(keyCurrentPodCount), fs.Int(keyMaxTotalPods), fs.Int(decision.KeyDesired), fs.Int(decision.KeyMaxSurge))
		},
	},
	{
		ID: ScaleNewDown, Title: "A new ReplicaSet that is too large is cut at once", Source: reconcileNew,
		Text: "It has more replicas than the Deployment. Availability is not looked at.",
		Keys: []decision.Key{keyFrom, keyTo},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%s: more than spec.replicas", arrow(fs))
		},
	},
	{
		ID: SurgeUsedUp, Title: "Surge is used up", Source: upstream + "util/deployment_util.go NewRSNewReplicas (v1.37.1)",
		Text: "The ReplicaSets together are to have spec.replicas + maxSurge Pods already. The new one grows when old ones have shrunk.",
		Keys: []decision.Key{keyCurrentPodCount, keyMaxTotalPods, keyScaleUpCount},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("not scaled up: %d desired by all ReplicaSets, at most %d", fs.Int(keyCurrentPodCount), fs.Int(keyMaxTotalPods))
		},
	},
	{
		ID: NewPodsNotAvailable, Title: "Old Pods stay until new ones are available", Source: reconcileOld,
		Text: "maxScaledDown = allPodsCount − minAvailable − newRSUnavailablePodCount. New Pods that are not available are taken off, so that a template that never becomes ready stops the rollout.",
		Keys: []decision.Key{decision.KeyAllPodsCount, keyMaxScaledDown, decision.KeyMinAvailable, keyNewRSUnavailablePodCount},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("no old Pod can be deleted: %d desired by all ReplicaSets − %d to stay available − %d of the new ones not available yet",
				fs.Int(decision.KeyAllPodsCount), fs.Int(decision.KeyMinAvailable), fs.Int(keyNewRSUnavailablePodCount))
		},
	},
	{
		ID: CleanUnhealthy, Title: "Old Pods that are not available are deleted first", Source: cleanUnhealthy,
		Text: "They cost no availability. The oldest ReplicaSet comes first. Its own controller picks the Pods: it prefers those that are not ready.",
		Keys: []decision.Key{keyAvailable, keyFrom, keyMaxCleanupCount, keyReplicas, keyScaledDownCount, keyTo},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%s: %d of %d Pods are available; %d may be deleted", arrow(fs), fs.Int(keyAvailable), fs.Int(keyReplicas), fs.Int(keyMaxCleanupCount))
		},
	},
	{
		ID: OldNotSettled, Title: "An old ReplicaSet that is still shrinking stops the step", Source: cleanUnhealthy,
		Text: "It has more available Pods than desired, because its own controller has not reported its last scaling. Upstream takes that for an invalid request, gives the step up without a word, and continues with status.",
		Keys: []decision.Key{keyAvailable, keyReplicas},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("scaling down is given up in this sync: %d Pods are available, %d are desired", fs.Int(keyAvailable), fs.Int(keyReplicas))
		},
	},
	{
		ID: ScaleRefused, Title: "A refused scaling of an old ReplicaSet stops the step", Source: reconcileOld,
		Text: "The error is swallowed: the sync continues with status as if nothing had been scaled, and is not retried for it.",
		Keys: []decision.Key{keyError},
		Line: func(fs decision.Facts) string { return "scaling down is given up in this sync: " + fs.Str(keyError) },
	},
	{
		ID: AvailabilityAtMinimum, Title: "No available old Pod may be deleted", Source: scaleDownOld,
		Text: "totalScaleDownCount = availablePodCount − minAvailable. Pods are counted as ReplicaSets report them.",
		Keys: []decision.Key{decision.KeyAvailablePodCount, decision.KeyMinAvailable, keyTotalScaleDownCount},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("no available Pod may be deleted: %d are available, %d have to be", fs.Int(decision.KeyAvailablePodCount), fs.Int(decision.KeyMinAvailable))
		},
	},
	{
		ID: ScaleOldDown, Title: "Old ReplicaSets shrink as far as maxUnavailable allows", Source: scaleDownOld,
		Text: "The oldest comes first. What is available is taken as reported before this sync, also when unhealthy Pods were just cleaned up.",
		Keys: []decision.Key{decision.KeyAvailablePodCount, decision.KeyDesired, keyFrom, decision.KeyMaxUnavailable, decision.KeyMinAvailable, keyScaleDownCount, keyTo, keyTotalScaleDownCount},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%s: %d available, %d have to be (%d − %d)", arrow(fs),
				fs.Int(decision.KeyAvailablePodCount), fs.Int(decision.KeyMinAvailable), fs.Int(decision.KeyDesired), fs.Int(decision.KeyMaxUnavailable))
		},
	},
}

var recreateRules = decision.Catalogue{
	{
		ID: RecreateDown, Title: "All old ReplicaSets are scaled to 0", Source: upstream + "recreate.go scaleDownOldReplicaSetsForRecreate (v1.37.1)",
		Text: "All at once, whatever is available.",
		Keys: []decision.Key{keyFrom, keyTo},
		Line: func(fs decision.Facts) string {
			return arrow(fs) + ": old Pods are deleted before new ones are created"
		},
	},
	{
		ID: OldSetReportsPods, Title: "An old ReplicaSet still reports Pods", Source: upstream + "recreate.go oldPodsRunning (v1.37.1)",
		Text: "Nothing new is created while status.replicas of any old ReplicaSet is above 0.",
		Keys: []decision.Key{keyReplicas, keySet},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("no new Pods are created while %s reports %s", fs.Str(keySet), format.Plural(int(fs.Int(keyReplicas)), "old Pod"))
		},
	},
	{
		ID: OldPodRuns, Title: "An old Pod is not finished", Source: upstream + "recreate.go oldPodsRunning (v1.37.1)",
		Text: "Pods that are being deleted count until they are gone. Up to 1.35 only Pods that match the Deployment's selector are looked at.",
		Keys: []decision.Key{keyPhase, keyPod, keySet},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("no new Pods are created while Pod %s of %s is %s", fs.Str(keyPod), fs.Str(keySet), orPending(fs.Str(keyPhase)))
		},
	},
	{
		ID: RecreateUp, Title: "The new ReplicaSet gets all replicas at once", Source: upstream + "recreate.go scaleUpNewReplicaSetForRecreate (v1.37.1)",
		Text: "No old Pod runs any more.",
		Keys: []decision.Key{keyFrom, keyTo},
		Line: func(fs decision.Facts) string { return arrow(fs) + ": no old Pod runs any more" },
	},
}

func orPending(phase string) string {
	if phase == "" {
		return "in no phase"
	}
	return phase
}
