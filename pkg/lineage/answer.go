package lineage

import (
	"fmt"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// finish puts everything into words.
func (w *walker) finish() {
	g := w.g
	g.eachRuling(func(r *decision.Ruling) { r.Message = Rules.Say(r.Rule, r.Facts) })
	for _, n := range g.Nodes {
		if n.Next == nil {
			continue
		}
		g.Pending = true
		if n.Next.Rule == ownership.ReleaseMismatch || n.Next.Rule == ownership.NotMember {
			n.Next.Message = fmt.Sprintf("%s releases it: %s", n.Next.Facts.Str("controller"), n.Next.Message)
		}
	}
	g.Answer = g.chain()
	if g.OnDelete != nil {
		g.Answer += " " + g.OnDelete.answer(g.Target)
	}
	w.caveats()
}

// chain says what the target belongs to, and to what that belongs.
func (g *Graph) chain() string {
	var b strings.Builder
	b.WriteString(g.Target.String())
	at, glue := g.Target.UID, " "
	seen := map[string]bool{}
	for !seen[at] {
		seen[at] = true
		edge, more := g.controller(at)
		if edge == nil {
			break
		}
		b.WriteString(glue + belongs(edge))
		if more > 0 {
			fmt.Fprintf(&b, " and %d more", more)
		}
		if !edge.found() {
			break
		}
		at, glue = edge.Owner, ", which "
	}
	if len(seen) == 1 && glue == " " && !strings.Contains(b.String(), " ") {
		b.WriteString(" belongs to nobody")
	}
	if next := g.Node(g.Target.UID).Next; next != nil {
		b.WriteString("; " + next.Message)
	}
	return b.String() + "."
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

// controller is the edge to the controller of a node, else to its first owner,
// and how many more owners there are.
func (g *Graph) controller(uid string) (*Edge, int) {
	var first *Edge
	n := 0
	for i := range g.Edges {
		e := &g.Edges[i]
		if e.Dependent != uid {
			continue
		}
		n++
		if first == nil || e.Controller {
			first = e
		}
	}
	return first, n - 1
}

// caveats names what could not be read.
func (w *walker) caveats() {
	w.g.Caveats = append(w.g.Caveats, NotRead(w.r, Telling{
		Installed: w.Installed, Concerns: func(view.Kind) bool { return true }, Without: func(read view.Read) string { return read.Without },
	})...)
}
