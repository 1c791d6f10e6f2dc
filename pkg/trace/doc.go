// Package trace answers: what would a controller do right now, at every event
// that it gets, and does the real one do just that?
//
// An Engine is a controller in dry run. It is fed the deltas that client-go's
// informers hand out (Follow), or those of a record (Replay), and works through
// them one after the other on a clock of its own, which only moves with them:
// what it says follows from what it was fed. Work queues, delays and backoff
// are client-go's; they are observed where they can be told what to use.
package trace
