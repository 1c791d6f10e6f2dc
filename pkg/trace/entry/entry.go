package entry

import (
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// Type tells the entries apart.
type Type string

// The types of entries. Each but Note fills the field of its name.
const (
	// Started: says what is traced, and how that was found.
	Started Type = "Started"
	// Observed: an event, with what the handlers made of it.
	Observed Type = "Event"
	// Synced: one sync of the simulated controller.
	Synced Type = "Sync"
	// Acted: a write of the real controller that came back as an event.
	Acted Type = "Act"
	// Judged: a change of the verdict on a target.
	Judged Type = "Verdict"
	// Note: about the trace itself, such as a watch that broke.
	Note Type = "Note"
	// Stepped: a step of the machinery, where that was asked for.
	Stepped Type = "Step"
	// Ended: sums up.
	Ended Type = "Summary"
	// Inside: sums up what the machinery did; the last entry, where that was asked for.
	Inside Type = "Internals"
)

// Entry is one line of a trace.
type Entry struct {
	// At is when it happened.
	At time.Time `json:"at"`
	// Type tells the entries apart.
	Type Type `json:"type"`
	// Object is the object that the entry is about; absent for events.
	Object *decision.Ref `json:"object,omitempty"`
	// Event is set for type Event.
	Event *Event `json:"event,omitempty"`
	// Sync is set for type Sync.
	Sync *Sync `json:"sync,omitempty"`
	// Act is set for type Act.
	Act *Act `json:"act,omitempty"`
	// Verdict is set for type Verdict.
	Verdict *Verdict `json:"verdict,omitempty"`
	// Step is set for type Step.
	Step *Step `json:"step,omitempty"`
	// Started is set for type Started.
	Started *Start `json:"started,omitempty"`
	// Summary is set for type Summary.
	Summary *Summary `json:"summary,omitempty"`
	// Internals is set for type Internals.
	Internals *Internals `json:"internals,omitempty"`
	// Message is set for type Note.
	Message string `json:"message,omitempty"`
}

// Event is one delta of an informer.
type Event struct {
	// Delta is Added, Updated, Deleted, Replaced or Sync.
	Delta string `json:"delta"`
	// Handler is the event handler that an informer calls.
	Handler string `json:"handler"`
	// Object is the object of the event.
	Object decision.Ref `json:"object"`
	// ResourceVersion is its resourceVersion.
	ResourceVersion string `json:"resourceVersion,omitempty"`
	// Tombstone is true when the deletion was missed, and the object is the last known one.
	Tombstone bool `json:"tombstone,omitempty"`
	// Initial is true for events of the first list.
	Initial bool `json:"initial,omitempty"`
	// Effects are what the handler did.
	Effects []Effect `json:"effects,omitempty"`
}

// Effect is what a handler did to one target.
type Effect struct {
	decision.Ruling
	// Target is the object whose key it is about.
	Target *decision.Ref `json:"target,omitempty"`
	// Observed is what the expectations were told.
	Observed string `json:"observed,omitempty"`
	// Before is what was outstanding; absent without a record.
	Before *int64 `json:"before,omitempty"`
	// After is what is outstanding; absent without a record.
	After *int64 `json:"after,omitempty"`
	// Queue is what became of the key.
	Queue Queueing `json:"queue,omitempty"`
	// Delay is how much later for a key that is queued later.
	Delay decision.Span `json:"delaySeconds,omitempty"`
}

// Queueing is what became of a key that was added to the work queue.
type Queueing string

// A key is queued once, however often it is added before it is synced.
const (
	// Queued: it was added.
	Queued Queueing = "queued"
	// Deduplicated: it was in the queue, and is synced once.
	Deduplicated Queueing = "alreadyQueued"
	// InFlight: it is synced just now, and will be again once that is done.
	InFlight Queueing = "inFlight"
	// Delayed: it is added later.
	Delayed Queueing = "delayed"
	// Waiting: it was delayed already, and no longer than now.
	Waiting Queueing = "alreadyWaiting"
	// BackedOff: it is added later, because its sync failed.
	BackedOff Queueing = "backedOff"
)

// String is what a key is said to be.
func (q Queueing) String() string {
	switch q {
	case Deduplicated:
		return "already queued"
	case InFlight:
		return "queued again when its sync is done"
	case Waiting:
		return "already waiting"
	case BackedOff:
		return "backed off"
	}
	return string(q)
}

// Sync is one sync of the simulated controller.
type Sync struct {
	// Gone is true when there is no such object any more.
	Gone bool `json:"gone,omitempty"`
	// Answer is what the sync does, in one sentence.
	Answer string `json:"answer,omitempty"`
	// Gate reports whether the sync may create and delete.
	Gate *decision.Gate `json:"gate,omitempty"`
	// Action are what the sync does besides writing status.
	Action []Action `json:"actions,omitempty"`
	// Next is the rule that brings the object back into the queue.
	Next decision.Ruling `json:"nextSync,omitzero"`
	// Expects is what the simulated controller records for its actions.
	Expects *decision.Expectation `json:"expects,omitempty"`
	// TakenBack is true when what was expected no longer is, because the real controller did
	// not do it and there is nothing to do any more.
	TakenBack bool `json:"takenBack,omitempty"`
	// Repeated is true for a retry that waits to read back what the sync before waited for.
	Repeated bool `json:"repeated,omitempty"`
	// Failures counts the failed syncs in a row.
	Failures int `json:"failures,omitempty"`
	// Delay is the backoff.
	Delay *decision.Span `json:"delaySeconds,omitempty"`
	// Waited is how long the key was in the queue.
	Waited decision.Span `json:"waitedSeconds,omitempty"`
}

// Action is an action of a sync, in short.
type Action struct {
	// Verb is what is done.
	Verb decision.Verb `json:"verb"`
	// Object is the object, as kind/name.
	Object string `json:"name"`
	// Count is the number of objects.
	Count int `json:"count"`
	// Certainty reports whether it is certain.
	Certainty decision.Certainty `json:"certainty"`
	// Choice is how many of how many are chosen; absent where it is certain.
	Choice *decision.Choice `json:"choice,omitempty"`
	// To is spec.replicas after, of an object that is scaled or created.
	To *int32 `json:"to,omitempty"`
	// Rule is the ID of the rule that applied.
	Rule string `json:"rule"`
}

// Standing is how an act compares with what was predicted.
type Standing string

// The standings of an act.
const (
	// Predicted: it was decided by the simulated controller before it was observed.
	Predicted Standing = "predicted"
	// SeenFirst: it follows from the state before it, but was seen before, or together with,
	// the change that caused it.
	SeenFirst Standing = "seenFirst"
	// Undetermined: it is one of several that were possible, or events that may explain it were
	// not seen.
	Undetermined Standing = "undetermined"
	// Foreign: it is not the controller's.
	Foreign Standing = "foreign"
	// Otherwise: the simulated controller did not predict it.
	Otherwise Standing = "mispredicted"
)

// String is what an act is said to be.
func (s Standing) String() string {
	switch s {
	case SeenFirst:
		return "seen first"
	case Foreign:
		return "somebody else's"
	}
	return string(s)
}

// Act is a write that changed an object of the target.
type Act struct {
	// Verb is what was done.
	Verb decision.Verb `json:"verb"`
	// Object is the object that it was done to.
	Object decision.Ref `json:"object"`
	// To is spec.replicas after, of an object that was scaled or created.
	To *int32 `json:"to,omitempty"`
	// Changed are the fields of an object that was changed in another way, as far as its
	// controller writes them.
	Changed []Changed `json:"changed,omitempty"`
	// Standing is how it compares with what was predicted.
	Standing Standing `json:"standing"`
	// SeenAt is when it was seen, where that was before it was compared.
	SeenAt *time.Time `json:"seenAt,omitempty"`
	// Why explains every other standing than predicted.
	Why string `json:"why,omitempty"`
	// Wanted is what was predicted instead.
	Wanted []Action `json:"predicted,omitempty"`
}

// Changed is a field with its values before and after, empty where it had none.
type Changed struct {
	// Path is the path of the field.
	Path string `json:"path"`
	// From is the value before, as text.
	From string `json:"from"`
	// To is the value after, as text.
	To string `json:"to"`
}

// State is the state of a target of a trace.
type State string

// The states of a target.
const (
	// Idle: there is nothing to do until something changes.
	Idle State = "idle"
	// Acting: the controller is expected to act.
	Acting State = "acting"
	// Busy: it acts, and more is expected.
	Busy State = "busy"
	// Late: it should have acted.
	Late State = "late"
	// Refused: the API server refuses what it does.
	Refused State = "refused"
	// Unknown: what would decide it was not seen.
	Unknown State = "unknown"
)

// Verdict is the state of a target, with the evidence for it.
type Verdict struct {
	// State is that of the target.
	State State `json:"state"`
	// Since is when the oldest predicted action should have followed.
	Since time.Time `json:"since,omitzero"`
	// Actions are those that are expected.
	Actions []Action `json:"actions,omitempty"`
	// Evidence is what the surroundings say about it.
	Evidence []decision.Evidence `json:"evidence,omitempty"`
}

// Start says what is traced, and of which version.
type Start struct {
	// Targets is how many objects of each kind are traced.
	Targets map[string]int `json:"targets"`
	// Pods is how many Pods are watched.
	Pods int `json:"pods"`
	// Modelled says which controllers of which version are modelled.
	Modelled decision.Modelled `json:"model"`
	// Caveats are the limits of the trace.
	Caveats []decision.Caveat `json:"caveats,omitempty"`
}

// Summary counts what a trace saw.
type Summary struct {
	// Events counts the events.
	Events int `json:"events"`
	// Syncs counts the syncs of the simulated controller.
	Syncs int `json:"syncs"`
	// Acts counts the writes of the real controller.
	Acts int `json:"acts"`
	// Predicted counts the acts that were predicted.
	Predicted int `json:"predicted"`
	// SeenFirst counts those that were seen before their cause.
	SeenFirst int `json:"seenFirst"`
	// Undetermined counts those that were one of several possible ones, or that events may
	// explain that were not seen.
	Undetermined int `json:"undetermined"`
	// Foreign counts those of others.
	Foreign int `json:"foreign"`
	// Misses counts those that were mispredicted.
	Misses int `json:"mispredicted"`
	// Late counts the targets whose controller was late.
	Late int `json:"late"`
	// Refused counts the targets whose writes were refused.
	Refused int `json:"refused"`
	// Withdrawn counts the predictions that no longer held before they were due.
	Withdrawn int `json:"withdrawn"`
	// For is how long the trace was.
	For decision.Span `json:"seconds"`
	// BlindSince is since when a watch is broken at the end, so that changes are not visible;
	// absent where none is.
	BlindSince *time.Time `json:"blindSince,omitempty"`
	// Open are the targets that have something to do, or that is not known, at the end, as kind/name.
	Open []string `json:"open,omitempty"`
}
