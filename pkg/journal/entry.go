package journal

import (
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// Type tells the entries apart.
type Type string

// The types of entries. Each but Note fills the field of its name.
const (
	// Started says what is traced, and how that was found.
	Started Type = "Started"
	// Observed is an event with what the handlers made of it.
	Observed Type = "Event"
	// Synced is one sync of the embedded run.
	Synced Type = "Sync"
	// Acted is a write of the real controller that came back as an event.
	Acted Type = "Act"
	// Judged is a change of the verdict on a target.
	Judged Type = "Verdict"
	// Note is about the trace itself, such as a watch that broke.
	Note Type = "Note"
	// Ended sums up.
	Ended Type = "Summary"
)

// Entry is one line of a trace.
type Entry struct {
	At   time.Time `json:"at"`
	Type Type      `json:"type"`
	// Object is the target that the entry is about; events have none.
	Object  *decision.Ref `json:"object,omitempty"`
	Event   *Event        `json:"event,omitempty"`
	Sync    *Sync         `json:"sync,omitempty"`
	Act     *Act          `json:"act,omitempty"`
	Verdict *Verdict      `json:"verdict,omitempty"`
	Started *Start        `json:"started,omitempty"`
	Summary *Summary      `json:"summary,omitempty"`
	Message string        `json:"message,omitempty"`
}

// Event is one delta of an informer.
type Event struct {
	// Delta is Added, Updated, Deleted, Replaced or Sync.
	Delta string `json:"delta"`
	// Handler is the one that an informer calls for it.
	Handler         string       `json:"handler"`
	Object          decision.Ref `json:"object"`
	ResourceVersion string       `json:"resourceVersion,omitempty"`
	// Tombstone: the deletion was missed, and the object is the last known one.
	Tombstone bool `json:"tombstone,omitempty"`
	// Initial: it is from the first list.
	Initial bool     `json:"initial,omitempty"`
	Effects []Effect `json:"effects,omitempty"`
}

// Effect is what a handler did to one target.
type Effect struct {
	decision.Ruling
	Target *decision.Ref `json:"target,omitempty"`
	// Observed is what the expectations were told; Before and After is what
	// was and is outstanding, nil without a record.
	Observed string `json:"observed,omitempty"`
	Before   *int64 `json:"before,omitempty"`
	After    *int64 `json:"after,omitempty"`
	// Queue is what became of the key.
	Queue Queueing `json:"queue,omitempty"`
	// Delay is a Go duration, for keys that are queued later.
	Delay string `json:"delay,omitempty"`
}

// Queueing is what adding a key to a work queue comes to.
type Queueing string

// A key is queued once, however often it is added before it is synced.
const (
	Queued       Queueing = "queued"
	Deduplicated Queueing = "already queued"
	Delayed      Queueing = "delayed"
	// Waiting keys are delayed already, and no longer than now.
	Waiting Queueing = "already waiting"
	// BackedOff keys are delayed because their sync failed.
	BackedOff Queueing = "backed off"
)

// Sync is one sync of the embedded run.
type Sync struct {
	// Gone: there is no such object any more.
	Gone   bool            `json:"gone,omitempty"`
	Answer string          `json:"answer,omitempty"`
	Gate   *decision.Gate  `json:"gate,omitempty"`
	Action []Action        `json:"actions,omitempty"`
	Next   decision.Ruling `json:"nextSync,omitzero"`
	// Expects is what the embedded run records for its actions.
	Expects *decision.Expectation `json:"expects,omitempty"`
	// TakenBack: what was expected is not, because the real controller did not
	// do it and there is nothing to do any more.
	TakenBack bool `json:"takenBack,omitempty"`
	// Repeated: a retry that waits to read back what the sync before waited for.
	Repeated bool `json:"repeated,omitempty"`
	// Failures counts the failed syncs in a row, Delay is the backoff.
	Failures int    `json:"failures,omitempty"`
	Delay    string `json:"delay,omitempty"`
	// Waited is how long the key was in the queue.
	Waited string `json:"waited,omitempty"`
}

// Action is an action of a sync, in short.
type Action struct {
	Verb      decision.Verb      `json:"verb"`
	Object    string             `json:"object"`
	Count     int                `json:"count"`
	Certainty decision.Certainty `json:"certainty"`
	Choice    *decision.Choice   `json:"choice,omitempty"`
	To        *int32             `json:"to,omitempty"`
	Rule      string             `json:"rule"`
}

// Standing is how an observed act compares with what was foretold.
type Standing string

// The standings of an act.
const (
	// Predicted acts were decided by the simulated controller before they were observed.
	Predicted Standing = "predicted"
	// SeenFirst acts follow from the state before them, but were seen before, or
	// together with, the change that caused them.
	SeenFirst Standing = "seen first"
	// Undetermined acts are one of several that were possible.
	Undetermined Standing = "undetermined"
	// Foreign acts are not the controller's.
	Foreign Standing = "somebody else's"
	// Otherwise acts are misses of the embedded run.
	Otherwise Standing = "mispredicted"
)

// Act is a write that changed an object of the target.
type Act struct {
	Verb     decision.Verb `json:"verb"`
	Object   decision.Ref  `json:"object"`
	To       *int32        `json:"to,omitempty"`
	Standing Standing      `json:"standing"`
	// SeenAt is when it was seen, if that was before it was judged.
	SeenAt *time.Time `json:"seenAt,omitempty"`
	// Why explains standings other than Predicted.
	Why string `json:"why,omitempty"`
	// Wanted is what was foretold instead, for Otherwise.
	Wanted []Action `json:"predicted,omitempty"`
}

// State is how a target stands.
type State string

// The states of a target.
const (
	Stable  State = "stable"
	Acting  State = "acting"
	Busy    State = "busy"
	Late    State = "late"
	Refused State = "refused"
	Unknown State = "unknown"
)

// Verdict is the state of a target, with the evidence for it.
type Verdict struct {
	State State `json:"state"`
	// Since is when the oldest action that was foretold should have followed.
	Since    time.Time           `json:"since,omitzero"`
	Actions  []Action            `json:"actions,omitempty"`
	Evidence []decision.Evidence `json:"evidence,omitempty"`
}

// Start says what is traced.
type Start struct {
	Targets  map[string]int    `json:"targets"`
	Pods     int               `json:"pods"`
	Modelled decision.Modelled `json:"modelled"`
	Caveats  []decision.Caveat `json:"caveats,omitempty"`
}

// Summary counts what a trace saw.
type Summary struct {
	Events       int    `json:"events"`
	Syncs        int    `json:"syncs"`
	Acts         int    `json:"acts"`
	Predicted    int    `json:"predicted"`
	SeenFirst    int    `json:"seenFirst"`
	Undetermined int    `json:"undetermined"`
	Foreign      int    `json:"foreign"`
	Misses       int    `json:"misses"`
	Late         int    `json:"late"`
	Refused      int    `json:"refused"`
	Withdrawn    int    `json:"withdrawn"`
	For          string `json:"for"`
	// Open are the targets that are not in step at the end.
	Open []string `json:"open,omitempty"`
}
