package decision

import (
	"slices"
	"strconv"
	"time"
)

// Ruling is a rule that applied, with the facts that it applied to.
type Ruling struct {
	// Rule is the ID of the rule that applied; the command rules shows its text.
	Rule string `json:"rule"`
	// Message is the rule's sentence, with the values of this case.
	Message string `json:"message"`
	// Facts are the values that the rule turned on.
	Facts Facts `json:"facts,omitempty"`
}

// Ruled makes a Ruling whose Message is still to be phrased.
//
//go:noinline // a call is shorter than what it does, at hundreds of places
func Ruled(rule string, facts ...Fact) Ruling { return Ruling{Rule: rule, Facts: facts} }

// Decision is what one sync of a controller would do to one object and its
// dependents, on one View.
type Decision struct {
	// Target is the object that the answer is about.
	Target Ref `json:"target"`
	// Answer is what the controller does, in one sentence.
	Answer string `json:"answer"`
	Standing
	// Pending is true when the controller, or that of an object that it scales, would do
	// anything but rewrite status.
	Pending bool `json:"pending"`
	// Partial is true when something was not read that could change the answer; the caveats
	// with partial name it.
	Partial bool `json:"partial,omitempty"`
	// Summary counts what the next sync does, and what all of it comes to.
	Summary Summary `json:"summary"`

	// AsOf is the instant that ages are measured at.
	AsOf time.Time `json:"asOf"`
	// Modelled says which controller of which version was modelled.
	Modelled Modelled `json:"model"`
	// WhatIf are the fields that a change sets, in a plan.
	WhatIf []Change `json:"whatIf,omitempty"`
	// WhatIfElsewhere is how many other objects the same change sets fields of, each of which
	// has a plan of its own in the same answer.
	WhatIfElsewhere int `json:"whatIfElsewhere,omitempty"`
	// Refused is why the API server would not store the change of whatIf; nothing is decided
	// then.
	Refused []string `json:"refused,omitempty"`
	// Manifest is the file and the line of the manifest that is refused; absent for other
	// changes.
	Manifest string `json:"manifest,omitempty"`
	// Keep is what becomes of the Pods of --keep.
	Keep []Spared `json:"keep,omitempty"`
	// Stay is where the Pods are that another number of replicas keeps; absent for other
	// changes, and where the controller does not choose which Pods it deletes.
	Stay *Stay `json:"stay,omitempty"`
	// Owners is the chain of controllers above the target, root first.
	Owners []Ref `json:"owners"`

	// Count is the arithmetic of replicas; absent for kinds without.
	Count Fact `json:"count,omitzero"`
	// Gate reports whether the sync may create and delete.
	Gate Gate `json:"gate"`
	// Actions are what the next sync does besides writing status.
	Actions []Action `json:"actions"`
	// Claims are the verdicts on each Pod or ReplicaSet that the controller looks at.
	Claims []Claim `json:"claims"`
	// Claiming is how the controller claims: its read of its own object before an adoption,
	// and how its ref manager differs from that of Kubernetes.
	Claiming []Ruling `json:"claiming,omitempty"`
	// Ranking is the order of deletion, absent where the controller does not choose: it
	// deletes none, or all.
	Ranking *Ranking `json:"ranking,omitempty"`
	// Expectations are the writes that the simulated controller waits to see.
	Expectations Expectations `json:"expectations"`
	// Status is what the sync writes into the status; absent for controllers that write
	// none.
	Status StatusWrite `json:"status,omitzero"`
	// NextSync is the rule that brings the object back into the queue.
	NextSync Ruling `json:"nextSync"`
	// Requeue is why the key is queued again at once, as NextSync says.
	Requeue Requeue `json:"-"`
	// After is after how long the key is queued again by itself, 0 for not.
	After time.Duration `json:"-"`
	// MayFail: the sync fails, and is repeated with back-off, if what it creates is refused.
	MayFail bool `json:"-"`
	// DeletionHeld are Pods that are deleted without any change, and not by this sync: by
	// name, with why they are, and what holds that up.
	DeletionHeld map[string]string `json:"-"`
	// ChoiceHeld are Pods of which a later sync chooses some for deletion without any
	// change: by name, with what holds that up.
	ChoiceHeld map[string]string `json:"-"`
	// Placed are the nodes of the Pods that count towards spec.replicas, by name, of a
	// controller that does not choose which of them it deletes.
	Placed map[string]string `json:"-"`
	// Later counts what later syncs delete without any change.
	Later Toll `json:"-"`
	// Hanging counts what is deleted once lifecycle hooks release Pods, besides those whose
	// deletion the actions start.
	Hanging Toll `json:"-"`
	// Rolling counts what later syncs of a rollout create and delete besides, as long as
	// nothing blocks it.
	Rolling Toll `json:"-"`
	// Rollout is how far the update is, nil where Pods were not counted.
	Rollout *Rollout `json:"-"`
	// Swept counts what the garbage collector deletes, or may delete, besides: objects that only
	// seem to be the target's.
	Swept Total `json:"-"`
	// Hooked are the Pods that a lifecycle hook holds.
	Hooked []Hooked `json:"-"`
	// Refusals are the disruption budgets that refuse what is due.
	Refusals []Refusal `json:"-"`
	// NamedAlike are objects whose names keep others from being created.
	NamedAlike []Ref `json:"-"`
	// Sets are the ReplicaSets of a Deployment.
	Sets []Set `json:"sets,omitempty"`
	// Follows is what other controllers do next, because of the actions or anyway, such as
	// those of ReplicaSets that a Deployment scales.
	Follows []Effect `json:"follows"`
	// Retries are when the next syncs come of objects that the target scales, whose syncs fail;
	// absent for none.
	Retries []Retry `json:"retries,omitempty"`
	// MoreRankings are those after the first, where the controller chooses among several
	// groups of Pods, one after the other.
	MoreRankings []*Ranking `json:"moreRankings,omitempty"`
	// Revisions are the versions of the template of a CloneSet, the newest last.
	Revisions []Revision `json:"revisions,omitempty"`
	// Updates are the verdicts on each Pod in the rollout of a CloneSet, in the order of the
	// rollout.
	Updates []Update `json:"updates,omitempty"`
	// Limits are the arithmetic of scaling and updating, and why a number is what it is.
	Limits []Ruling `json:"limits,omitempty"`
	// Reasons are short answers to why a rollout does what it does.
	Reasons []Reason `json:"reasons,omitempty"`
	// Evidence is what the surroundings say about why the controller may not have acted yet.
	Evidence []Evidence `json:"evidence,omitempty"`
	// Caveats are the limits of the answer.
	Caveats []Caveat `json:"caveats"`
	// BelowRefused: all that other controllers would create because of the actions is refused.
	BelowRefused bool `json:"-"`
	// Unknown: what of it is possible depends on something that was not read, or on the
	// order of a cache.
	Unknown bool `json:"-"`
	// Doubted: all of it depends on something that may not happen; see Doubt.
	Doubted bool `json:"-"`
	// Folded is what is left out in a list, because the answers about other controllers
	// repeat it; absent where all is there.
	Folded *Folded `json:"folded,omitempty"`
	// Rescaled is that an autoscaler sets another number of replicas than the target has, and
	// which; empty where none is known to.
	Rescaled string `json:"-"`
	// Timeline is what the rounds after this sync do, with --rounds or --until-stable.
	Timeline *Timeline `json:"timeline,omitempty"`
}

// Modelled says which controller of which version was modelled, and how that was
// learned.
type Modelled struct {
	// Controller is the name of the controller.
	Controller string `json:"controller"`
	// Product is what the version is of; absent for Kubernetes.
	Product string `json:"product,omitempty"`
	// Version is the version of Kubernetes or Kruise: major.minor, and the patch where it
	// makes a difference.
	Version string `json:"version"`
	// Basis says how the version was learned: server v1.36.3.
	Basis string `json:"basis"`
	// Gates are the feature gates that the model knows, each on or off.
	Gates map[string]bool `json:"gates,omitempty"`
	// GatesBasis says how the gates were learned.
	GatesBasis string `json:"gatesBasis,omitempty"`
	// GatesSet are the gates that are not as this version has them by default; absent where
	// that was not compared.
	GatesSet []string `json:"gatesSet,omitempty"`
}

// Change is one field that a change sets.
type Change struct {
	// Object is the object that is changed.
	Object Ref `json:"object"`
	// Path is the path of the field.
	Path string `json:"path"`
	// From is the value before the change, as text.
	From string `json:"from"`
	// To is the value after the change, as text.
	To string `json:"to"`
	// Sizes are the numbers of a change of spec.replicas; nil for other changes, and for a
	// value that is no number.
	Sizes *Sizes `json:"-"`
}

// Sizes are spec.replicas before a change, and after it: 1 where it is not set.
type Sizes struct{ From, To int64 }

// Rescaled is a change of an object's spec.replicas.
func Rescaled(object Ref, from, to int64) Change {
	return Change{Object: object, Path: string(KeySpecReplicas), From: strconv.FormatInt(from, 10), To: strconv.FormatInt(to, 10), Sizes: &Sizes{from, to}}
}

// Gate reports whether a controller may create or delete in this sync.
type Gate struct {
	// Open is true when the sync may create and delete.
	Open bool `json:"open"`
	// Basis is computed for the simulated controller, and inferred for the real one.
	Basis string `json:"basis"`
	Ruling
}

// Summary counts the actions by kind and certainty. A choice is counted once:
// where its pods get different actions, as the gravest of them.
type Summary struct {
	// Create counts the objects that are created: Pods, and ReplicaSets of a Deployment.
	Create int `json:"create"`
	// DeleteCertain counts the objects that are deleted for certain.
	DeleteCertain int `json:"deleteCertain"`
	// DeletePossible counts the deletions of which it is not determined which Pods they
	// are of, or whether they happen.
	DeletePossible int `json:"deletePossible"`
	// PossibleAmong is how many Pods share the possible deletions, in one choice or in
	// several. A Pod of a choice that a preDelete hook holds enters PreparingDelete instead.
	PossibleAmong int `json:"possibleAmong"`
	// Adopt counts the objects that get an ownerReference.
	Adopt int `json:"adopt"`
	// Release counts the objects that lose their ownerReference.
	Release int `json:"release"`
	// Scale counts the objects with a controller of their own that are scaled.
	Scale int `json:"scale,omitempty"`
	// Modify counts the objects that are changed in another way.
	Modify int `json:"modify,omitempty"`
	// Update counts the Pods that are updated in place.
	Update int `json:"update,omitempty"`
	// Recreate counts the Pods that are marked for deletion, because others are to replace
	// them.
	Recreate int `json:"recreate,omitempty"`
	// SetState counts the Pods that enter another state of their lifecycle.
	SetState int `json:"setState,omitempty"`
	// DeleteClaims counts the PersistentVolumeClaims that are deleted.
	DeleteClaims int `json:"deleteClaims,omitempty"`
	// Total is what all of it comes to: the next sync, what follows from it, and the rounds
	// that were simulated.
	Total Total `json:"total"`
}

// Delete is the number of pods that go, whichever they are.
func (s Summary) Delete() int { return s.DeleteCertain + s.DeletePossible }

// FieldChange is one field of the status.
type FieldChange struct {
	// Field is the path of the field below status.
	Field string `json:"field"`
	// Stored is the value in the API, as text.
	Stored string `json:"from"`
	// Next is the value that is written, as text.
	Next string `json:"to"`
	// Certainty is possible where the value depends on something that may not happen.
	Certainty Certainty `json:"certainty,omitempty"`
}

// StatusWrite is the status update that ends the sync.
type StatusWrite struct {
	// Writes is true when the sync writes status.
	Writes bool `json:"writes"`
	// Dropped: the API server drops a part of it, so that every sync writes it again. That it
	// is written does not say that anything is due.
	Dropped bool `json:"-"`
	// Plain: the ruling adds nothing to that it is written.
	Plain bool `json:"-"`
	Ruling
	// Fields are the fields that change.
	Fields []FieldChange `json:"fields"`
	// Conditions are the conditions that the status has then, where one changes.
	Conditions []Condition `json:"conditions,omitempty"`
}

// Condition is a status condition after the sync.
type Condition struct {
	// Type is the type of the condition.
	Type string `json:"type"`
	// Status is True, False or Unknown.
	Status string `json:"status"`
	// Reason is the reason of the condition.
	Reason string `json:"reason,omitempty"`
	// Message is the message of the condition.
	Message string `json:"message,omitempty"`
	// Since is its lastTransitionTime.
	Since time.Time `json:"since,omitzero"`
}

// Evidence is something found in the cluster that may explain why the controller has not
// acted.
type Evidence struct {
	// Source is the object that says so, such as an Event.
	Source Ref `json:"source"`
	// At is when what it tells of last happened; zero for what holds now.
	At time.Time `json:"-"`
	Ruling
}

// Caveat is a limit of the answer: something that was not read, assumed, or
// cannot be known from outside.
type Caveat struct {
	// Code names the limit.
	Code string `json:"code"`
	// Message says what the limit is.
	Message string `json:"message"`
	// Partial is true for what was not read and could change the answer.
	Partial bool `json:"partial,omitempty"`
	// Absent is the kind of which the input holds no object, for a caveat about that
	// alone, and Effect what is not known without it.
	Absent string `json:"-"`
	Effect string `json:"-"`
	// Explains: that could only explain the answer, not change it.
	Explains bool `json:"-"`
}

// Whole is the caveat of an answer that is not called partial for it.
func (c Caveat) Whole() Caveat { c.Partial = false; return c }

// In reports whether one of several caveats says the same.
//
//go:noinline // it is called at many places
func (c Caveat) In(all []Caveat) bool {
	return slices.ContainsFunc(all, func(other Caveat) bool {
		return c.Code == other.Code && c.Message == other.Message && c.Partial == other.Partial
	})
}

// Unread lists the messages of the caveats that make an answer partial.
func Unread(caveats []Caveat) []string {
	var messages []string
	for _, c := range caveats {
		if c.Partial {
			messages = append(messages, c.Message)
		}
	}
	return messages
}

// VersionNotKnown is the code of the caveat that another version than the one modelled
// may act.
const VersionNotKnown = "VersionNotKnown"

// Depends reports whether what is possible depends on more than whether the API server
// accepts it: on another controller, on the version, or on what was not read.
func (d *Decision) Depends() bool {
	return d.Unknown || d.Contested() || slices.ContainsFunc(d.Caveats, func(c Caveat) bool { return c.Code == VersionNotKnown })
}

// Assumed lists what an answer that is not partial takes for granted.
func Assumed(caveats []Caveat) []string {
	var messages []string
	for _, c := range caveats {
		if c.Code == VersionNotKnown && !c.Partial {
			messages = append(messages, c.Message)
		}
	}
	return messages
}

// NoActiveLeader begins the sentence of an answer that no leader acts on.
const NoActiveLeader = "No active leader"

// PartialAnswer is what the first line of a partial answer ends with.
const PartialAnswer = " (partial answer)"

// Acts counts the actions of a verb on objects of a kind.
func (d *Decision) Acts(verb Verb, kind string) int {
	n := 0
	for _, a := range d.Actions {
		if a.Verb == verb && a.Object.Kind == kind {
			n++
		}
	}
	return n
}

// EachRuling calls f for every rule that applied anywhere in the Decision.
func (d *Decision) EachRuling(f func(*Ruling)) {
	for _, r := range []*Ruling{&d.Gate.Ruling, &d.Status.Ruling, &d.NextSync} {
		f(r)
	}
	for i := range d.Actions {
		f(&d.Actions[i].Ruling)
		if c := d.Actions[i].Containers; c != nil {
			f(c)
		}
	}
	for i := range d.Claims {
		f(&d.Claims[i].Ruling)
	}
	for i := range d.Claiming {
		f(&d.Claiming[i])
	}
	for i := range d.Evidence {
		f(&d.Evidence[i].Ruling)
	}
	for i := range d.Expectations.ReadBack {
		f(&d.Expectations.ReadBack[i])
	}
	d.Ranking.eachRuling(f)
	d.eachUpdateRuling(f)
}

// Requeue is why the work queue gets a key back at the end of its sync.
type Requeue int

// NoRequeue: it is forgotten until something queues it. RequeueFailed: the sync
// ends in an error. RequeueNotReadBack: it ends before it does anything, because
// the controller has not read its own last writes back. Both are with backoff.
const (
	NoRequeue Requeue = iota
	RequeueFailed
	RequeueNotReadBack
)
