package render

import (
	"fmt"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// actions lists what will be done, a line for each object.
func (p *page) actions() error {
	var rows [][]string
	for _, a := range p.d.Actions {
		rows = append(rows, []string{p.verb(a.Verb, string(a.Verb)), object(a), certainty(a), clean(a.Message), p.dim(a.Rule)})
	}
	return p.reasoned(rows)
}

// object names what an action is done to, creations by number.
func object(a decision.Action) string {
	if a.Verb == decision.Create {
		return fmt.Sprintf("%d × %s", a.Count, clean(a.Object.Name))
	}
	return clean(a.Object.Name)
}

func certainty(a decision.Action) string {
	if a.Choice == nil {
		return string(a.Certainty)
	}
	return fmt.Sprintf("%d of %d", a.Choice.K, a.Choice.N)
}

// reasoned writes rows that end in a reason and a rule. Where a line would not
// fit the terminal, the reason goes below.
func (p *page) reasoned(rows [][]string) error {
	if len(rows) == 0 {
		return nil
	}
	p.WriteByte('\n')
	if p.fits(rows) {
		return table(p, "  ", nil, rows)
	}
	var heads [][]string
	for _, r := range rows {
		heads = append(heads, append(r[:len(r)-2:len(r)-2], r[len(r)-1]))
	}
	lines, err := tableLines(nil, heads)
	if err != nil {
		return err
	}
	for i, line := range lines {
		p.line("  " + line)
		for _, reason := range wrap(rows[i][len(rows[i])-2], p.Width-4) {
			p.line("    " + reason)
		}
	}
	return nil
}

// fits tells whether rows fit the terminal side by side.
func (p *page) fits(rows [][]string) bool {
	if p.Width == 0 {
		return true
	}
	widest := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, cell := range r {
			widest[i] = max(widest[i], len([]rune(cell)))
		}
	}
	total := 2
	for _, w := range widest {
		total += w + 3
	}
	return total <= p.Width
}

var marks = map[decision.Verb]string{
	decision.Create: "+", decision.Delete: "-", decision.Adopt: "<", decision.Release: ">",
}

// plannedActions lists what would be done, possible victims on one line, and
// the pods that are safe.
func (p *page) plannedActions() error {
	var rows [][]string
	var possible []string
	var why decision.Action
	for _, a := range p.d.Actions {
		if a.Verb == decision.Delete && a.Choice != nil {
			possible, why = append(possible, clean(a.Object.Name)), a
			continue
		}
		rows = append(rows, []string{p.verb(a.Verb, marks[a.Verb]), object(a), certainty(a), clean(a.Message), p.dim(a.Rule)})
	}
	if len(possible) > 0 {
		rows = append(rows, []string{p.verb(decision.Delete, "-"), strings.Join(possible, ", "), certainty(why), clean(why.Message), p.dim(why.Rule)})
	}
	return p.reasoned(append(rows, p.safe()...))
}

// mostSafe is how many safe pods are worth a line without -o wide.
const mostSafe = 5

func (p *page) safe() [][]string {
	if p.d.Ranking == nil {
		return nil
	}
	var rows [][]string
	left := 0
	for _, r := range p.d.Ranking.Rows {
		if r.Fate != decision.Safe {
			continue
		}
		if len(rows) == mostSafe && !p.Wide {
			left++
			continue
		}
		rows = append(rows, []string{p.fate(decision.Safe, "="), clean(r.Object.Name), "safe", clean(r.DecidedBy.Message), p.dim(r.DecidedBy.Rule)})
	}
	if left > 0 {
		rows = append(rows, []string{p.fate(decision.Safe, "="), fmt.Sprintf("and %d more", left), "safe", "further down the order", ""})
	}
	return rows
}
