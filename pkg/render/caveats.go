package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

//go:noinline // it is called at many places
func (p *page) caveats() {
	p.caveatsOf(p.d.Caveats)
}

// unsaid are the caveats without those that a cause says, which stands above them.
func unsaid(d *decision.Decision) []decision.Caveat {
	return slices.DeleteFunc(slices.Clone(d.Caveats), func(c decision.Caveat) bool { return c.Code == decision.Undone })
}

func (p *page) caveatsOf(all []decision.Caveat) {
	label := "CAVEATS"
	for _, text := range p.caveatLines(all, func(decision.Caveat) string { return "" }) {
		p.note(label, text)
		label = ""
	}
}

// sharedCaveats says each caveat once, with the number of objects it is about.
func (p *page) sharedCaveats(ds []*decision.Decision) {
	count := map[string]int{}
	var all []decision.Caveat
	for _, d := range ds {
		for _, c := range d.Caveats {
			if count[c.Message]++; !c.In(all) {
				all = append(all, c)
			}
		}
	}
	lines := p.caveatLines(all, func(c decision.Caveat) string {
		if len(ds) < 2 {
			return ""
		}
		return fmt.Sprintf(" (%d of %s)", count[c.Message], format.Plural(len(ds), "object"))
	})
	for i, text := range lines {
		label := ""
		if i == 0 {
			p.WriteByte('\n')
			label = "CAVEATS"
		}
		p.note(label, text)
	}
}

// caveatLines are the caveats in the order of what they mean for the answer, each with
// what tail adds: first what was not read and could change it, then other limits of it,
// then kinds that the input holds none of, by what is not known without them. Those that
// could only explain the answer share the last line. A wide answer has a line for each.
func (p *page) caveatLines(all []decision.Caveat, tail func(decision.Caveat) string) []string {
	var first, lines []string
	var absent, silent absences
	for _, c := range all {
		switch text := p.ruled(c.Message, c.Code) + tail(c); {
		case c.Partial:
			first = append(first, text)
		case c.Absent == "" || p.Wide:
			lines = append(lines, text)
		case c.Explains:
			silent.add(c.Absent, c.Effect+tail(c))
		default:
			absent.add(c.Absent, c.Effect+tail(c))
		}
	}
	return slices.Concat(first, lines, absent.lines(), silent.line())
}

// absences are kinds that the input holds none of, by what is not known without them.
type absences struct {
	effects []string
	kinds   map[string][]string
}

func (a *absences) add(kind, effect string) {
	if a.kinds == nil {
		a.kinds = map[string][]string{}
	}
	if _, known := a.kinds[effect]; !known {
		a.effects = append(a.effects, effect)
	}
	a.kinds[effect] = append(a.kinds[effect], kind)
}

// lines has one for each effect.
func (a *absences) lines() (all []string) {
	for _, effect := range a.effects {
		all = append(all, "the input holds no "+strings.Join(a.kinds[effect], ", ")+": "+effect)
	}
	return all
}

// line is one for all of them; a single one says its effect.
func (a *absences) line() []string {
	if len(a.effects) < 2 {
		return a.lines()
	}
	var kinds []string
	for _, effect := range a.effects {
		for _, kind := range a.kinds[effect] {
			if !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
		}
	}
	return []string{"the input holds no " + strings.Join(kinds, ", ") + "; -o wide says what can't be explained without them"}
}
