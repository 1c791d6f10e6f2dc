package render

import (
	"io"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// List writes a line for each Decision, and below them the caveats, each once.
func List(w io.Writer, ds []*decision.Decision, namespaces bool, columns Columns, o Options) error {
	p := newPage(nil, o)
	if o.Wide {
		columns = columns.wide()
	}
	header := append([]string{"NAME"}, columns.header...)
	if namespaces {
		header = append([]string{"NAMESPACE"}, header...)
	}
	var rows [][]string
	for _, d := range ds {
		row := append([]string{clean(d.Target.String())}, columns.cells(p, d)...)
		if namespaces {
			row = append([]string{clean(d.Target.Namespace)}, row...)
		}
		rows = append(rows, row)
	}
	g := grid{header: header, rows: rows, name: len(header) - len(columns.header) - 1, text: len(header) - 1}
	if o.NoHeaders {
		g.header = nil
	}
	if err := p.grid(g); err != nil {
		return err
	}
	if !o.NoHeaders {
		p.sharedCaveats(ds)
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// next is the answer without the name that stands before it anyway.
func (p *page) next(d *decision.Decision) string {
	answer, pending := d.Answer, d.Pending
	if t := d.Timeline; t != nil {
		answer, pending = strings.TrimSpace(t.Answer+" "+t.Cost), len(t.Rounds) > 0
	}
	text := clean(strings.TrimPrefix(strings.TrimPrefix(answer, d.Target.String()), " "))
	if pending {
		return p.answer(text)
	}
	return text
}
