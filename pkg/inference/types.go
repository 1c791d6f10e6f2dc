package inference

import (
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Subject is what a plugin knows of the object that is asked about.
type Subject struct {
	Target     decision.Ref
	Kind       view.Kind
	Object     metav1.Object
	Controller Controller
	// Wanted is spec.replicas, Active how many pods count towards it.
	Wanted, Active int
	// Observed is status.observedGeneration.
	Observed int64
	// Counts are numbers of status beside what there is.
	Counts []Count
	// Pods are all that the object controls, in whatever state.
	Pods []metav1.Object
	// Updates are updates in place that Pods have on record.
	Updates []Write
	// CreatesMissing: with its present spec, a sync creates only while fewer Pods count than are
	// wanted, and no Pod that it created waits for a later one.
	CreatesMissing bool
	// Acted is when the controller last updated a Pod, or its lifecycle, as Pods tell; zero where
	// none does. A sync that does so found nothing outstanding, and creates and deletes nothing.
	Acted time.Time
}

// Count is a number in status and what it would be now.
type Count struct {
	Field          decision.Key
	Stored, Actual int
}

// Controller is how a controller keeps expectations, and what it leaves to see.
type Controller struct {
	// Name is the controller's.
	Name string
	// Program is what it is part of.
	lease.Program
	// Unelected: it holds no Lease.
	Unelected bool
	// Events are the reasons of its events about what it wrote.
	Events map[string]Event
	// Refused is the reason of its event about a creation that was refused.
	Refused string
	// Forever: nothing ends an expectation but what is expected, and no status
	// is written meanwhile. DropsExpired ends it after the timeout all the same.
	Forever, DropsExpired bool
	// ReadsBack: it waits for its caches to hold its own writes.
	ReadsBack bool
	// Uncounted: it counts no creations and deletions. It keeps nothing but what it waits
	// to read.
	Uncounted bool
	// OneByOne: a sync ends with the first Pod that it creates, or fails to create.
	OneByOne bool
}

// Event is what an event tells: Verb was done to the pod whose name follows
// Before in its message.
type Event struct {
	Verb   decision.Verb
	Before string
}

// Verdict is what is inferred.
type Verdict string

// The verdicts.
const (
	// Satisfied: no write is outstanding, for certain.
	Satisfied Verdict = "Satisfied"
	// PossiblyPending: a write may be outstanding.
	PossiblyPending Verdict = "PossiblyPending"
	// Expired: what is outstanding no longer counts.
	Expired Verdict = "Expired"
	// NoActiveLeader: no controller is active, and nothing is waited for.
	NoActiveLeader Verdict = "NoActiveLeader"
	// NotApplicable: the object is being deleted.
	NotApplicable Verdict = "NotApplicable"
)

// Words are the verdict in a sentence.
func (v Verdict) Words() string {
	switch v {
	case PossiblyPending:
		return "possibly pending"
	case NoActiveLeader:
		return "no active leader"
	case NotApplicable:
		return "not applicable"
	}
	return strings.ToLower(string(v))
}

// Write is a write of the controller that it may not have seen yet.
type Write struct {
	// Verb is what was done.
	Verb decision.Verb `json:"verb"`
	// Object is the Pod that it was done to.
	Object decision.Ref `json:"object"`
	// At is when, to the second.
	At time.Time `json:"at"`
	// By is where it was seen: pod or event.
	By string `json:"by"`
}

// Range is how many writes may be outstanding.
type Range struct {
	// Min is the least that may be.
	Min int `json:"min"`
	// Max is the most that may be.
	Max int `json:"max"`
}

// Inferred is what can be told of the real controller's expectations.
type Inferred struct {
	// Basis is inferred: the memory of the real controller can't be read.
	Basis string `json:"basis"`
	// Verdict is what all of it comes to.
	Verdict Verdict `json:"verdict"`
	decision.Ruling
	// Creations is how many creations may be outstanding.
	Creations Range `json:"creations"`
	// Deletions is how many deletions may be outstanding.
	Deletions Range `json:"deletions"`
	// Updates is how many updates may be outstanding.
	Updates Range `json:"updates"`
	// Writes are those that may be outstanding, the oldest first.
	Writes []Write `json:"writes,omitempty"`
	// Expires is when the last of them stops to count at the latest; absent for never.
	Expires *time.Time `json:"expires,omitempty"`
	// Then is what the controller does next because of this.
	Then decision.Ruling `json:"then"`
	// Evidence is from what it is known.
	Evidence []decision.Evidence `json:"evidence"`
	// CantTell is what limits the verdict.
	CantTell []decision.Ruling `json:"cantTell"`
	// Settle is where to look next.
	Settle []decision.Evidence `json:"lookAt"`
	// Turns is when the verdict changes if nothing else does, nil for never.
	Turns *time.Time `json:"-"`
}

// Computed is the simulated controller's own record.
type Computed struct {
	// Next is what the simulated controller would do, in a sentence.
	Next string `json:"answer"`
	// Pending is true when it would do anything but rewrite status.
	Pending bool `json:"pending"`
	// Gate reports whether it may create and delete.
	Gate decision.Gate `json:"gate"`
	// Expectations are the writes that it waits to see.
	Expectations decision.Expectations `json:"expectations"`
}

// Report is the whole answer.
type Report struct {
	// Target is the object that the answer is about.
	Target decision.Ref `json:"target"`
	// Answer is the first line: the whole answer in one sentence.
	Answer string `json:"answer"`
	// AsOf is the instant that ages are measured at.
	AsOf time.Time `json:"asOf"`
	// Modelled says which controller of which version was modelled.
	Modelled decision.Modelled `json:"model"`
	// Inferred is what can be told of the real controller's memory.
	Inferred *Inferred `json:"inferred"`
	// Computed is the simulated controller's own record.
	Computed Computed `json:"computed"`
	// Caveats are the limits of the answer.
	Caveats []decision.Caveat `json:"caveats"`
	// Partial is true when something was not read that could change the answer; the caveats
	// with partial name it.
	Partial bool `json:"partial,omitempty"`
}
