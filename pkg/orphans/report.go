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
	Answer string    `json:"answer"`
	AsOf   time.Time `json:"asOf"`
	// Modelled says which controllers the consequences are about.
	Modelled decision.Modelled `json:"modelled"`
	// Namespaces are those that were looked at; empty for all.
	Namespaces []string `json:"namespaces,omitempty"`
	// Pending is true when anything will change without anyone's doing, or
	// was left behind.
	Pending bool `json:"pending"`
	// Partial is true when something was not read that could change the answer;
	// the Caveats name it.
	Partial bool `json:"partial,omitempty"`
	// Objects is how many were looked at, Settled how many of them have the
	// owner that they say, and keep it.
	Objects int `json:"objects"`
	Settled int `json:"settled"`
	// Groups counts the findings.
	Groups   map[Group]int `json:"groups"`
	Findings []Finding     `json:"findings"`
	// ByDesign sums up the findings of that group.
	ByDesign []Fold            `json:"byDesign,omitempty"`
	Overlaps []Overlap         `json:"overlaps"`
	Caveats  []decision.Caveat `json:"caveats,omitempty"`
}

// add doubles the room when there is none left. Findings are large, and there
// may be very many: append would copy each about five times.
func (rep *Report) add(found Finding) {
	if n := len(rep.Findings); n == cap(rep.Findings) {
		rep.Findings = slices.Grow(rep.Findings, max(n, 16))
	}
	rep.Findings = append(rep.Findings, found)
}

// Group is what becomes of an object.
type Group string

// The groups, in the order in which they are told.
const (
	Adopted    Group = "adopted"
	Contested  Group = "contested"
	Released   Group = "released"
	Dangling   Group = "dangling"
	Nobodys    Group = "nobodys"
	LeftBehind Group = "leftBehind"
	Unverified Group = "unverified"
	// ByDesign are objects that need no controller.
	ByDesign Group = "byDesign"
)

// Groups lists all groups in order.
var Groups = []Group{Adopted, Contested, Released, Dangling, Nobodys, LeftBehind, Unverified, ByDesign}

// Finding is one object without a settled owner.
type Finding struct {
	Object decision.Ref `json:"object"`
	Group  Group        `json:"group"`
	decision.Ruling
	// Candidates are the controllers whose selectors match an object without
	// a controller, or with one that releases it, each with what it makes of it.
	// Where there are more than wording.Most, the first that would adopt the
	// object are listed or, where none would, the first of the others. More
	// counts those that are not listed.
	Candidates []Candidate     `json:"candidates,omitempty"`
	More       *MoreCandidates `json:"moreCandidates,omitempty"`
	// Links are the object's owner references.
	Links []lineage.Link `json:"owners,omitempty"`
	// Collector is what the garbage collector does about it.
	Collector *decision.Ruling `json:"collector,omitempty"`
	// Then is what follows for the controllers that the object joins or leaves.
	// Where there are candidates that are not listed, that of the first few is
	// there, and MoreThen counts the others.
	Then     []Consequence `json:"then,omitempty"`
	MoreThen int           `json:"moreThen,omitempty"`
	// Patch is what the controller will send, a strategic merge patch.
	Patch string `json:"patch,omitempty"`
}

// Fold is how many findings one rule made of one kind.
type Fold struct {
	Kind    string         `json:"kind"`
	Rule    string         `json:"rule"`
	Title   string         `json:"title"`
	Objects []decision.Ref `json:"objects"`
}

// Candidate is a controller that could adopt an object.
type Candidate struct {
	Controller decision.Ref `json:"controller"`
	Adopts     bool         `json:"adopts"`
	decision.Ruling
}

// MoreCandidates counts candidates that are not listed: those that would adopt
// the object, and those that would not.
type MoreCandidates struct {
	Adopting int `json:"adopting"`
	Refusing int `json:"refusing"`
}

// Consequence is the next decision of a controller after an adoption or release.
type Consequence struct {
	Controller decision.Ref `json:"controller"`
	decision.Ruling
	// Deletes lists the first wording.Most of the Pods that are deleted for
	// certain, Possible those of the Pods that share the other deletions.
	// MoreDeletes and MorePossible count the rest.
	Deletes      []decision.Ref `json:"deletes,omitempty"`
	MoreDeletes  int            `json:"moreDeletes,omitempty"`
	Possible     []decision.Ref `json:"possible,omitempty"`
	MorePossible int            `json:"morePossible,omitempty"`
}

// Overlap is two or more controllers whose selectors can match the same object.
type Overlap struct {
	A decision.Ref `json:"a"`
	B decision.Ref `json:"b"`
	// Controllers are the first wording.Most of many that match what A makes,
	// and MoreControllers counts the rest. Both are empty for a pair.
	Controllers     []decision.Ref `json:"controllers,omitempty"`
	MoreControllers int            `json:"moreControllers,omitempty"`
	// Witness are labels that both match.
	Witness map[string]string `json:"witness"`
	// Made is true when one of the two makes objects that the other matches,
	// so that no hand needs to set a label for them to meet.
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
