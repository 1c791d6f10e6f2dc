package decision

import (
	"slices"
	"time"
)

// Ruling is a rule that applied, with the facts it applied to. Message is
// made from both by the plugin's Catalogue.
type Ruling struct {
	Rule    string `json:"rule"`
	Message string `json:"message"`
	Facts   Facts  `json:"facts,omitempty"`
}

// Ruled makes a Ruling whose Message is still to be phrased.
func Ruled(rule string, facts ...Fact) Ruling { return Ruling{Rule: rule, Facts: facts} }

// Decision is what one sync of a controller would do to one object and its
// dependents, on one View.
type Decision struct {
	Target Ref `json:"target"`
	// Answer is what the controller does, in one sentence.
	Answer string `json:"answer"`
	Standing
	// Pending is true when the controller would do anything but rewrite status.
	Pending bool `json:"pending"`
	// Partial is true when something was not read that could change the answer;
	// the Caveats name it.
	Partial bool    `json:"partial,omitempty"`
	Summary Summary `json:"summary"`

	AsOf     time.Time `json:"asOf"`
	Modelled Modelled  `json:"modelled"`
	WhatIf   []Change  `json:"whatIf,omitempty"`
	// Refused is why the change of WhatIf would not be stored; there is nothing
	// to decide then.
	Refused []string `json:"refused,omitempty"`
	// Keep is what becomes of the Pods that are to be kept, where it was asked for.
	Keep   []Spared `json:"keep,omitempty"`
	Owners []Ref    `json:"owners,omitempty"`

	// Count is the arithmetic of replicas, zero for kinds without.
	Count   Fact     `json:"count,omitzero"`
	Gate    Gate     `json:"gate"`
	Actions []Action `json:"actions"`
	Claims  []Claim  `json:"claims"`
	// Ranking is nil when upstream would not sort: nothing goes, or all go.
	Ranking      *Ranking     `json:"ranking,omitempty"`
	Expectations Expectations `json:"expectations"`
	// Status is zero for controllers that write none.
	Status   StatusWrite `json:"status,omitzero"`
	NextSync Ruling      `json:"nextSync"`
	// Requeue is why the key is queued again at once, as NextSync says.
	Requeue Requeue `json:"-"`
	// After is after how long the key is queued again by itself, 0 for not.
	After time.Duration `json:"-"`
	// DeletionHeld are Pods whose deletion has started and is held up, by name, with
	// the reason.
	DeletionHeld map[string]string `json:"-"`
	// Sets are the dependents of a rollout that have a controller of their own,
	// and Follows what that controller does next because of Actions.
	Sets    []Set    `json:"sets,omitempty"`
	Follows []Effect `json:"follows,omitempty"`
	// MoreRankings follow Ranking where the controller chooses among several
	// groups of pods, one after the other.
	MoreRankings []*Ranking `json:"moreRankings,omitempty"`
	// Revisions are the versions of the template, the newest last.
	Revisions []Revision `json:"revisions,omitempty"`
	// Updates are the verdicts of a rollout, in the order of the rollout.
	Updates []Update `json:"updates,omitempty"`
	// Limits are the rulings of what bounds this sync: the arithmetic of
	// scaling and updating, and why a number is what it is.
	Limits []Ruling `json:"limits,omitempty"`
	// Reasons say in short why a rollout goes as it does.
	Reasons []Reason `json:"reasons,omitempty"`
	// Evidence is what the surroundings say about why the controller may not
	// have acted yet. Each item names its source.
	Evidence []Evidence `json:"evidence,omitempty"`
	Caveats  []Caveat   `json:"caveats,omitempty"`
	// Doubted: all of it depends on something that may not happen; see Doubt.
	Doubted bool `json:"-"`
	// Folded is what is left out in a list; nil for nothing.
	Folded *Folded `json:"folded,omitempty"`
	// Timeline is what follows this step, when that was asked for.
	Timeline *Timeline `json:"timeline,omitempty"`
}

// Modelled says which controller the answer is about and how that was known.
type Modelled struct {
	Controller string `json:"controller"`
	// Product is what Version is a version of; Kubernetes when empty.
	Product string `json:"product,omitempty"`
	// Version is the Kubernetes (or Kruise) version, major.minor[.patch].
	Version string `json:"version"`
	// Basis says how Version was learned, for example "server v1.36.3".
	Basis string          `json:"basis"`
	Gates map[string]bool `json:"gates,omitempty"`
	// GatesBasis is "defaults of this version" unless a flag or the cluster said otherwise.
	GatesBasis string `json:"gatesBasis,omitempty"`
	// GatesSet are the gates that are not as this version has them by default;
	// nil where that was not compared.
	GatesSet []string `json:"gatesSet,omitempty"`
}

// Change is one field that a what-if laid over the View.
type Change struct {
	Object Ref    `json:"object"`
	Path   string `json:"path"`
	From   string `json:"from"`
	To     string `json:"to"`
}

// Gate says whether the controller may create or delete in this sync.
type Gate struct {
	Open bool `json:"open"`
	// Basis is "computed" (the embedded run's own record) or "inferred".
	Basis string `json:"basis"`
	Ruling
}

// Summary counts the actions by kind and certainty. A choice is counted once:
// where its pods get different actions, as the gravest of them.
type Summary struct {
	Create         int `json:"create"`
	DeleteCertain  int `json:"deleteCertain"`
	DeletePossible int `json:"deletePossible"`
	// PossibleAmong is how many pods share the DeletePossible deletions, in one
	// choice or in several.
	PossibleAmong int `json:"possibleAmong"`
	Adopt         int `json:"adopt"`
	Release       int `json:"release"`
	// Scale and Modify count objects that have a controller of their own.
	Scale  int `json:"scale,omitempty"`
	Modify int `json:"modify,omitempty"`
	// Update and Recreate count the pods of a rollout, SetState those whose
	// lifecycle moves on, and DeleteClaims the volume claims that go.
	Update       int `json:"update,omitempty"`
	Recreate     int `json:"recreate,omitempty"`
	SetState     int `json:"setState,omitempty"`
	DeleteClaims int `json:"deleteClaims,omitempty"`
	// Total is what all of it comes to, with what follows.
	Total Total `json:"total"`
}

// Delete is the number of pods that go, whichever they are.
func (s Summary) Delete() int { return s.DeleteCertain + s.DeletePossible }

// FieldChange is one status field: what is stored and what the sync would write.
type FieldChange struct {
	Field  string `json:"field"`
	Stored string `json:"stored"`
	Next   string `json:"next"`
	// Certainty is Possible where Next depends on something that may not happen.
	Certainty Certainty `json:"certainty,omitempty"`
}

// StatusWrite is the status update that ends the sync.
type StatusWrite struct {
	Writes bool `json:"writes"`
	// Plain: the ruling adds nothing to that it is written.
	Plain bool `json:"-"`
	Ruling
	Fields     []FieldChange `json:"fields"`
	Conditions []Condition   `json:"conditions,omitempty"`
}

// Condition is a status condition after the sync.
type Condition struct {
	Type    string    `json:"type"`
	Status  string    `json:"status"`
	Reason  string    `json:"reason,omitempty"`
	Message string    `json:"message,omitempty"`
	Since   time.Time `json:"since,omitzero"`
}

// Evidence is something found in the cluster that bears on a stall.
type Evidence struct {
	Source Ref `json:"source"`
	// At is when what it tells of last happened; zero for what holds now.
	At time.Time `json:"-"`
	Ruling
}

// Caveat is a limit of the answer: something that was not read, assumed, or
// cannot be known from outside.
type Caveat struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	// Partial is true for what was not read and could change the answer.
	Partial bool `json:"partial,omitempty"`
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

// PartialAnswer is what the first line of a partial answer ends with.
const PartialAnswer = " (partial answer)"

// AddCaveat notes a limit of the answer, once.
func (d *Decision) AddCaveat(code, message string) {
	if c := (Caveat{Code: code, Message: message}); !slices.Contains(d.Caveats, c) {
		d.Caveats = append(d.Caveats, c)
	}
}

// AddUnread notes something that was not read and could change the answer.
func (d *Decision) AddUnread(code, message string) {
	i := slices.IndexFunc(d.Caveats, func(c Caveat) bool { return c.Code == code && c.Message == message })
	if i < 0 {
		i = len(d.Caveats)
		d.AddCaveat(code, message)
	}
	d.Caveats[i].Partial = true
	if d.Partial {
		return
	}
	d.Partial, d.Answer = true, d.Answer+PartialAnswer
	if d.Headline != "" {
		d.Headline += PartialAnswer
	}
}

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
	}
	for i := range d.Claims {
		f(&d.Claims[i].Ruling)
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
