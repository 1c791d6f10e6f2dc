package render

import (
	"io"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// List writes one line for each Decision: what will happen next, at a glance.
func List(w io.Writer, ds []*decision.Decision, namespaces bool, o Options) error {
	p := palette{o.Colour}
	header := []string{"NAME", "NEXT"}
	if namespaces {
		header = append([]string{"NAMESPACE"}, header...)
	}
	var rows [][]string
	for _, d := range ds {
		next := clean(d.Answer)
		if len(next) > len(d.Target.String())+1 {
			next = next[len(d.Target.String())+1:]
		}
		row := []string{d.Target.String(), next}
		if d.Pending {
			row[1] = p.answer(row[1])
		}
		if namespaces {
			row = append([]string{d.Target.Namespace}, row...)
		}
		rows = append(rows, row)
	}
	return table(w, "", header, rows)
}
