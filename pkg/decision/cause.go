package decision

import "time"

// State is how a target fares, in one word.
type State string

// The states. A Deployment's condition Progressing stays True when its rollout
// is complete; the state of that name does not.
const (
	// StateStable targets have nothing to do, and all that is desired is available.
	StateStable State = "Stable"
	// StateReconciling: the next sync writes something besides status.
	StateReconciling State = "Reconciling"
	// StateProgressing: waits for a step that normally completes by itself.
	StateProgressing State = "Progressing"
	// StateBlocked: no progress is expected without a change outside this controller.
	StateBlocked State = "Blocked"
	// StateTerminating targets are being deleted.
	StateTerminating State = "Terminating"
	// StateUnknown: what would decide it was not read.
	StateUnknown State = "Unknown"
)

// Cause is why an object is not as desired. Names and messages in it come from
// whoever may write to the cluster: they are escaped where they are printed.
type Cause struct {
	Object Ref `json:"object"`
	// Reason is upstream's own word: Unschedulable, OOMKilled, ErrImagePull.
	Reason string `json:"reason"`
	// Label is what a first line counts it as: "image not found".
	Label     string `json:"label"`
	Container string `json:"container,omitempty"`
	Message   string `json:"message"`
	// Since is the time of a condition or event; zero where none tells.
	Since time.Time `json:"since,omitzero"`
	// Evidence is the field of the object that says so, or an event.
	Evidence string `json:"evidence,omitempty"`
	// Blocked reports whether it is among those that end only by a change outside
	// the controller.
	Blocked bool `json:"-"`
	// BlockedAt is since when it blocks, or from when it will if nothing changes;
	// zero where no time tells.
	BlockedAt time.Time `json:"blockedAt,omitzero"`
	// Class names the rule by which it blocks, empty for a cause that never does,
	// and Began is the instant from which that rule counts, zero where none tells.
	Class string    `json:"-"`
	Began time.Time `json:"-"`
	// Stops reports whether it keeps the controller from doing what is due.
	Stops bool `json:"-"`
	// Next is the command that shows more, or ends it; empty for none.
	Next string `json:"-"`
	// Pod is set for the cause of a Pod.
	Pod *PodColumns `json:"pod,omitempty"`
}

// PodColumns are those of kubectl get pods.
type PodColumns struct {
	Ready   string    `json:"ready"`
	Status  string    `json:"status"`
	Created time.Time `json:"created,omitzero"`
}
