package render

import (
	"fmt"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// ranking draws the deletion orders, each with its cut.
func (p *page) ranking() error {
	for _, r := range rankings(p.d) {
		if err := p.rankingOf(r); err != nil {
			return err
		}
	}
	return nil
}

// Ranked says how many of an order of deletion are deleted.
func Ranked(r *decision.Ranking) string {
	title := fmt.Sprintf("%d of %d are deleted", r.Cut, len(r.Rows))
	switch {
	case someStay(r):
		title = fmt.Sprintf("%d of %d chosen, not all of them are deleted", r.Cut, len(r.Rows))
	case r.Cut == 1:
		title = fmt.Sprintf("1 of %d is deleted", len(r.Rows))
	}
	if r.Among != "" {
		title = "of the Pods that are " + r.Among + ", " + title
	}
	return title
}

func (p *page) rankingOf(r *decision.Ranking) error {
	title := Ranked(r)
	if !p.Wide {
		title += " (-o wide: every criterion)"
	}
	p.WriteByte('\n')
	for i, line := range wrap("RANKING  "+title, p.Width) {
		if i == 0 {
			line = p.label("RANKING") + "  " + strings.TrimSpace(strings.TrimPrefix(line, "RANKING"))
		}
		p.line(line)
	}
	g := p.ranked(r, p.columns(r))
	if !p.beside(g) && !p.Wide {
		g = p.ranked(r, nil) // what decided names the criterion, too
	}
	if !p.beside(g) {
		p.drawCut(r, nil, func(i int) {
			grid{indent: "  ", header: g.header, rows: g.rows[i : i+1], name: 1, text: g.text}.paragraphs(p)
		})
		return nil
	}
	room := 0
	if p.Width > 0 {
		room = g.room(p.Width)
	}
	var first []int // lines before those of each row
	var rows [][]string
	for _, row := range g.rows {
		first = append(first, len(rows))
		rows = append(rows, grid{rows: [][]string{row}, text: g.text}.wrapped(room)...)
	}
	lines, err := tableLines(g.header, rows)
	if err != nil {
		return err
	}
	p.drawCut(r, lines[:1], func(i int) {
		end := len(rows)
		if i+1 < len(first) {
			end = first[i+1]
		}
		for _, line := range lines[1+first[i] : 1+end] {
			p.line("  " + line)
		}
	})
	return nil
}

// beside reports whether an order fits with what decided beside each Pod, wrapped if
// need be.
func (p *page) beside(g grid) bool {
	return p.Width == 0 || g.width() <= p.Width || g.room(p.Width) >= readable
}

// ranked is the table of the rows to show.
func (p *page) ranked(r *decision.Ranking, columns []int) grid {
	g := grid{indent: "  ", header: []string{"#", "POD", "DELETED"}, rows: p.rankedRows(r, columns)}
	for _, c := range columns {
		g.header = append(g.header, r.Criteria[c].Column)
	}
	g.header = append(g.header, "DECIDED BY")
	g.text = len(g.header) - 1
	return g
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
			if r.Criteria[c].Column == row.DecidedBy.Facts.Str(decision.KeyColumn) {
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
		cells := []string{places[i], clean(row.Object.Name), p.fate(row.End(), Deleted(r, row))}
		for _, c := range columns {
			cells = append(cells, clean(row.Values[c]))
		}
		rows = append(rows, append(cells, clean(decidedBy(row))))
	}
	return rows
}

// Deleted says whether a Pod of the order is deleted: yes, no, later, or how many of
// those that are like it.
func Deleted(r *decision.Ranking, row decision.Ranked) string {
	switch {
	case row.Later == decision.Doomed:
		return "later"
	case row.Later == decision.AtRisk:
		return "possibly later"
	case row.Fate == decision.Doomed:
		return "yes"
	case row.Fate == decision.Safe:
		return "no"
	case r.Undetermined == nil || r.Undetermined.Facts.Int(decision.KeyN) == 0:
		return "possibly"
	}
	return fmt.Sprintf("%d of %d", r.Undetermined.Facts.Int(decision.KeyK), r.Undetermined.Facts.Int(decision.KeyN))
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

// decidedBy is the comparison that put a pod on its side of the cut.
func decidedBy(row decision.Ranked) string {
	d := row.DecidedBy
	switch {
	case d == nil:
		return "not deterministic"
	case d.Facts.Str(decision.KeyColumn) == "": // no criterion: it was chosen, and something else keeps it
		return d.Message
	case strings.HasSuffix(d.Rule, "UID"):
		return "UID " + d.Facts.Str(decision.KeyOp) + " inside one age bucket of " + d.Facts.Str(decision.KeyColumn)
	default:
		return fmt.Sprintf("%s %s %s %s", d.Facts.Str(decision.KeyColumn), d.Facts.Str(decision.KeyValue), d.Facts.Str(decision.KeyOp), d.Facts.Str(decision.KeyOther))
	}
}

// around is how many pods are shown on each side of the cut.
const around = 8

// shown picks the rows that show what decides: those around the cut, and ties
// whole. Of a tie too large for that the two ends are shown.
func (p *page) shown(r *decision.Ranking) []int {
	first, last := r.Cut, r.Cut
	for i, row := range r.Rows {
		if row.Fate == decision.AtRisk {
			first, last = min(first, i), max(last, i+1)
		}
	}
	first, last = wholeTies(r.Rows, max(first-around, 0), min(last+around, len(r.Rows)))
	if p.All {
		first, last = 0, len(r.Rows)
	}
	var rows []int
	for i := first; i < last; i++ {
		if p.All || i-first < 2*most || last-i <= most {
			rows = append(rows, i)
		}
	}
	return rows
}

// wholeTies moves both ends to where a tie begins and ends, if that is near.
func wholeTies(rows []decision.Ranked, first, last int) (int, int) {
	from, to := first, last
	for from > 0 && rows[from-1].Block == rows[from].Block {
		from--
	}
	for to < len(rows) && to > 0 && rows[to].Block == rows[to-1].Block {
		to++
	}
	if first-from > most {
		from = first
	}
	if to-last > most {
		to = last
	}
	return from, to
}

// drawCut writes the rows with a rule where the deletions end, and says what
// was left out.
func (p *page) drawCut(r *decision.Ranking, header []string, row func(int)) {
	for _, line := range header {
		p.line("  " + p.dim(line))
	}
	next := 0
	for i, place := range p.shown(r) {
		p.skipped(r, next, place)
		if place == r.Cut && r.Undetermined == nil {
			p.line("  ── cut ──")
		}
		row(i)
		next = place + 1
	}
	p.skipped(r, next, len(r.Rows))
	if r.Undetermined != nil {
		p.below("  ", fmt.Sprintf("the cut after %d is inside a group without an order", r.Cut))
	}
}

// skipped says how many rows are left out between two, and their fate.
func (p *page) skipped(r *decision.Ranking, from, to int) {
	if to <= from {
		return
	}
	what := map[decision.Fate]string{decision.Doomed: "to be deleted", decision.AtRisk: "of this tie", decision.Safe: "kept"}
	p.line("  " + more(to-from, what[r.Rows[from].End()]))
}
