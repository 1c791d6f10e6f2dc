package render

import (
	"regexp"
	"slices"
	"strings"
)

// gap is what stands between columns.
const gap = 3

// readable is the least width that running text is set in beside something.
const readable = 28

// grid is a table that knows how to get narrower.
type grid struct {
	indent string
	header []string
	rows   [][]string
	// name is the column that says what a row is about, text the one with a
	// sentence, -1 for none.
	name, text int
}

// grid writes a table as wide as the terminal allows: in full, else with the
// sentence wrapped in its column, else with it below its row, else each row as a
// paragraph.
func (p *page) grid(g grid) error {
	if len(g.header)+len(g.rows) == 0 {
		return nil
	}
	room := g.room(p.Width)
	switch {
	case p.Width == 0 || g.width() <= p.Width:
	case g.text >= 0 && room >= readable:
		g.rows = g.wrapped(room)
	case g.text >= 0 && room >= -gap && len(g.header) > 0:
		return g.hung(p)
	default:
		g.paragraphs(p)
		return nil
	}
	return table(p, g.indent, g.header, g.rows)
}

// width is how wide the table is in full.
func (g grid) width() int {
	total := width(g.indent) - gap
	for _, w := range g.widths() {
		total += w + gap
	}
	return total
}

// room is what a terminal leaves for the sentence.
func (g grid) room(terminal int) int {
	if g.text < 0 {
		return 0
	}
	return terminal - g.width() + g.widths()[g.text]
}

func (g grid) widths() []int {
	return widest(append([][]string{g.header}, g.rows...))
}

func widest(rows [][]string) []int {
	var out []int
	for _, r := range rows {
		for i, cell := range r {
			if i == len(out) {
				out = append(out, 0)
			}
			out[i] = max(out[i], width(cell))
		}
	}
	return out
}

// wrapped sets the sentences in lines of their own below each other.
func (g grid) wrapped(room int) [][]string {
	var out [][]string
	for _, r := range g.rows {
		for i, line := range wrapPainted(r[g.text], room) {
			cells := make([]string, len(r))
			if i == 0 {
				copy(cells, r)
			}
			cells[g.text] = line
			out = append(out, cells)
		}
	}
	return out
}

// hung writes the table without the sentences, and each below its row: a row keeps
// to one line, and to its columns.
func (g grid) hung(p *page) error {
	var rows [][]string
	for _, r := range g.rows {
		rows = append(rows, without(r, g.text))
	}
	lines, err := tableLines(without(g.header, g.text), rows)
	if err != nil {
		return err
	}
	for i, line := range lines {
		p.line(strings.TrimRight(g.indent+line, " "))
		if i > 0 {
			p.below(g.indent+"  ", g.rows[i-1][g.text])
		}
	}
	return nil
}

func without(row []string, column int) []string {
	return slices.Delete(slices.Clone(row), column, column+1)
}

// paragraphs writes each row as its name and, below, every other cell with
// the column's header.
func (g grid) paragraphs(p *page) {
	for _, r := range g.rows {
		p.line(g.indent + r[g.name])
		var parts []string
		for i, cell := range r {
			switch {
			case i == g.name || i == g.text || cell == "":
			case i < len(g.header) && g.header[i] != "":
				parts = append(parts, g.header[i]+" "+cell)
			default:
				parts = append(parts, cell)
			}
		}
		p.below(g.indent+"  ", strings.Join(parts, ", "))
		if g.text >= 0 {
			p.below(g.indent+"  ", r[g.text])
		}
	}
}

// below writes text under an indent, wrapped.
func (p *page) below(indent, text string) {
	if text == "" {
		return
	}
	for _, line := range wrapPainted(text, p.Width-width(indent)) {
		p.line(indent + line)
	}
}

// painted is text that one colour goes through from end to end.
var painted = regexp.MustCompile(`^(\x1b\[[0-9;]*m)([^\x1b]*)(\x1b\[[0-9;]*m)$`)

// wrapPainted wraps text and paints each line as the whole was.
func wrapPainted(text string, width int) []string {
	m := painted.FindStringSubmatch(text)
	if m == nil {
		return wrap(text, width)
	}
	lines := wrap(m[2], width)
	for i := range lines {
		lines[i] = m[1] + lines[i] + m[3]
	}
	return lines
}
