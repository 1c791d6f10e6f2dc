package decision

import "time"

// Verb is what the controller does to an object.
type Verb string

// The verbs, in the order in which a sync does them.
const (
	Release Verb = "release"
	Adopt   Verb = "adopt"
	Create  Verb = "create"
	Delete  Verb = "delete"
)

// The verbs on objects that have a controller of their own, such as the
// ReplicaSets of a Deployment: Scale sets spec.replicas, Modify anything else.
const (
	Scale  Verb = "scale"
	Modify Verb = "modify"
)

// Certainty tells whether an action is determined by what can be seen.
type Certainty string

// Certain actions happen whatever order the controller's cache returns;
// Possible ones are k of n, and which k cannot be known from outside.
const (
	Certain  Certainty = "certain"
	Possible Certainty = "possible"
)

// Action is one thing the sync would do.
type Action struct {
	Verb   Verb `json:"verb"`
	Object Ref  `json:"object"`
	// Count is the number of objects, more than 1 only for creations, whose
	// names the API server makes up.
	Count     int       `json:"count"`
	Certainty Certainty `json:"certainty"`
	// Choice is set when Certainty is Possible.
	Choice *Choice `json:"choice,omitempty"`
	// From and To are the replicas of an object that is scaled or created.
	From *int32 `json:"from,omitempty"`
	To   *int32 `json:"to,omitempty"`
	// Patch is the exact body that an adoption or release sends.
	Patch string `json:"patch,omitempty"`
	// Write is the number of the sync's request that does it, from 1; 0 where the
	// controller does not tell.
	Write int `json:"-"`
	// StartsDeletion reports whether the deletion of the Pod starts with it, which
	// something may hold up for a while.
	StartsDeletion bool `json:"-"`
	Ruling
}

// Hold is the controller's relation to one object before it acts.
type Hold string

// What a claim comes to. Inactive pods are not claimed and not counted.
const (
	Owned     Hold = "owned"
	ToAdopt   Hold = "adopt"
	ToRelease Hold = "release"
	Ignored   Hold = "ignored"
	Inactive  Hold = "inactive"
)

// Claim is the verdict on one object that the controller looks at.
type Claim struct {
	Object Ref  `json:"object"`
	Hold   Hold `json:"hold"`
	Ruling
}

// Expectations are the controller's record of writes it has not seen come
// back. They live in the controller's memory: what is printed is what the
// embedded run computed.
type Expectations struct {
	Basis  string       `json:"basis"`
	Before *Expectation `json:"before,omitempty"`
	After  *Expectation `json:"after,omitempty"`
	// ReadBack are the writes that the caches must hold before the next sync.
	ReadBack []Ruling `json:"readBack,omitempty"`
}

// Expectation is one record: outstanding creations and deletions.
type Expectation struct {
	Adds       int64    `json:"adds"`
	Dels       int64    `json:"dels"`
	DeleteKeys []string `json:"deleteKeys,omitempty"`
	// PossibleKeys share the rest of Dels where the victims are undetermined.
	PossibleKeys []string `json:"possibleKeys,omitempty"`
	// Versions are the objects whose new resource version is expected.
	Versions []string `json:"versions,omitempty"`
	// Age and ExpiresIn are Go durations, as of the decision. ExpiresIn is empty
	// for one that does not expire.
	Age       string `json:"age"`
	ExpiresIn string `json:"expiresIn,omitempty"`
	// Recorded is when the record was made and Expires the last instant at
	// which it counts; Forever means that nothing but what is expected ends it.
	Recorded time.Time `json:"recorded,omitzero"`
	Expires  time.Time `json:"expires,omitzero"`
	Forever  bool      `json:"forever,omitempty"`
}
