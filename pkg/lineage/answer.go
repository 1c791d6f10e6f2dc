package lineage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// finish puts everything into words.
func (w *walker) finish() {
	g := w.g
	g.eachRuling(Rules.Put)
	for _, n := range g.Nodes {
		if n.Next == nil {
			continue
		}
		g.Pending = true
		if n.Next.Rule == ownership.ReleaseMismatch || n.Next.Rule == ownership.NotMember {
			n.Next.Message = fmt.Sprintf("%s releases it: %s", n.Next.Facts.Str(keyController), n.Next.Message)
			if adopters := n.Next.Facts.Str(keyAdopters); adopters != "" {
				n.Next.Message += "; then adopted by " + adopters
			}
		}
	}
	g.Answer = g.chain() + g.stale()
	if g.OnDelete != nil {
		g.Answer += " " + g.OnDelete.answer(g.Target)
	}
	g.Answer += Emptied(w.r, g.Target.Namespace)
	w.caveats()
}

// chain says what the target belongs to, and to what that belongs. Of a long
// chain it says the first levels and the last.
func (g *Graph) chain() string {
	levels := g.levels()
	if n := len(levels) - format.Most; n > 0 {
		last := levels[len(levels)-1]
		levels = append(levels[:format.Most-1], fmt.Sprintf("… after %s more %s", format.Plural(n, "level"), last))
	}
	text := g.Target.String() + " has no owner"
	if len(levels) > 0 {
		text = g.Target.String() + " " + strings.Join(levels, ", which ")
	}
	if next := g.Node(g.Target.UID).Next; next != nil {
		text += "; " + next.Message
	}
	return text + "."
}

// stale says how many objects refer to the target by another UID, and are deleted.
func (g *Graph) stale() string {
	n := 0
	for i := range g.Edges {
		e := &g.Edges[i]
		of := e.Link.Owner
		if e.Rule != OwnerReplaced || of.Kind != g.Target.Kind || of.Name != g.Target.Name || of.APIVersion != g.Target.APIVersion {
			continue
		}
		if next := g.Node(e.Dependent).Next; next != nil && next.Rule == Collected {
			n++
		}
	}
	switch n {
	case 0:
		return ""
	case 1:
		return " 1 object refers to it with another UID: the garbage collector deletes it."
	}
	return fmt.Sprintf(" %d objects refer to it with another UID: the garbage collector deletes them.", n)
}

// levels are what the target belongs to and what each of its owners belongs to,
// up to the root or to an owner that was met before.
func (g *Graph) levels() []string {
	owners := g.owners()
	var levels []string
	seen := map[string]bool{}
	for at := g.Target.UID; !seen[at]; {
		seen[at] = true
		edge := controlling(owners[at])
		if edge == nil {
			break
		}
		text := belongs(edge)
		if n := len(owners[at]); n > 1 {
			text += fmt.Sprintf(" (1 of %d owners)", n)
		}
		levels = append(levels, text)
		if !edge.found() {
			break
		}
		at = edge.Owner
	}
	return levels
}

// owners are the edges that lead up from each object.
func (g *Graph) owners() map[string][]*Edge {
	all := map[string][]*Edge{}
	for i := range g.Edges {
		e := &g.Edges[i]
		all[e.Dependent] = append(all[e.Dependent], e)
	}
	return all
}

// controlling is the edge to the controller, else to the first owner, nil for
// none.
func controlling(edges []*Edge) *Edge {
	var first *Edge
	for _, e := range edges {
		if first == nil || e.Controller {
			first = e
		}
	}
	return first
}

func (e *Edge) found() bool { return e.State == Solid || e.State == Waiting }

func belongs(e *Edge) string {
	verb := "belongs to "
	if e.Controller {
		verb = "is controlled by "
	}
	text := verb + e.Link.Owner.String()
	if !e.found() {
		text += ", which " + e.Message
	}
	return text
}

// looksAt are the kinds that the answer may depend on.
func (w *walker) looksAt() []view.Kind {
	kinds := append([]view.Kind{w.Target.Kind}, w.Types...)
	for i := 0; i < len(kinds); i++ { // of those that claim, others claim in turn
		for _, k := range ownership.ClaimerKinds(w.r, kinds[i]) {
			if !slices.ContainsFunc(kinds, func(known view.Kind) bool { return known.GroupKind() == k.GroupKind() }) {
				kinds = append(kinds, k)
			}
		}
	}
	return kinds
}

// caveats names what could not be read.
func (w *walker) caveats() {
	w.g.Caveats = append(w.g.Caveats, NotRead(w.r, Telling{
		Installed: w.Installed, Concerns: func(view.Kind) bool { return true }, IfMissing: func(read view.Read) string { return read.IfMissing },
		Partial: view.Read.Partial, Complete: "; " + Complete(w.r, w.g.Target.Namespace, w.looksAt()),
	})...)
	if w.Undiscovered != nil {
		w.g.Caveats = append(w.g.Caveats, decision.Caveat{Code: "NotRead", Partial: true, Message: fmt.Sprintf(
			"which kinds the server serves is not wholly known: %v: dependents of other types are not shown", w.Undiscovered)})
	}
	if len(decision.Unread(w.g.Caveats)) > 0 {
		w.g.Partial, w.g.Answer = true, w.g.Answer+decision.PartialAnswer
	}
}
