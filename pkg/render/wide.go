package render

import (
	"fmt"
	"strings"
	"sync"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// wide adds what only some readers want: every claim, the exact patches, the
// arithmetic and the whole status.
func (p *page) wide() error {
	if err := p.claims(); err != nil {
		return err
	}
	p.claiming()
	p.patches()
	p.written()
	if err := p.order(); err != nil {
		return err
	}
	p.arithmetic()
	return p.statusTable()
}

func (p *page) arithmetic() {
	if p.d.Count.Name == "" && len(p.d.Limits) == 0 {
		return
	}
	p.line("\n" + p.label("ARITHMETIC"))
	if p.d.Count.Name != "" {
		p.fact(p.d.Count, 1)
	}
	for _, l := range p.d.Limits {
		for _, f := range l.Facts {
			p.fact(f, 1)
		}
	}
}

// claims lists what the controller makes of each pod. Owned pods that stay are
// counted when there are many: they decide nothing.
func (p *page) claims() error {
	var rows [][]string
	f := folding(p.All, func(h decision.ClaimDecision) int {
		if h == decision.Owned {
			return mostSafe
		}
		return most
	})
	for _, c := range p.d.Claims {
		if f.shows(c.Decision) {
			rows = append(rows, []string{string(c.Decision), clean(c.Object.Name), clean(c.Message), p.dim(c.Rule)})
		}
	}
	if len(rows) == 0 {
		return nil
	}
	p.line("\n" + p.label("CLAIMS"))
	if err := p.grid(grid{indent: "  ", header: []string{"HOLD", "POD", "WHY", "RULE"}, rows: rows, name: 1, text: 2}); err != nil {
		return err
	}
	for _, h := range []decision.ClaimDecision{decision.Owned, decision.ToAdopt, decision.ToRelease, decision.Ignored, decision.Inactive} {
		if f.left[h] > 0 {
			p.line("  " + more(f.left[h], string(h)))
		}
	}
	return nil
}

// head prints the heading of a section, once, before the first of its lines.
func (p *page) head(label, text string) func() {
	return sync.OnceFunc(func() { p.line("\n" + p.label(label) + text) })
}

// claiming says how claims are made.
func (p *page) claiming() {
	head := p.head("CLAIMING", "")
	for _, r := range p.d.Claiming {
		head()
		p.below("  ", p.ruled(clean(r.Message), r.Rule))
	}
}

func (p *page) patches() {
	head := p.head("PATCHES", "  strategic merge, as the controller sends them")
	for _, a := range p.d.Actions {
		if a.Patch != "" {
			head()
			p.line(clean(fmt.Sprintf("  %s  %s", a.Object, a.Patch)))
		}
	}
}

// written says what updates of whole objects change, and what becomes of containers.
func (p *page) written() {
	head := p.head("CHANGES", "  of objects that are updated whole, as a strategic merge patch")
	for _, a := range p.d.Actions {
		if a.Change == "" {
			continue
		}
		head()
		p.line(clean(fmt.Sprintf("  %s  %s", a.Object, a.Change)))
		p.below("    ", p.ruled(clean(a.Containers.Message), a.Containers.Rule))
	}
}

// order says why Pods are updated in their order.
func (p *page) order() error {
	var rows [][]string
	places := updatePlaces(p.d.Updates)
	for i, u := range p.d.Updates {
		if u.Order != nil && (p.All || len(rows) < most) {
			rows = append(rows, []string{places[i], clean(u.Object.Name), clean(u.Order.Message), p.dim(u.Order.Rule)})
		}
	}
	if len(rows) == 0 {
		return nil
	}
	p.line("\n" + p.label("ORDER") + "  of the update: what tells each Pod from the one before it, the first from the next")
	return p.grid(grid{indent: "  ", header: []string{"#", "POD", "WHY", "RULE"}, rows: rows, name: 1, text: 2})
}

// fact writes a fact and what it was derived from, indented below it.
func (p *page) fact(f decision.Fact, depth int) {
	text := fmt.Sprintf("%s%s = %v", strings.Repeat("  ", depth), f.Name, f.Value)
	if f.Op != "" {
		text += "  (" + f.Op + ")"
	}
	if f.Path != "" {
		text += "  ← " + f.Path
	}
	p.line(clean(text))
	for _, sub := range f.Of {
		p.fact(sub, depth+1)
	}
}

func (p *page) statusTable() error {
	var rows [][]string
	for _, f := range p.d.Status.Fields {
		mark := ""
		if f.Stored != f.Next {
			mark = "changed"
		}
		mark += doubt(f)
		rows = append(rows, []string{clean(f.Field), clean(f.Stored), clean(f.Next), mark})
	}
	for _, c := range p.d.Status.Conditions {
		rows = append(rows, []string{clean("condition " + c.Type), "", clean(c.Status + " " + c.Reason), clean(c.Message)})
	}
	if len(rows) == 0 {
		return nil
	}
	p.line("\n" + p.label("STATUS"))
	return p.grid(grid{indent: "  ", header: []string{"FIELD", "STORED", "NEXT", ""}, rows: rows, name: 0, text: 3})
}
