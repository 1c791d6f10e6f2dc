package deployment

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

var resizeRules = decision.Catalogue{
	{
		ID: ScaleOnlySet, Title: "The only active ReplicaSet gets the new size", Source: scaleFunc,
		Text: "At most one ReplicaSet has replicas: it is scaled to spec.replicas, or the newest one when none has.",
		Keys: []decision.Key{keyFrom, keyTo},
		Line: func(fs decision.Facts) string { return arrow(fs) + ": no other ReplicaSet has replicas" },
	},
	{
		ID: NewSetSaturated, Title: "Old ReplicaSets are scaled to 0 when the new one has all replicas", Source: scaleFunc,
		Text: "The new ReplicaSet has, remembers and reports as available exactly spec.replicas.",
		Keys: []decision.Key{decision.KeyDesired, keyFrom, keyNewRS, keyTo},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%s: %s has all %d replicas, available", arrow(fs), fs.Str(keyNewRS), fs.Int(decision.KeyDesired))
		},
	},
	{
		ID: ScaleInProportion, Title: "Active ReplicaSets are scaled in proportion", Source: scaleFunc,
		Text:     "What is to be added or removed is shared out by size, the largest ReplicaSet first. Each keeps its share of the size that it remembers in the annotation max-replicas; what rounding leaves over is given to the largest.",
		Versions: "Up to 1.31 the annotation may be negative or 0, with odd results.",
		Keys:     []decision.Key{keyDeploymentReplicasToAdd, keyFrom, keyLeftover, keyProportion, keyTo},
		Line: func(fs decision.Facts) string {
			text := fmt.Sprintf("%s: its share %+d of %+d", arrow(fs), fs.Int(keyProportion), fs.Int(keyDeploymentReplicasToAdd))
			if n := fs.Int(keyLeftover); n != 0 {
				text += fmt.Sprintf(", and %+d left over by rounding", n)
			}
			return text
		},
	},
	{
		ID: NoteNewSizes, Title: "A ReplicaSet that keeps its size remembers the new one of the Deployment", Source: upstream + "sync.go scaleReplicaSet (v1.37.1)",
		Text: "The annotations desired-replicas and max-replicas are written, so that the change is not taken for one again.",
		Keys: []decision.Key{keyTo},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("stays at %d, remembers the Deployment's new size", fs.Int(keyTo))
		},
	},
	{
		ID: PodsRefused, Title: "The Pods of the template are refused", Source: "k8s.io/apiserver/pkg/admission/interfaces.go ValidationInterface (v0.37.1)",
		Text: "A LimitRange or a ResourceQuota refuses every Pod of the template, or it is invalid with the defaults of a LimitRange. Later syncs have them created: old Pods that are deleted until then are not replaced.",
		Keys: []decision.Key{keyMessage},
		Line: func(fs decision.Facts) string { return "refuses new Pods: " + fs.Str(keyMessage) },
	},
	{
		ID: RolloutAfterScale, Title: "A template that changes together with spec.replicas is rolled out afterwards", Source: syncDeployment,
		Text: "A sync that scales creates no ReplicaSet. The change of the scaled ones brings the Deployment back into the queue: the sync after that starts the rollout.",
		Line: func(decision.Facts) string {
			return "no ReplicaSet has the template yet: this sync only scales, a later one starts the rollout"
		},
	},
}

var rollbackRules = decision.Catalogue{
	{
		ID: RollbackDone, Title: "The template of an earlier revision is copied into the Deployment", Source: upstream + "rollback.go rollbackToTemplate (v1.37.1)",
		Text: "Its annotations come along, the controller's own excepted. The rollout is left to a later sync.",
		Keys: []decision.Key{keyRevision, keySet},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("takes the template of %s, revision %d", fs.Str(keySet), fs.Int(keyRevision))
		},
	},
	{
		ID: RollbackSameTemplate, Title: "The revision asked for has the same template", Source: upstream + "rollback.go rollbackToTemplate (v1.37.1)",
		Text: "Only the annotation is removed.",
		Keys: []decision.Key{keyRevision},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("revision %d has the same template: only the annotation is removed", fs.Int(keyRevision))
		},
	},
	{
		ID: RollbackNoLast, Title: "There is no earlier revision", Source: rollbackFunc,
		Text: "Revision 0 stands for the second highest, and there is none. Only the annotation is removed.",
		Line: func(decision.Facts) string { return "there is no earlier revision: only the annotation is removed" },
	},
	{
		ID: RollbackNotFound, Title: "The revision asked for does not exist", Source: rollbackFunc,
		Text: "No ReplicaSet has it. Only the annotation is removed.",
		Keys: []decision.Key{keyRevision},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("no ReplicaSet has revision %d: only the annotation is removed", fs.Int(keyRevision))
		},
	},
}

var cleanupRules = decision.Catalogue{
	{
		ID: DropRevision, Title: "Old revisions beyond the limit are deleted", Source: cleanupFunc,
		Text: "When the rollout is complete, or paused, the old ReplicaSets with the lowest revisions beyond spec.revisionHistoryLimit are deleted, if they are empty.",
		Keys: []decision.Key{decision.KeyDiff, keyOldReplicaSets, keyRevision, keyRevisionHistoryLimit},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("revision %s: %s, history limit %d", orNone(fs.Str(keyRevision)), format.Plural(fs.Int(keyOldReplicaSets), "old ReplicaSet"), fs.Int(keyRevisionHistoryLimit))
		},
	},
	{
		ID: RevisionInUse, Title: "An old revision that is not empty or not settled stays", Source: cleanupFunc,
		Text: "It is passed over, and no other is deleted in its place.",
		Keys: []decision.Key{keyActual, keyGeneration, keyObservedGeneration, keyReplicas},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("beyond the history limit, but kept: %d replicas desired, %d reported, generation %d of %d observed",
				fs.Int(keyReplicas), fs.Int(keyActual), fs.Int(keyObservedGeneration), fs.Int(keyGeneration))
		},
	},
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}
