package decision

import (
	"cmp"
	"math"
	"strings"
	"time"
)

// Verb is what a controller does to an object.
type Verb string

// The verbs, in the order in which a sync does them.
const (
	// Release: the object loses its ownerReference.
	Release Verb = "release"
	// Adopt: the object gets an ownerReference.
	Adopt Verb = "adopt"
	// Create: the object is created.
	Create Verb = "create"
	// Delete: the object is deleted.
	Delete Verb = "delete"
)

// The verbs on objects that have a controller of their own.
const (
	// Scale: spec.replicas of an object with a controller of its own is written.
	Scale Verb = "scale"
	// Modify: the object is changed in another way.
	Modify Verb = "modify"
)

// Certainty reports whether something happens whatever order the controller sees.
type Certainty string

// The certainties.
const (
	// Certain: it happens, if nothing else changes first.
	Certain Certainty = "certain"
	// Possible: it may happen; a choice says how many of how many, a caveat what it depends
	// on.
	Possible Certainty = "possible"
)

// Action is one thing that a sync does.
type Action struct {
	// Verb is what is done.
	Verb Verb `json:"verb"`
	// Object is the object that it is done to; a Pod that is to be created has no name yet.
	Object Ref `json:"object"`
	// Count is the number of objects, more than 1 only for creations, whose
	// names the API server makes up.
	Count int `json:"count"`
	// Certainty reports whether it is certain.
	Certainty Certainty `json:"certainty"`
	// Choice is how many of how many are chosen; absent where it is certain.
	Choice *Choice `json:"choice,omitempty"`
	// From is spec.replicas before, of an object that is scaled.
	From *int32 `json:"from,omitempty"`
	// To is spec.replicas after, of an object that is scaled or created.
	To *int32 `json:"to,omitempty"`
	// Collects are the PersistentVolumeClaims that are deleted later because the Pod is: by
	// the garbage collector, or with a Pod that is recreated.
	Collects []Ref `json:"collects,omitempty"`
	// Patch is the exact body that an adoption or release sends.
	Patch string `json:"patch,omitempty"`
	// Change is what an update of the whole object changes in it, as a strategic merge patch;
	// absent where a patch is sent, and behind the first 10 of a sync.
	Change string `json:"change,omitempty"`
	// Containers is what becomes of the containers of a Pod by it; absent as Change.
	Containers *Ruling `json:"containers,omitempty"`
	// Write is the number of the sync's request that does it, from 1; 0 where the
	// controller does not tell.
	Write int `json:"-"`
	// StartsDeletion reports whether the deletion of the Pod starts with it, which
	// something may hold up for a while.
	StartsDeletion bool `json:"-"`
	// Claims is how many PersistentVolumeClaims are deleted with the Pod whose deletion starts. It
	// is held beside the flags, which leave room for it: a list may have 100,000 actions.
	Claims int32 `json:"-"`
	// Held reports whether a hook or a budget holds up the deletion for which a Pod is marked, or
	// may do so.
	Held bool `json:"-"`
	// Marks reports whether a Pod enters no other state by it: a label or an annotation of it
	// is written.
	Marks bool `json:"-"`
	// Surplus reports whether a Pod is none of those that are desired, whose number may be
	// short without it.
	Surplus bool `json:"-"`
	// Into is what the object becomes: the revision of a Pod that is created or updated,
	// or the state of its lifecycle.
	Into string `json:"-"`
	// With is the Pod that a volume claim is deleted with, empty for none.
	With string `json:"-"`
	Ruling
}

// Deletes reports whether the object is deleted by the action, or later because of it.
func (a *Action) Deletes() bool { return a.Verb == Delete || a.Verb == Recreate || a.StartsDeletion }

// Changing notes what an update of the whole object changes, and what becomes of a Pod's
// containers.
func (a *Action) Changing(change string, containers Ruling) {
	if change != "" {
		a.Change, a.Containers = change, &containers
	}
}

// Doubt makes the action possible.
func (a *Action) Doubt() { a.Certainty = Possible }

// DropsRevision reports whether neither a Pod nor a volume claim is deleted, but something
// that no Pod needs any more, such as a revision beyond the history limit.
func (a *Action) DropsRevision() bool {
	return a.Verb == Delete && a.Object.Kind != podKind && a.Object.Kind != claimKind
}

// DoubtAs makes the action possible, by another ruling.
func (a *Action) DoubtAs(why Ruling) { a.Certainty, a.Ruling = Possible, why }

// StartDeletion notes that the deletion of the Pod starts with the action, and of so many claims.
func (a *Action) StartDeletion(claims int) {
	a.StartsDeletion, a.Claims = true, int32(min(claims, math.MaxInt32))
}

// Share makes the action one of several that are chosen among.
//
//go:noinline // it is called at many places
func (a *Action) Share(c *Choice) { a.Certainty, a.Choice = Possible, c }

// ClaimDecision is the verdict on an object that a controller looks at.
type ClaimDecision string

// What a claim comes to.
const (
	// Owned: it is controlled, and counts.
	Owned ClaimDecision = "owned"
	// ToAdopt: it has no controller, and is adopted.
	ToAdopt ClaimDecision = "adopt"
	// ToRelease: its labels no longer match, and it is released.
	ToRelease ClaimDecision = "release"
	// Ignored: it is not claimed.
	Ignored ClaimDecision = "ignored"
	// Inactive: it is controlled, and does not count: finished, or being deleted.
	Inactive ClaimDecision = "inactive"
)

// Claim is the verdict on one object that the controller looks at.
type Claim struct {
	// Object is the object that is looked at.
	Object Ref `json:"object"`
	// Decision is the verdict on it.
	Decision ClaimDecision `json:"decision"`
	Ruling
}

// Expectations are the writes that a controller waits to see. They are in its memory:
// these are the simulated controller's.
type Expectations struct {
	// Basis is computed: these are the simulated controller's own.
	Basis string `json:"basis"`
	// Before are those before the sync; absent for none.
	Before *Expectation `json:"before,omitempty"`
	// After are those after the sync; absent for none.
	After *Expectation `json:"after,omitempty"`
	// ReadBack are the writes that the caches must hold before the next sync.
	ReadBack []Ruling `json:"readBack,omitempty"`
}

// Expectation is one record: outstanding creations and deletions.
type Expectation struct {
	// Adds is how many creations are not seen yet.
	Adds int64 `json:"adds"`
	// Dels is how many deletions are not seen yet.
	Dels int64 `json:"dels"`
	// DeleteKeys are the Pods whose deletion is expected, as namespace/name.
	DeleteKeys []string `json:"deleteKeys,omitempty"`
	// PossibleKeys are the Pods that share the rest of the deletions, where it is not
	// determined which are deleted.
	PossibleKeys []string `json:"possibleKeys,omitempty"`
	// NewVersions is how many objects' new resourceVersion is not seen yet.
	NewVersions int64 `json:"newVersions,omitempty"`
	// Versions are the objects whose new resourceVersion is expected.
	Versions []string `json:"versions,omitempty"`
	// PossibleVersions are the objects that share the rest of the new versions, where it is
	// not determined which are written.
	PossibleVersions []string `json:"possibleVersions,omitempty"`
	// Age is how old the record is.
	Age Span `json:"ageSeconds"`
	// ExpiresIn is after how long it no longer counts; absent for one that does not expire.
	ExpiresIn *Span `json:"expiresInSeconds,omitempty"`
	// Recorded is when the record was made.
	Recorded time.Time `json:"recorded,omitzero"`
	// Expires is the last instant at which it counts.
	Expires time.Time `json:"expires,omitzero"`
	// Forever is true when nothing ends it but what is expected.
	Forever bool `json:"forever,omitempty"`
}

// InBrief is what a first line says of creations that may not be accepted: the first reason.
func InBrief(doubts string) string {
	first, _, _ := strings.Cut(doubts, "; ")
	return cmp.Or(first, "whether they are accepted is not known")
}
