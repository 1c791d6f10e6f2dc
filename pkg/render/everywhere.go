package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/orphans"
)

// Placed is a Decision and the context of the kubeconfig it is about.
type Placed struct {
	Context  string
	Decision *decision.Decision
}

// PlacedReport is a Report about orphans and the context it is about.
type PlacedReport struct {
	Context string
	*orphans.Report
}

// Failure is an object without an answer, or a context that did not answer, or not to
// everything.
type Failure struct {
	// Context is the context of the kubeconfig, with --contexts.
	Context string `json:"context,omitempty"`
	// Message is the error.
	Message string `json:"message"`
}

// Everywhere writes a line for each Decision of several contexts, side by side, with
// -o wide each answer whole. Who did not answer stands among those who did.
func Everywhere(w io.Writer, all []Placed, failed []Failure, whole func(io.Writer, *decision.Decision, Options) error, namespaces bool, columns Columns, o Options) error {
	p := newPage(nil, o)
	var ds []*decision.Decision
	var rows [][]string
	for _, one := range all {
		ds = append(ds, one.Decision)
		rows = append(rows, placedRow(namespaces, one.Context, one.Decision.Target.Namespace, one.Decision.Target.String(), columns.cells(p, one.Decision)...))
	}
	for _, f := range failed {
		cells := make([]string, len(columns.header))
		cells[len(cells)-1] = p.tone("not answered: "+firstLine(f.Message), red)
		rows = append(rows, placedRow(namespaces, f.Context, "", "-", cells...))
	}
	header := placedRow(namespaces, "CONTEXT", "NAMESPACE", "NAME", columns.header...)
	g := grid{header: header, rows: rows, name: 0, text: len(header) - 1}
	if o.NoHeaders {
		g.header = nil
	}
	if err := p.grid(g); err != nil {
		return err
	}
	if !o.Wide && !o.NoHeaders {
		p.sharedCaveats(ds)
	}
	if _, err := io.WriteString(w, p.String()); err != nil || !o.Wide {
		return err
	}
	for _, one := range all {
		if err := heading(w, one.Context, o); err != nil {
			return err
		}
		if err := whole(w, one.Decision, o); err != nil {
			return err
		}
	}
	return nil
}

func placedRow(namespaces bool, context, namespace, name string, cells ...string) []string {
	row := []string{clean(context)}
	if namespaces {
		row = append(row, clean(namespace))
	}
	return append(append(row, clean(name)), cells...)
}

// heading begins the part of one context.
func heading(w io.Writer, context string, o Options) error {
	_, err := fmt.Fprintf(w, "\n%s\n", palette{o.Colour}.label("── "+clean(context)+" ──"))
	return err
}

// PlacedOrphans writes the answers of several contexts, and below them what
// each found.
func PlacedOrphans(w io.Writer, all []PlacedReport, failed []Failure, o Options) error {
	p := newPage(nil, o)
	var rows [][]string
	for _, one := range all {
		rows = append(rows, []string{clean(one.Context), p.answer(clean(one.Answer))})
	}
	for _, f := range failed {
		rows = append(rows, []string{clean(f.Context), p.tone("not answered: "+firstLine(f.Message), red)})
	}
	if err := p.grid(grid{header: []string{"CONTEXT", "ANSWER"}, rows: rows, text: 1}); err != nil {
		return err
	}
	if _, err := io.WriteString(w, p.String()); err != nil {
		return err
	}
	for _, one := range all {
		if !o.Wide && !o.All && settled(one.Report) {
			continue
		}
		if err := heading(w, one.Context, o); err != nil {
			return err
		}
		if err := Orphans(w, one.Report, o); err != nil {
			return err
		}
	}
	return nil
}

// settled reports whether the answer is all that there is to say of a context.
func settled(rep *orphans.Report) bool {
	return len(rep.Findings) == rep.Groups[orphans.ByDesign] && len(rep.Caveats)+len(rep.Overlaps) == 0
}

// firstLine is what a table has room for; the whole error is printed beside it.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return clean(line)
}
