package rules

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// The rules of status, of the next sync, and of what the surroundings say.
const (
	StatusSkipped        = "StatusSkipped"
	StatusUnchanged      = "StatusUnchanged"
	StatusWritten        = "StatusWritten"
	StatusError          = "StatusError"
	StatusErrorUnwritten = "StatusErrorUnwritten"

	NextOnEvent      = "NextOnEvent"
	ExpectationCheck = "ExpectationCheck"
	GraceCheck       = "GraceCheck"
	MinReadyCheck    = "MinReadyCheck"
	DeadlineCheck    = "DeadlineCheck"
	DeadlinePassed   = "DeadlinePassed"
	RetryWithBackoff = "RetryWithBackoff"

	FailedEvent     = "FailedEvent"
	FailureStored   = "FailureStored"
	SpecNotObserved = "SpecNotObserved"
	// CreationNotThere: the Pod that was created last is not there, and Pods are missing.
	CreationNotThere = "CreationNotThere"
)

var statusRules = decision.Catalogue{
	{
		ID: StatusSkipped, Title: "A CloneSet's sync ends before status", Source: doReconcile,
		Text: "While expectations are outstanding, or after a refused claim, no status is written.",
		Says: "not reached",
	},
	{
		ID: StatusUnchanged, Title: "A CloneSet's status is not written when nothing changed", Source: statusFunc,
		Text: "Counts, revisions, the selector and observedGeneration are unchanged.",
		Says: "unchanged, not written",
	},
	{
		ID: StatusWritten, Title: "A CloneSet's status counts the Pods as claimed", Source: statusFunc,
		Text: "Counts are of the Pods claimed at the start of the sync. Ready leaves the lifecycle state out, available needs it to be Normal. The current revision becomes the update revision when all Pods carry that one (since 1.7 only when there are as many as replicas).",
		Says: "written",
	},
	{
		ID: StatusError, Title: "A failed sync of a CloneSet sets a condition", Source: statusFunc,
		Text: "FailedScale or FailedUpdate with the error's message. From 1.9 on it is never taken away again, and its message never renewed.",
		Keys: []decision.Key{KeyError},
		Line: func(fs decision.Facts) string { return "written, with the error: " + fs.Str(KeyError) },
	},
	{
		ID: StatusErrorUnwritten, Title: "A failure alone is not written into status", Source: statusFunc,
		Text: "The condition is set in memory, but status is sent only when a count or a revision has changed.",
		Keys: []decision.Key{KeyError},
		Line: func(fs decision.Facts) string {
			return "not written: the error alone changes no count: " + fs.Str(KeyError)
		},
	},
}

var nextRules = decision.Catalogue{
	{
		ID: NextOnEvent, Title: "The CloneSet is looked at again with the next event", Source: doReconcile,
		Text: "No timer is set. A change of the CloneSet, of one of its Pods or volume claims brings it back.",
		Says: "on the next event of the CloneSet, its Pods or volume claims; no timer",
	},
	{
		ID: ExpectationCheck, Title: "The CloneSet is looked at again when its expectations time out", Source: doReconcile,
		Text: "Earlier when what it waits for is seen.",
		Keys: []decision.Key{KeyAfter},
		Line: func(fs decision.Facts) string { return "in " + fs.Brief(KeyAfter) + ", or when that is seen" },
	},
	{
		ID: GraceCheck, Title: "The CloneSet is looked at again after a grace period", Source: refreshInto,
		Text: "The containers of Pods that are updated in place are changed then.",
		Keys: []decision.Key{KeyAfter, KeyAt},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("in %s (%s): a grace period ends", fs.Brief(KeyAfter), fs.Str(KeyAt))
		},
	},
	{
		ID: MinReadyCheck, Title: "The CloneSet is looked at again after minReadySeconds", Source: doReconcile,
		Text: "Some ready Pods are not available yet. Each sync that finds that asks for another one after the whole of minReadySeconds. Of several that are asked for, the first one comes: as a rule, the one that the sync asked for which saw the first of these Pods become ready.",
		Keys: []decision.Key{KeyAfter, KeyAt, KeyBefore, KeyMinReadySeconds, KeyPod},
		Line: func(fs decision.Facts) string {
			text := fmt.Sprintf("in %s (%s): spec.minReadySeconds %d", fs.Brief(KeyAfter), fs.Str(KeyAt), fs.Int(KeyMinReadySeconds))
			if fs.Str(KeyPod) != "" {
				text += fmt.Sprintf(" from this sync on; in %s, if one saw %s become ready", fs.Brief(KeyBefore), fs.Str(KeyPod))
			}
			return text
		},
	},
	{
		ID: DeadlineCheck, Title: "The CloneSet is looked at again at its progress deadline", Source: statusFunc, Versions: "1.9 and later",
		Text: "progressDeadlineSeconds after the Progressing condition was last set. Progress does not set it again, so the deadline counts from the rollout's beginning.",
		Keys: []decision.Key{KeyAfter, KeyAt},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("in %s (%s): the progress deadline", fs.Brief(KeyAfter), fs.Str(KeyAt))
		},
	},
	{
		ID: DeadlinePassed, Title: "The progress deadline of a CloneSet has passed", Source: statusFunc, Versions: "1.9 and later",
		Text: "That is reported in the condition Progressing, and changes nothing else: the controller continues trying.",
		Keys: []decision.Key{KeyProgressDeadlineSeconds},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("progress deadline exceeded: not complete within progressDeadlineSeconds (%d)", fs.Int(KeyProgressDeadlineSeconds))
		},
	},
	{
		ID: RetryWithBackoff, Title: "A failed sync of a CloneSet is retried with backoff", Source: "sigs.k8s.io/controller-runtime/pkg/internal/controller (v0.20.2)",
		Text: "The delay starts at 5ms and doubles with each failure in a row, up to 1000s; how many there were is in the manager's memory.",
		Says: "after a backoff (5ms, doubled with each failure in a row, 1000s at most), or on the next event",
	},
}

var evidenceRules = decision.Catalogue{
	{
		ID: FailedEvent, Title: "Earlier writes of the CloneSet failed", Source: createFunc,
		Text: "The newest event of this reason. Events are aggregated and rate-limited: a low count or an old one proves nothing.",
		Keys: []decision.Key{KeyAge, KeyCount, KeyMessage, KeyReason},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("%s ×%d, last %s ago: %s", fs.Str(KeyReason), fs.Int(KeyCount), fs.Brief(KeyAge), fs.Str(KeyMessage))
		},
	},
	{
		ID: FailureStored, Title: "A condition tells of a failed sync", Source: "pkg/controller/cloneset/cloneset_controller.go syncCloneSet (Kruise v1.9.1)",
		Text: "From 1.9 on FailedScale and FailedUpdate are never taken away, and the message stays that of the first failure: they may be long out of date.",
		Keys: []decision.Key{KeyAge, KeyMessage, KeySticky, KeyType},
		Line: func(fs decision.Facts) string {
			text := fmt.Sprintf("%s since %s: %s", fs.Str(KeyType), fs.Brief(KeyAge), fs.Str(KeyMessage))
			if fs.Str(KeySticky) == "true" {
				text += " (it stays when the cause is gone)"
			}
			return text
		},
	},
	{
		ID: SpecNotObserved, Title: "The controller has not reported on the CloneSet's present spec", Source: statusFunc,
		Text: "observedGeneration is behind: no sync has written status since the last change of the spec. An expectation that is never met can keep the controller from writing it for good (kruise#1765).",
		Keys: []decision.Key{KeyGeneration, KeyNamespace, KeyObservedGeneration, KeyTarget},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("spec is at generation %d, the controller reported on %d; see whether it waits for a lost event: kubectl ctrl expectations %s -n %s",
				fs.Int(KeyGeneration), fs.Int(KeyObservedGeneration), fs.Str(KeyTarget), fs.Str(KeyNamespace))
		},
	},
	{
		ID: CreationNotThere, Title: "The Pod that was created last is not there", Source: "pkg/util/expectations/scale_expectations.go SatisfiedExpectations, pkg/controller/cloneset/cloneset_controller.go doReconcile (Kruise v1.9.1)",
		Text: "Pods are missing, and one that the controller created a while ago is gone. Where its watch never showed that Pod, the controller waits to see it, and does nothing until then; there is no timeout.",
		Keys: []decision.Key{KeyAge, KeyNamespace, KeyPod, KeyTarget},
		Line: func(fs decision.Facts) string {
			return fmt.Sprintf("created %s %s ago, which is not there; see whether it waits for a lost event: kubectl ctrl expectations %s -n %s",
				fs.Str(KeyPod), fs.Brief(KeyAge), fs.Str(KeyTarget), fs.Str(KeyNamespace))
		},
	},
}
