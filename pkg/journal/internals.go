package journal

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"

// Internals is what the machinery of a trace did. All of it is counted by client-go as it
// runs here: the real manager's queues and caches are not visible.
type Internals struct {
	// Queues are the work queues, one for each controller.
	Queues []WorkQueue `json:"queues"`
}

// WorkQueue is what client-go's work queue of one controller did.
type WorkQueue struct {
	// Resource is the resource whose keys it holds.
	Resource string `json:"resource"`
	// Adds counts the keys that were queued.
	Adds int `json:"adds"`
	// Merged counts the keys that were added while they were in the queue.
	Merged int `json:"merged"`
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
	// NotRecorded is why there is neither Waited nor Worked.
	NotRecorded string `json:"notRecorded,omitempty"`
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
