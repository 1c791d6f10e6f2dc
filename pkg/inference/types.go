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
}

// Count is a number in status and what it would be now.
type Count struct {
	Field          string
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
}

// Event is what an event tells: Verb was done to the pod whose name follows
// Before in its message.
type Event struct {
	Verb   decision.Verb
	Before string
}

// Verdict is what an inference comes to.
type Verdict string

// Satisfied is for sure; what is PossiblyPending may be outstanding; Expired no longer
// counts, seen or not; without an active leader nothing is waited for, and to what is
// being deleted it is not applicable.
const (
	Satisfied       Verdict = "Satisfied"
	PossiblyPending Verdict = "PossiblyPending"
	Expired         Verdict = "Expired"
	NoActiveLeader  Verdict = "NoActiveLeader"
	NotApplicable   Verdict = "NotApplicable"
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

// Write is something the controller did, of which it may not know yet that it
// took place.
type Write struct {
	Verb   decision.Verb `json:"verb"`
	Object decision.Ref  `json:"object"`
	// At is when, to the second.
	At time.Time `json:"at"`
	// By is what tells of it: "pod" or "event".
	By string `json:"by"`
}

// Range is how many of some writes may be outstanding: none to Max.
type Range struct {
	Min int `json:"min"`
	Max int `json:"max"`
}

// Inferred is what can be told of the real controller's expectations.
type Inferred struct {
	Basis   string  `json:"basis"`
	Verdict Verdict `json:"verdict"`
	decision.Ruling
	Creations Range `json:"creations"`
	Deletions Range `json:"deletions"`
	Updates   Range `json:"updates"`
	// Writes are those that may be outstanding, the oldest first.
	Writes []Write `json:"writes,omitempty"`
	// Expires is when the last of them stops to count at the latest.
	Expires *time.Time `json:"expires,omitempty"`
	// Then is what the controller does next because of this.
	Then     decision.Ruling     `json:"then"`
	Evidence []decision.Evidence `json:"evidence"`
	// CantTell is what limits the verdict, Settle where to look next.
	CantTell []decision.Ruling   `json:"cantTell"`
	Settle   []decision.Evidence `json:"settle"`
	// Turns is when the verdict changes if nothing else does, nil for never.
	Turns *time.Time `json:"-"`
}

// Computed is the embedded run's own record.
type Computed struct {
	// Next is what the embedded run would do, in a sentence.
	Next         string                `json:"next"`
	Pending      bool                  `json:"pending"`
	Gate         decision.Gate         `json:"gate"`
	Expectations decision.Expectations `json:"expectations"`
}

// Report is the whole answer.
type Report struct {
	Target   decision.Ref      `json:"target"`
	Answer   string            `json:"answer"`
	AsOf     time.Time         `json:"asOf"`
	Modelled decision.Modelled `json:"modelled"`
	Inferred *Inferred         `json:"inferred"`
	Computed Computed          `json:"computed"`
	Caveats  []decision.Caveat `json:"caveats,omitempty"`
	// Partial is true when something was not read that could change the answer;
	// the Caveats name it.
	Partial bool `json:"partial,omitempty"`
}
