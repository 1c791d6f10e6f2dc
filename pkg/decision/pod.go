package decision

import "time"

// PodReport is what is known of one Pod: how it fares, whether its controller counts
// it, and how near it is to deletion.
type PodReport struct {
	Target Ref `json:"target"`
	Standing
	// Partial is true when something was not read that could change the answer.
	Partial  bool      `json:"partial,omitempty"`
	AsOf     time.Time `json:"asOf"`
	Modelled Modelled  `json:"modelled,omitzero"`
	// Owners is the chain of controllers above it, root first.
	Owners []Ref `json:"owners,omitempty"`
	// Claim is the verdict of its controller; nil where that is not modelled.
	Claim *Claim `json:"claim,omitempty"`
	// Deletion is nil where no modelled controller scales it.
	Deletion *PodDeletion `json:"deletion,omitempty"`
	Caveats  []Caveat     `json:"caveats,omitempty"`
}

// PodDeletion is how near a Pod is to deletion by its controllers.
type PodDeletion struct {
	// Scaled is the object whose spec.replicas decides, Replicas what it is now.
	Scaled   Ref `json:"scaled"`
	Replicas int `json:"replicas"`
	// Now is what becomes of it without any change.
	Now Fate `json:"now"`
	// PossibleAt is the highest number of replicas at which it may be deleted, and
	// CertainAt the highest at which it is; nil for none.
	PossibleAt *int `json:"possibleAt,omitempty"`
	CertainAt  *int `json:"certainAt,omitempty"`
	// Message is why it is deleted then, or now.
	Message string `json:"message,omitempty"`
}
