package render

import (
	"fmt"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// ranking draws the deletion order with its cut.
func (p *page) ranking() error {
	r := p.d.Ranking
	if r == nil {
		return nil
	}
	title := fmt.Sprintf("%d of %d go", r.Cut, len(r.Rows))
	if r.Cut == 1 {
		title = fmt.Sprintf("1 of %d goes", len(r.Rows))
	}
	if !p.Wide {
		title += " (-o wide: every criterion, every pod)"
	}
	p.line("\n" + p.label("RANKING") + "  " + title)
	columns := p.columns(r)
	header := []string{"#", "POD", "FATE"}
	for _, c := range columns {
		header = append(header, r.Criteria[c].Column)
	}
	header = append(header, "DECIDED BY")
	lines, err := tableLines(header, p.rankedRows(r, columns))
	if err != nil {
		return err
	}
	p.drawCut(r, lines)
	return nil
}

// columns picks the criteria to show: all of them in wide output, otherwise
// those on which the pods differ, up to the last one that decided anything.
func (p *page) columns(r *decision.Ranking) []int {
	var pick []int
	for c := range r.Criteria {
		if p.Wide || c <= lastDeciding(r) && differs(r.Rows, c) {
			pick = append(pick, c)
		}
	}
	return pick
}

func lastDeciding(r *decision.Ranking) int {
	last := 0
	for _, row := range r.Rows {
		if row.DecidedBy == nil {
			return len(r.Criteria) - 1
		}
		for c := range r.Criteria {
			if r.Criteria[c].Column == row.DecidedBy.Facts.Str("column") {
				last = max(last, c)
			}
		}
	}
	return last
}

func differs(rows []decision.Ranked, column int) bool {
	for _, row := range rows {
		if row.Values[column] != rows[0].Values[column] {
			return true
		}
	}
	return false
}

func (p *page) rankedRows(r *decision.Ranking, columns []int) [][]string {
	var rows [][]string
	places := places(r)
	for _, i := range p.shown(r) {
		row := r.Rows[i]
		cells := []string{places[i], clean(row.Object.Name), p.fate(row.Fate, string(row.Fate))}
		for _, c := range columns {
			cells = append(cells, clean(row.Values[c]))
		}
		rows = append(rows, append(cells, decidedBy(row)))
	}
	return rows
}

// places are the pods' numbers in the order, or the ranges their blocks span.
func places(r *decision.Ranking) []string {
	out := make([]string, len(r.Rows))
	for first := 0; first < len(out); {
		last := first
		for last+1 < len(out) && r.Rows[last+1].Block == r.Rows[first].Block {
			last++
		}
		for i := first; i <= last; i++ {
			out[i] = span(first+1, last+1)
		}
		first = last + 1
	}
	return out
}

func span(first, last int) string {
	if first == last {
		return fmt.Sprint(first)
	}
	return fmt.Sprintf("%d–%d", first, last)
}

func decidedBy(row decision.Ranked) string {
	d := row.DecidedBy
	switch {
	case d == nil:
		return "chance"
	case strings.HasSuffix(d.Rule, "UID"):
		return "UID " + d.Facts.Str("op") + " inside one " + strings.ToLower(d.Facts.Str("column")) + " bucket"
	default:
		return fmt.Sprintf("%s %s %s %s", d.Facts.Str("column"), d.Facts.Str("value"), d.Facts.Str("op"), d.Facts.Str("other"))
	}
}

// around is how many pods are shown on each side of the cut without -o wide.
const around = 8

// shown picks the rows near the cut; wide output shows all.
func (p *page) shown(r *decision.Ranking) []int {
	first, last := r.Cut, r.Cut
	for i, row := range r.Rows {
		if row.Fate == decision.AtRisk {
			first, last = min(first, i), max(last, i+1)
		}
	}
	var rows []int
	for i := range r.Rows {
		if p.Wide || i >= first-around && i < last+around && (i < r.Cut+2*around) {
			rows = append(rows, i)
		}
	}
	return rows
}

// drawCut writes the table's lines with a rule where the deletions end, and
// says what was left out.
func (p *page) drawCut(r *decision.Ranking, lines []string) {
	shown := p.shown(r)
	p.line("  " + p.dim(lines[0]))
	if n := shown[0]; n > 0 {
		p.line(fmt.Sprintf("  … %d more that go before these", n))
	}
	for i, line := range lines[1:] {
		if shown[i] == r.Cut && r.Undetermined == nil {
			p.line("  ── cut ──")
		}
		p.line("  " + line)
	}
	if n := len(r.Rows) - 1 - shown[len(shown)-1]; n > 0 {
		p.line(fmt.Sprintf("  … %d more after these", n))
	}
	if r.Undetermined != nil {
		p.line(fmt.Sprintf("  the cut after %d goes through a group without an order", r.Cut))
	}
}
