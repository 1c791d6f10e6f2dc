package decision

// Role is what a dependent is to a rollout.
type Role string

// New is the dependent with the template that is being rolled out; all others
// are Old.
const (
	New Role = "new"
	Old Role = "old"
)

// Set is one dependent of a rollout with what the step turns on.
type Set struct {
	Object Ref  `json:"object"`
	Role   Role `json:"role"`
	// Revision is the number as annotated, empty when there is none.
	Revision string `json:"revision,omitempty"`
	// Replicas is spec.replicas before the sync, Next after it.
	Replicas int32 `json:"replicas"`
	Next     int32 `json:"next"`
	// Available and Actual are status.availableReplicas and status.replicas.
	Available int32 `json:"available"`
	Actual    int32 `json:"actual"`
	// Deleted says that the sync deletes it.
	Deleted bool `json:"deleted,omitempty"`
}

// Effect is what another controller does next to its own objects once an
// action of this Decision has happened. Its rules are those of that
// controller, and its sentences are made already.
type Effect struct {
	// Cause is the object that an action changed, and that its controller acts
	// on next.
	Cause    Ref        `json:"target"`
	Answer   string     `json:"answer"`
	Summary  Summary    `json:"summary"`
	Actions  []Action   `json:"actions"`
	Ranking  *Ranking   `json:"ranking,omitempty"`
	Evidence []Evidence `json:"evidence,omitempty"`
	Caveats  []Caveat   `json:"caveats,omitempty"`
}
