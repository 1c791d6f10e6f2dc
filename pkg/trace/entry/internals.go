package entry

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"

// Internals is what the machinery of a trace did: client-go's, as it runs here, and what is
// modelled of it. The real manager's caches are not visible, and its queues are as far as its
// metrics can be read.
type Internals struct {
	// Informers are those of a trace, one for each kind that is read, or one object of it;
	// absent in a replay of a record that holds nothing of them.
	Informers []Informer `json:"informers,omitempty"`
	// NotRecorded is why there are no informers.
	NotRecorded string `json:"notRecorded,omitempty"`
	// Queues are the work queues, one for each controller.
	Queues []WorkQueue `json:"queues"`
	// Stores are client-go's, one for each kind that is read.
	Stores []Store `json:"stores,omitempty"`
	// Detector says whether objects in caches are watched for changes.
	Detector Detector `json:"mutationDetector"`
}

// Detector says whether client-go's mutation detector runs, which KUBE_CACHE_MUTATION_DETECTOR
// switches on: on, off, or "not recorded".
type Detector struct {
	// Here is that of this process.
	Here string `json:"here"`
	// Manager is that of kube-controller-manager; empty where that is not visible.
	Manager string `json:"manager,omitempty"`
	// Reason is why it is not visible.
	Reason string `json:"notVisible,omitempty"`
}

// Store is the store of one kind, and what syncs have looked up there.
type Store struct {
	// Resource is what it holds.
	Resource string `json:"resource"`
	// Objects is how many there are.
	Objects int `json:"objects"`
	// Indexes are those that it has.
	Indexes []Index `json:"indexes"`
	// ByKey counts the look-ups of one object by its key, which need no index.
	ByKey int `json:"byKey"`
	// Whole counts how often all objects were asked for.
	Whole int `json:"whole,omitempty"`
}

// Index is one index of a store.
type Index struct {
	// Name is upstream's, or one of this tool.
	Name string `json:"name"`
	// Own is true for an index of this tool, which upstream's store has not.
	Own bool `json:"own,omitempty"`
	// Keys is how many keys it has.
	Keys int `json:"keys"`
	// Lookups counts those of syncs.
	Lookups int `json:"lookups"`
	// Objects is how many objects these found.
	Objects int `json:"objects,omitempty"`
	// Most is how many one of them found at most.
	Most int `json:"most,omitempty"`
}

// Informer is what one informer did: its reflector, its queue of deltas and the calls of
// handlers.
type Informer struct {
	// Resource is what it reads, with a name for one object.
	Resource string `json:"resource"`
	// Handlers are the controllers whose handlers get its events.
	Handlers []string `json:"handlers,omitempty"`
	// Synced is how long after its start the first list was handed out; absent where it never
	// was.
	Synced *decision.Span `json:"syncedSeconds,omitempty"`
	// Objects is how many objects the latest list had.
	Objects int `json:"objects"`
	// Lists counts the lists that were asked for.
	Lists int `json:"lists"`
	// Streams counts the lists that watches brought instead.
	Streams int `json:"streamedLists,omitempty"`
	// Pages counts the requests that lists took.
	Pages int `json:"pages"`
	// Bytes is the size of all lists after decompression; absent where that is not visible.
	Bytes *int64 `json:"bytes,omitempty"`
	// Listing is how long lists took.
	Listing *Percentiles `json:"listing,omitempty"`
	// Watches counts the watches that were asked for.
	Watches int `json:"watches"`
	// Refused counts the lists and watches that failed.
	Refused int `json:"refused"`
	// Events counts what watches brought besides bookmarks and ERROR events.
	Events int `json:"events"`
	// Bookmarks counts those that watches brought.
	Bookmarks int `json:"bookmarks"`
	// ErrorEvents counts the ERROR events that ended watches.
	ErrorEvents int `json:"errorEvents"`
	// Relists counts the lists after the first one that was answered.
	Relists int `json:"relists"`
	// Gaps is how long after a failure the next request came.
	Gaps *Percentiles `json:"gaps,omitempty"`
	// ResourceVersion is the latest one of a list, a bookmark or an event.
	ResourceVersion string `json:"resourceVersion,omitempty"`
	// Queue is client-go's type of the queue of deltas.
	Queue string `json:"queue"`
	// Pops counts how often deltas were handed out.
	Pops int `json:"pops"`
	// Deltas counts those that were handed out, by type.
	Deltas map[string]int `json:"deltas,omitempty"`
	// Largest is how many were handed out at once at most.
	Largest int `json:"largestBatch"`
	// Deepest is how many deltas were in the queue at most, of a DeltaFIFO how many keys.
	Deepest int `json:"deepest,omitempty"`
	// Store is the resource version that client-go's store is up to: that of a list, an
	// object, or a bookmark where the queue hands it out.
	Store string `json:"storeResourceVersion,omitempty"`
	// Tombstones counts the objects whose deletion was missed.
	Tombstones int `json:"tombstones"`
	// Queued is how long deltas were in the queue.
	Queued *Percentiles `json:"queued,omitempty"`
	// Handling is how long the handlers of one batch took.
	Handling *Percentiles `json:"handling,omitempty"`
}

// WorkQueue is what client-go's work queue of one controller did.
type WorkQueue struct {
	// Resource is the resource whose keys it holds.
	Resource string `json:"resource"`
	// Adds counts the keys that were queued.
	Adds int `json:"adds"`
	// Recorded is how many keys were queued when the record was made; absent where a replay
	// comes to as many. Another version decides otherwise: spans of time are the record's.
	Recorded int `json:"recordedAdds,omitempty"`
	// Merged counts the keys that were added while they were in the queue.
	Merged int `json:"merged"`
	// InFlight counts the calls that added a key while it was synced: it is synced again when
	// that is done, once for all of them.
	InFlight int `json:"inFlight"`
	// Depth is how many keys are in the queue.
	Depth int `json:"depth"`
	// Deepest is how many keys were in the queue at most.
	Deepest int `json:"deepest"`
	// Failed are the delays after failed syncs.
	Failed *Percentiles `json:"failed,omitempty"`
	// Delayed are the delays that handlers and syncs asked for.
	Delayed *Percentiles `json:"delayed,omitempty"`
	// Waited is how long keys were in the queue.
	Waited *Percentiles `json:"waited,omitempty"`
	// Worked is how long syncs took.
	Worked *Percentiles `json:"worked,omitempty"`
	// Unfinished is how long all keys that are synced took until then, the most that client-go
	// found; it looks every half second. Absent where that is not recorded.
	Unfinished *decision.Span `json:"unfinishedWorkSeconds,omitempty"`
	// Longest is the same of the sync that runs longest.
	Longest *decision.Span `json:"longestRunningSeconds,omitempty"`
	// NotRecorded is why there is neither Waited nor Worked.
	NotRecorded string `json:"notRecorded,omitempty"`
	// Workers are how many keys are synced at a time; absent where that is not recorded.
	Workers *Workers `json:"workers,omitempty"`
	// Expects are the records of expectations that something is left of, modelled: what was
	// expected, and after is how much is outstanding.
	Expects []Expects `json:"expects,omitempty"`
	// Manager is the queue of the real manager; absent where no manager was asked.
	Manager *ManagerQueue `json:"manager,omitempty"`
}

// ManagerQueue is what the real manager's metrics count of its own queue from the start of
// the trace to its end.
type ManagerQueue struct {
	// Name is the queue's in its metrics.
	Name string `json:"name"`
	// NotVisible is why nothing is known of it; then all that follows is 0.
	NotVisible string `json:"notVisible,omitempty"`
	// Restarted: the manager started again meanwhile, and the numbers are since then.
	Restarted bool `json:"restarted,omitempty"`
	// Adds counts the keys that were queued.
	Adds int64 `json:"adds"`
	// Retries counts those that were added for later.
	Retries int64 `json:"retries"`
	// Depth is how many keys were in it at the end.
	Depth int64 `json:"depth"`
	// Longest is how long the sync that had run longest by the end had been running.
	Longest decision.Span `json:"longestRunningSeconds"`
	// Waited is how long keys were in the queue.
	Waited *Mean `json:"waited,omitempty"`
	// Worked is how long syncs took.
	Worked *Mean `json:"worked,omitempty"`
	// Informers are the manager's, of the kinds that the controller watches; absent where
	// they are not recorded.
	Informers []ManagerInformer `json:"informers,omitempty"`
}

// ManagerInformer is what the real manager's metrics say of one of its informers.
type ManagerInformer struct {
	// Resource is what it reads.
	Resource string `json:"resource"`
	// Queued is how many deltas were in its queue at the end; absent where no metric tells of
	// that informer, as before 1.36.
	Queued *int64 `json:"queued,omitempty"`
	// Version is the resource version of its store at the end, the last 15 digits of it;
	// absent where no metric has it, as before 1.37.
	Version int64 `json:"storeResourceVersion,omitempty"`
	// Popped is how long what the queue handed out took until all handlers had been told.
	Popped *Mean `json:"popped,omitempty"`
}

// Mean is that of several spans of time.
type Mean struct {
	// Count is how many there were.
	Count int64 `json:"count"`
	// Mean is the mean of them.
	Mean decision.Span `json:"meanSeconds"`
}

// NotRecorded is the source of what the real manager has where a record does not hold that.
const NotRecorded = "NotRecorded"

// Workers are how many keys of a controller are synced at a time.
type Workers struct {
	// Here is how many are in this process.
	Here int `json:"here"`
	// Busiest is how many of them were busy at once at most.
	Busiest int `json:"busiest,omitempty"`
	// Manager is how many the real manager has; empty where that is not visible.
	Manager string `json:"manager,omitempty"`
	// Flag is the flag of the manager that sets it; absent where none does.
	Flag string `json:"flag,omitempty"`
	// Source is how Manager is known: Argument, Default, NotVisible (the arguments were not
	// read; it is the default), Fixed, or NotRecorded (it is empty).
	Source string `json:"source,omitempty"`
}

// Percentiles are those of several spans of time.
type Percentiles struct {
	// Count is how many there were.
	Count int `json:"count"`
	// Half of them were no longer than this.
	Half decision.Span `json:"p50Seconds"`
	// NinetyNine of a hundred were no longer than this.
	NinetyNine decision.Span `json:"p99Seconds"`
	// Most is the longest.
	Most decision.Span `json:"maxSeconds"`
}
