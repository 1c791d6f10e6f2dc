package orphans

import (
	"slices"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
)

// Report is what was found about all objects that were looked at.
type Report struct {
	// Answer is the first line: the whole answer in one sentence.
	Answer string `json:"answer"`
	// AsOf is the instant that ages are measured at.
	AsOf time.Time `json:"asOf"`
	// Modelled says which controllers the consequences are about.
	Modelled decision.Modelled `json:"model"`
	// Namespaces are those that were looked at; absent for all.
	Namespaces []string `json:"namespaces,omitempty"`
	// Pending is true when there are findings of other groups than byDesign and unverified.
	Pending bool `json:"pending"`
	// Partial is true when something was not read that could change the answer; the caveats
	// with partial name it.
	Partial bool `json:"partial,omitempty"`
	// Objects is how many objects were looked at.
	Objects int `json:"objects"`
	// Settled is how many of them keep the owner that they say, or are volume claims that say
	// none, such as those of a StatefulSet that retains them.
	Settled int `json:"settled"`
	// unowned is how many of the settled, and of those by design, say none, and goes how many
	// are deleted with theirs.
	unowned, goes int
	// emptied are the sentences that namespaces are being deleted.
	emptied string
	// idle are the sentences that no leader is active to do what controllers would.
	idle []string
	// Groups is how many findings each group has.
	Groups map[Group]int `json:"groups"`
	// Findings are the objects of all groups but byDesign, and those of byDesign.
	Findings []Finding `json:"findings"`
	// ByDesign are the findings of that group by rule and kind.
	ByDesign []Fold `json:"byDesign,omitempty"`
	// Overlaps are selectors that can match the same object.
	Overlaps []Overlap `json:"overlaps"`
	// Caveats are the limits of the answer.
	Caveats []decision.Caveat `json:"caveats"`
}

// Owned is how many objects have the owner that they say, and keep it.
func (rep *Report) Owned() int { return rep.Settled + rep.Groups[ByDesign] - rep.unowned - rep.goes }

// add doubles the room when there is none left, but not beyond what may be found. Findings
// are large, and there may be very many: append would copy each about five times.
func (rep *Report) add(found Finding) {
	if n := len(rep.Findings); n == cap(rep.Findings) {
		more := max(n, 16)
		if left := mostFindings + 1 - n; left > 0 {
			more = min(more, left)
		}
		rep.Findings = slices.Grow(rep.Findings, more)
	}
	rep.Findings = append(rep.Findings, found)
}

// Group is the case that an object is.
type Group string

// The groups, in the order in which they are told.
const (
	// Adopted: a controller adopts it.
	Adopted Group = "adopted"
	// Contested: several controllers would adopt it, and one of them does.
	Contested Group = "contested"
	// Released: its controller releases it, because its labels no longer match.
	Released Group = "released"
	// Dangling: its owner is absent, or has another UID.
	Dangling Group = "dangling"
	// Uncontrolled: its owners exist, and none of them is its controller, or is any longer.
	Uncontrolled Group = "noController"
	// Nobodys: it has no owner, and no controller adopts it.
	Nobodys Group = "noOwner"
	// LeftBehind: its workload is gone, and it was left behind.
	LeftBehind Group = "leftBehind"
	// Unverified: what would decide it was not read.
	Unverified Group = "unverified"
	// ByDesign: it needs no controller.
	ByDesign Group = "byDesign"
)

// Groups lists all groups in order.
var Groups = []Group{Adopted, Contested, Released, Dangling, Uncontrolled, Nobodys, LeftBehind, Unverified, ByDesign}

// Finding is one object without an owner that keeps it.
type Finding struct {
	// Object is the object.
	Object decision.Ref `json:"object"`
	// Group is what becomes of it.
	Group Group `json:"group"`
	decision.Ruling
	// Candidates are the controllers whose selectors match the object. Of more than 10, only
	// the first that would adopt it are listed or, where none would, the first of the
	// others.
	Candidates []Candidate `json:"candidates,omitempty"`
	// More counts the candidates that are not listed; absent where all are.
	More *MoreCandidates `json:"moreCandidates,omitempty"`
	// Links are the object's owner references, each checked.
	Links []lineage.Link `json:"owners,omitempty"`
	// Collector is what the garbage collector does about it.
	Collector *decision.Ruling `json:"collector,omitempty"`
	// Then is what the controllers do that the object joins or leaves.
	Then []Consequence `json:"then,omitempty"`
	// MoreThen is how many controllers that would adopt the object have no entry in then.
	MoreThen int `json:"moreThen,omitempty"`
	// Patch is what the controller will send, a strategic merge patch.
	Patch string `json:"patch,omitempty"`
}

// Fold is the objects of one kind that need no controller by one rule.
type Fold struct {
	// Kind is the kind of the objects.
	Kind string `json:"kind"`
	// Rule is the rule that says why they need no controller.
	Rule string `json:"rule"`
	// Title is the rule in a few words.
	Title string `json:"title"`
	// Objects are the objects.
	Objects []decision.Ref `json:"objects"`
}

// Candidate is a controller that could adopt an object.
type Candidate struct {
	// Controller is the object that would adopt.
	Controller decision.Ref `json:"controller"`
	// Adopts is true when it would adopt the object.
	Adopts bool `json:"adopts"`
	decision.Ruling
	// Claiming is how it claims, where there is something to say.
	Claiming *decision.Ruling `json:"claiming,omitempty"`
}

// MoreCandidates counts candidates that are not listed: those that would adopt
// the object, and those that would not.
type MoreCandidates struct {
	// Adopting is how many of them would adopt the object.
	Adopting int `json:"adopting"`
	// Refusing is how many of them would not.
	Refusing int `json:"refusing"`
}

// Consequence is what a controller does next after an adoption or release.
type Consequence struct {
	// Controller is the object that gains or loses another.
	Controller decision.Ref `json:"controller"`
	decision.Ruling
	// Deletes are the first 10 of the Pods that are deleted for certain.
	Deletes []decision.Ref `json:"deletes,omitempty"`
	// MoreDeletes is how many more are.
	MoreDeletes int `json:"moreDeletes,omitempty"`
	// Possible are the first 10 of the Pods that share the other deletions.
	Possible []decision.Ref `json:"possible,omitempty"`
	// MorePossible is how many more do.
	MorePossible int `json:"morePossible,omitempty"`
}

// Overlap is two or more controllers whose selectors can match the same object.
type Overlap struct {
	// A is the first of the two.
	A decision.Ref `json:"a"`
	// B is the second of the two.
	B decision.Ref `json:"b"`
	// Controllers are the first 10 of many that match what a makes; absent for a pair.
	Controllers []decision.Ref `json:"controllers,omitempty"`
	// MoreControllers is how many more there are.
	MoreControllers int `json:"moreControllers,omitempty"`
	// Witness are labels that both match.
	Witness map[string]string `json:"witness"`
	// Made is true when one of the two makes objects that the other matches.
	Made bool `json:"made"`
	decision.Ruling
}

// eachRuling calls f for every rule that applied.
func (rep *Report) eachRuling(f func(*decision.Ruling)) {
	for i := range rep.Findings {
		rep.Findings[i].eachRuling(f)
	}
	for i := range rep.Overlaps {
		f(&rep.Overlaps[i].Ruling)
	}
}

func (fi *Finding) eachRuling(f func(*decision.Ruling)) {
	f(&fi.Ruling)
	for i := range fi.Candidates {
		f(&fi.Candidates[i].Ruling)
		if how := fi.Candidates[i].Claiming; how != nil {
			f(how)
		}
	}
	for i := range fi.Links {
		f(&fi.Links[i].Ruling)
	}
	if fi.Collector != nil {
		f(fi.Collector)
	}
	for i := range fi.Then {
		f(&fi.Then[i].Ruling)
	}
}
