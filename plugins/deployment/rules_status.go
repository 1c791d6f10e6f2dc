package deployment

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// sets makes the line of a rule that sets the condition Progressing.
func sets(status string) func(decision.Facts) string {
	return func(fs decision.Facts) string {
		return fmt.Sprintf("sets Progressing=%s (%s): %s", status, fs.Str(keyReason), fs.Str(keyMessage))
	}
}

var statusRules = decision.Catalogue{
	{
		ID: StatusNotReached, Title: "The sync ends before status", Source: syncDeployment,
		Text: "A sync that fails early writes no status.",
		Says: "not reached",
	},
	{
		ID: StatusUnchanged, Title: "Status is not written when nothing changed", Source: statusFunc,
		Text: "All sums, the conditions and observedGeneration are unchanged.",
		Says: "unchanged, not written",
	},
	{
		ID: StatusWritten, Title: "Status sums up what the ReplicaSets report", Source: statusFunc,
		Text: "Sums are over the ReplicaSets as they were before this sync scaled them. unavailableReplicas is what they want less what is available. Available is true when at least spec.replicas − maxUnavailable are.",
		Says: "written",
	},
	{
		ID: StatusRefused, Title: "A refused status update fails the sync", Source: statusFunc,
		Text: "It is not tried again within the sync. Most often the Deployment was already written in the same sync: the controller continues with the copy that it read before, and the second update is out of date.",
		Keys: []decision.Key{keyError},
		Line: func(fs decision.Facts) string { return "refused: " + fs.Str(keyError) },
	},
}

var progressRules = decision.Catalogue{
	{
		ID: PauseNoted, Title: "Pausing is noted in Progressing", Source: upstream + "sync.go checkPausedConditions (v1.37.1)",
		Text: "So that time spent paused does not count against the progress deadline.",
		Keys: []decision.Key{keyMessage, keyReason},
		Line: sets("Unknown"),
	},
	{
		ID: ResumeNoted, Title: "Resuming is noted in Progressing", Source: upstream + "sync.go checkPausedConditions (v1.37.1)",
		Text: "The progress deadline counts from here.",
		Keys: []decision.Key{keyMessage, keyReason},
		Line: sets("Unknown"),
	},
	{
		ID: NewSetFound, Title: "An existing ReplicaSet is found to have the template", Source: getNewSet,
		Text: "There was no Progressing condition yet: the deadline counts from here.",
		Keys: []decision.Key{keyMessage, keyReason},
		Line: sets("True"),
	},
	{
		ID: NewSetCreated, Title: "The new ReplicaSet was created", Source: getNewSet,
		Text: "The progress deadline counts from here.",
		Keys: []decision.Key{keyMessage, keyReason},
		Line: sets("True"),
	},
	{
		ID: NewSetRefused, Title: "The new ReplicaSet could not be created", Source: getNewSet,
		Text: "The error is put into Progressing. The sync fails with it, also when that status can't be written.",
		Keys: []decision.Key{keyMessage, keyReason},
		Line: sets("False"),
	},
	{
		ID: HashCollision, Title: "Another ReplicaSet has the name of the new one", Source: getNewSet,
		Text: "It belongs to something else or has another template: status.collisionCount is raised, which changes the hash, and the next sync tries again.",
		Keys: []decision.Key{keyCollisionCount},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("raises collisionCount to %d: the name is taken", fs.Int(keyCollisionCount))
		},
	},
	{
		ID: RolloutComplete, Title: "All replicas are updated and available, and no old Pod is left", Source: progressFunc,
		Text: "Progressing becomes NewReplicaSetAvailable, and the deadline is not looked at until the next rollout.",
		Keys: []decision.Key{keyMessage, keyReason},
		Line: sets("True"),
	},
	{
		ID: RolloutProgressing, Title: "The rollout has moved", Source: progressFunc,
		Text: "There are more updated, ready or available Pods than stored in status, or fewer old ones: the progress deadline counts from here.",
		Keys: []decision.Key{keyMessage, keyReason},
		Line: sets("True"),
	},
	{
		ID: RolloutTimedOut, Title: "The rollout has not moved for spec.progressDeadlineSeconds", Source: progressFunc,
		Text: "That is reported and nothing else: the controller continues trying. kubectl rollout status ends with an error.",
		Keys: []decision.Key{keyMessage, keyReason},
		Line: func(fs decision.Facts) string {
			if n := fs.Int(keyPassed); n > 0 { // said of rounds that end
				return fmt.Sprintf("progress deadline exceeded at %s: no progress within progressDeadlineSeconds (%d), at which kubectl rollout status fails", fs.Str(keyAt), n)
			}
			return sets("False")(fs)
		},
	},
}

var nextRules = decision.Catalogue{
	{
		ID: NextOnEvent, Title: "The next sync comes with the next event", Source: syncDeployment,
		Text: "A change of the Deployment or of one of its ReplicaSets, the deletion of a Pod under Recreate, or the periodic resync (12 to 24 hours) brings it back. Its own writes are such changes.",
		Says: "on the next change of the Deployment or its ReplicaSets; no timer",
	},
	{
		ID: ProgressCheck, Title: "A rollout that does not move is looked at after its deadline", Source: upstream + "progress.go requeueStuckDeployment (v1.37.1)",
		Text: "A second after the deadline, counted from the last progress. Where Pods are ready, and not for minReadySeconds yet, the status of their ReplicaSet changes before.",
		Keys: []decision.Key{keyAfter, keyAt, keyProgressDeadlineSeconds},
		Line: func(fs decision.Facts) string {
			first := ""
			if at := fs.Str(keyAvailableAt); at != "" {
				first = fmt.Sprintf("in %s (%s), when a Pod is available after minReadySeconds, or ", fs.Brief(keyAvailableAfter), at)
			}
			return fmt.Sprintf("%sin %s (%s), at the progress deadline (progressDeadlineSeconds %d), or on the next change", first, fs.Brief(keyAfter), fs.Str(keyAt), fs.Int(keyProgressDeadlineSeconds))
		},
	},
	{
		ID: ProgressCheckNow, Title: "A rollout at its deadline is looked at again in milliseconds", Source: upstream + "progress.go requeueStuckDeployment (v1.37.1)",
		Text: "Less than a second is left: the Deployment is queued again, as after an error.",
		Says: "in milliseconds (back-off): the last progress was longer ago than progressDeadlineSeconds",
	},
	{
		ID: RetryAfterOwnWrite, Title: "The sync fails on what it wrote itself, and is retried", Source: handleErr,
		Text: "It writes the same object twice from the copy that it read, and the API server refuses the second write. What was written before stays. The retry comes after 5ms at first, and meets fresh copies as soon as the cache has them.",
		Keys: []decision.Key{keyName, keyResource},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("in milliseconds: this sync writes %s %s twice from one copy, and the second write is refused as out of date", fs.Str(keyResource), fs.Str(keyName))
		},
	},
	{
		ID: RetryWithBackoff, Title: "A failed sync is retried 15 times", Source: handleErr,
		Text: "The delay starts at 5ms and doubles with each failure in a row. After 15 failures the Deployment is dropped until the next event; how many there were is in the controller's memory.",
		Keys: []decision.Key{keyError},
		Line: func(fs decision.Facts) string {
			return "after a backoff (5ms, doubled with each failure in a row, 15 times), or on the next event: " + fs.Str(keyError)
		},
	},
	{
		ID: NamespaceGone, Title: "A namespace that is being deleted ends the retries", Source: handleErr,
		Text: "The API server creates nothing in it any more, and the sync is not retried.",
		Says: "on the next event: the namespace is being deleted",
	},
}
