package lineage

import (
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// Graph is an object with what it belongs to and what belongs to it.
type Graph struct {
	// Answer is the first line: the whole answer in one sentence.
	Answer string `json:"answer"`
	// AsOf is the instant that ages are measured at.
	AsOf time.Time `json:"asOf"`
	// Target is the object that was asked for.
	Target decision.Ref `json:"target"`
	// Nodes are the objects, owners before their dependents.
	Nodes []Node `json:"nodes"`
	// Edges are the owner references, from dependents to owners.
	Edges []Edge `json:"edges"`
	// OnDelete is what its deletion would do, where that was asked for.
	OnDelete *OnDelete `json:"onDelete,omitempty"`
	// Caveats are the limits of the answer.
	Caveats []decision.Caveat `json:"caveats"`
	// Pending is true when a claim or a reference is about to change.
	Pending bool `json:"pending"`
	// Partial is true when something was not read that could change the answer; the caveats
	// with partial name it.
	Partial bool `json:"partial,omitempty"`
}

// Node is one object.
type Node struct {
	// Object is the object.
	Object decision.Ref `json:"object"`
	// Exists is false for an owner that only a reference names.
	Exists bool `json:"exists"`
	// Deleting is true when it is being deleted.
	Deleting bool `json:"deleting,omitempty"`
	// Depth counts from the target: owners are below 0, dependents above.
	Depth int `json:"depth"`
	// Hidden is how many dependents the limit of depth leaves out.
	Hidden int `json:"hidden,omitempty"`
	// Next is what a controller or the garbage collector is about to do to
	// the object's references, if anything.
	Next *decision.Ruling `json:"next,omitempty"`
}

// Edge is one owner reference.
type Edge struct {
	// Dependent is the UID of the object that has the reference.
	Dependent string `json:"dependentUID"`
	// Owner is the UID in the reference.
	Owner string `json:"ownerUID"`
	Link
}

// Node finds a node by its UID.
func (g *Graph) Node(uid string) *Node {
	for i := range g.Nodes {
		if g.Nodes[i].Object.UID == uid {
			return &g.Nodes[i]
		}
	}
	return nil
}

// eachRuling calls f for every rule that applied.
func (g *Graph) eachRuling(f func(*decision.Ruling)) {
	for i := range g.Nodes {
		if g.Nodes[i].Next != nil {
			f(g.Nodes[i].Next)
		}
	}
	for i := range g.Edges {
		f(&g.Edges[i].Ruling)
	}
	if g.OnDelete != nil {
		for _, effects := range [][]Effect{g.OnDelete.Takes, g.OnDelete.Keeps, g.OnDelete.Orphans} {
			for i := range effects {
				f(&effects[i].Ruling)
			}
		}
	}
}
