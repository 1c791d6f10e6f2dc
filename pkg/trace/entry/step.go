package entry

import (
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// Part is a part of the machinery that brings keys to a controller.
type Part string

// The parts, in the order in which a change passes them.
const (
	// ReflectorPart lists and watches.
	ReflectorPart Part = "reflector"
	// DeltaQueuePart keeps what the reflector brings until it is handed out.
	DeltaQueuePart Part = "deltaQueue"
	// InformerPart is one reflector with its queue and its store.
	InformerPart Part = "informer"
	// ProcessorPart calls the handlers of the controllers.
	ProcessorPart Part = "processor"
	// StorePart keeps objects, with indexes.
	StorePart Part = "store"
	// WorkQueuePart keeps keys until they are synced.
	WorkQueuePart Part = "workQueue"
	// ExpectationsPart keeps what a controller waits to see of its own writes.
	ExpectationsPart Part = "expectations"
	// DecisionPart decides what a sync does.
	DecisionPart Part = "decision"
)

// Source says whose a number is.
type Source string

// The sources. None of them is the real manager's memory, which is not visible.
const (
	// ClientGo is client-go as it runs in this process.
	ClientGo Source = "clientGo"
	// Modelled is what this tool does in the place of client-go.
	Modelled Source = "modelled"
)

// Did is what a part of the machinery did.
type Did string

// What reflectors, queues of deltas, informers, processors and work queues do.
const (
	// Listed: a list was asked for and answered.
	Listed Did = "Listed"
	// ListFailed: a list was asked for in vain.
	ListFailed Did = "ListFailed"
	// Watches: a watch was asked for, and the server accepted it.
	Watches Did = "Watches"
	// WatchFailed: a watch was asked for in vain.
	WatchFailed Did = "WatchFailed"
	// Bookmarked: a watch brought a bookmark.
	Bookmarked Did = "Bookmark"
	// ErrorEvent: a watch brought an ERROR event, which ends it.
	ErrorEvent Did = "ErrorEvent"
	// TimedOut: a watch ended after the time that was asked for.
	TimedOut Did = "WatchTimedOut"
	// CutOff: a watch ended before.
	CutOff Did = "WatchCutOff"
	// Reopened: the trace ended a watch itself, to see by the next one what the server has.
	Reopened Did = "WatchReopened"
	// Popped: the queue handed out deltas.
	Popped Did = "Popped"
	// InformerSynced: the first list of an informer was handed out.
	InformerSynced Did = "Synced"
	// Called: handlers were called.
	Called Did = "Called"
	// Worked: a worker took a key, synced it and was done with it.
	Worked Did = "Worked"
	// LookedUp: a sync looked something up in the stores.
	LookedUp Did = "LookedUp"
	// Decides: a sync acts, and this is why.
	Decides Did = "Decides"
	// Raised: a sync expects to see what it writes.
	Raised Did = "Raised"
	// Lowered: an event showed some of that.
	Lowered Did = "Lowered"
	// Expired: what is expected was not seen for so long that it no longer counts.
	Expired Did = "Expired"
	// Clobbered: deletions that were expected are replaced by those of another sync, and no
	// longer awaited.
	Clobbered Did = "Clobbered"
)

// Step is one step of the machinery, as it happened in this process.
type Step struct {
	// Part is what did it.
	Part Part `json:"part"`
	// Source says whose it is.
	Source Source `json:"source"`
	// Resource is what it is about, with a name for an informer of one object.
	Resource string `json:"resource"`
	// Did is what it did.
	Did Did `json:"did"`
	// Request is set for the reflector and the informer.
	Request *Request `json:"request,omitempty"`
	// Deltas is set for the queue of deltas.
	Deltas *Deltas `json:"deltas,omitempty"`
	// Calls is set for the processor.
	Calls *Calls `json:"calls,omitempty"`
	// Work is set for the work queue.
	Work *Work `json:"work,omitempty"`
	// Expects is set for the expectations.
	Expects *Expects `json:"expects,omitempty"`
	// Lookups is set for the store.
	Lookups *Lookups `json:"lookups,omitempty"`
	// Decided is set for the decision.
	Decided *Decided `json:"decided,omitempty"`
}

// Decided is why one sync does what it does.
type Decided struct {
	// Key is the object's that was synced.
	Key string `json:"key"`
	// Why are the reasons, in the order in which the sync comes to them.
	Why []Why `json:"why"`
	// More counts those that are left out.
	More int `json:"more,omitempty"`
}

// Why is what a sync decides about one object, or about all.
type Why struct {
	// Object is the name; absent for a Pod that has none yet, and for what is about all.
	Object string `json:"object,omitempty"`
	// Did is a claim, the state of an update, the verb of an action, revision or limit.
	Did string `json:"did"`
	// Certainty reports whether an action, or an update, is certain; absent for what is neither.
	Certainty decision.Certainty `json:"certainty,omitempty"`
	// Choice is how many of how many are chosen; absent where none is.
	Choice *decision.Choice `json:"choice,omitempty"`
	decision.Ruling
	// Order is why a Pod is updated before or behind another.
	Order *decision.Ruling `json:"order,omitempty"`
	// Sends is the patch that is sent, or what an update of the whole object changes.
	Sends string `json:"sends,omitempty"`
	// Whole reports whether the whole object is updated.
	Whole bool `json:"whole,omitempty"`
	// Containers is what becomes of the containers of a Pod by that.
	Containers *decision.Ruling `json:"containers,omitempty"`
}

// Lookups are those that one sync made in the stores.
type Lookups struct {
	// Key is the object's that was synced.
	Key string `json:"key"`
	// All are the look-ups, in order.
	All []Lookup `json:"all"`
	// More counts those that are left out.
	More int `json:"more,omitempty"`
}

// Lookup is one look-up in a store.
type Lookup struct {
	// Resource is what the store holds.
	Resource string `json:"resource"`
	// Index is the one that was used; empty for objects by key, WholeStore for all objects.
	Index string `json:"index,omitempty"`
	// Own is true for an index of this tool, which upstream's store has not.
	Own bool `json:"own,omitempty"`
	// Key is what was looked up; empty for several objects by key.
	Key string `json:"key,omitempty"`
	// Objects is how many there are.
	Objects int `json:"objects"`
	// Calls counts how often the sync looked that up.
	Calls int `json:"calls"`
}

// WholeStore stands for an index where all objects are asked for.
const WholeStore = "(all)"

// Expects is what one record of the expectations becomes.
type Expects struct {
	// Key is the object's whose controller expects it.
	Key string `json:"key"`
	// Record is the record after a sync, or that which has expired, or what of that is
	// replaced; absent for one that is lowered.
	Record *decision.Expectation `json:"record,omitempty"`
	// Observed is what an event showed: creation, deletion or forget.
	Observed string `json:"observed,omitempty"`
	// By is the object of the event.
	By string `json:"by,omitempty"`
	// Before is what was outstanding before an event.
	Before *int64 `json:"before,omitempty"`
	// After is what is outstanding after it; absent for no record.
	After *int64 `json:"after,omitempty"`
}

// Request is one list or watch of a reflector.
type Request struct {
	// ResourceVersion is the one that client-go asked for.
	ResourceVersion string `json:"resourceVersion"`
	// Sent is the one that was sent, where the trace asks for another one.
	Sent *string `json:"sentResourceVersion,omitempty"`
	// Got is the one that the answer has.
	Got string `json:"gotResourceVersion,omitempty"`
	// Streamed is true for a list that is streamed by a watch.
	Streamed bool `json:"streamed,omitempty"`
	// Pages counts the requests that a list took.
	Pages int `json:"pages,omitempty"`
	// Objects counts the objects of a list, or the events of a watch.
	Objects int `json:"objects,omitempty"`
	// Bytes is the size of all pages after decompression; absent where that is not visible.
	Bytes *int64 `json:"bytes,omitempty"`
	// Took is how long it took, of a watch how long it was open.
	Took decision.Span `json:"tookSeconds,omitempty"`
	// Timeout is how long a watch is to last.
	Timeout decision.Span `json:"timeoutSeconds,omitempty"`
	// After is how long after the one before it was asked for; absent for the first one.
	After *decision.Span `json:"afterSeconds,omitempty"`
	// Because is how the one before ended.
	Because string `json:"because,omitempty"`
	// Error is what the server said.
	Error string `json:"error,omitempty"`
	// Code is the HTTP status of Error; 0 where there was none.
	Code int32 `json:"code,omitempty"`
}

// Deltas are those that a queue handed out at once.
type Deltas struct {
	// Queue is client-go's type of the queue.
	Queue string `json:"queue"`
	// Types counts the deltas of each type.
	Types map[string]int `json:"types"`
	// Objects counts the objects that they are about.
	Objects int `json:"objects"`
	// Tombstones are the objects whose deletion was missed (DeletedFinalStateUnknown).
	Tombstones []string `json:"tombstones,omitempty"`
	// Initial is true until the first list was handed out.
	Initial bool `json:"initial,omitempty"`
	// Waited is how long the first of them was in the queue; absent where that is not visible.
	Waited *decision.Span `json:"waitedSeconds,omitempty"`
	// Left is how many deltas wait in the queue then, of a DeltaFIFO how many keys.
	Left int `json:"left,omitempty"`
}

// Calls are those of the handlers.
type Calls struct {
	// Handlers are the controllers whose handlers were called.
	Handlers []string `json:"handlers"`
	// Adds counts the calls of OnAdd of each.
	Adds int `json:"adds,omitempty"`
	// Updates counts the calls of OnUpdate of each.
	Updates int `json:"updates,omitempty"`
	// Deletes counts the calls of OnDelete of each.
	Deletes int `json:"deletes,omitempty"`
	// Initial is true for the objects of the first list (isInInitialList).
	Initial bool `json:"initial,omitempty"`
	// Began is when the first call began.
	Began time.Time `json:"began,omitzero"`
	// Took is how long all of them took.
	Took decision.Span `json:"tookSeconds"`
}

// Work is one key that a worker took.
type Work struct {
	// Key is the object's.
	Key string `json:"key"`
	// Merged counts how often it was added while it was in the queue already.
	Merged int `json:"merged,omitempty"`
	// InFlight counts how often it was added while it was synced.
	InFlight int `json:"inFlight,omitempty"`
	// Worker is the number of the worker; absent where there is one.
	Worker int `json:"worker,omitempty"`
	// Waited is how long it was in the queue.
	Waited decision.Span `json:"waitedSeconds"`
	// Worked is how long its sync took.
	Worked decision.Span `json:"workedSeconds"`
	// Left is how many keys are in the queue then.
	Left int `json:"left,omitempty"`
	// Again is after how long it is added again; absent where it is not.
	Again *decision.Span `json:"againSeconds,omitempty"`
	// Failures counts its failed syncs in a row: it is added by AddRateLimited; without any by
	// AddAfter.
	Failures int `json:"failures,omitempty"`
}
