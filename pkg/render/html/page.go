package html

import (
	"bytes"
	"embed"
	"html/template"
	"io"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/orphans"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
)

//go:embed templates
var files embed.FS

var pages = inLines(template.Must(template.New("").Funcs(functions).ParseFS(files, "templates/*")))

// About says what a page answers and by what it was made.
type About struct {
	// Question is the command line.
	Question string
	// Tool is the program with its version.
	Tool string
}

// page is what every page has.
type page struct {
	About
	Answer  string
	Pending bool
	AsOf    time.Time
	// Decisions, Report or Graph is set.
	Decisions []part
	Report    *orphans.Report
	Graph     *lineage.Graph
}

// part is one of several Decisions on a page, or the only one.
type part struct {
	*decision.Decision
	// Alone is true for the only one: its answer is the page's.
	Alone bool
}

// Decisions writes a page about one Decision or several.
func Decisions(w io.Writer, ds []*decision.Decision, about About) error {
	p := page{About: about, Answer: summary(ds)}
	for _, d := range ds {
		p.Decisions = append(p.Decisions, part{d, len(ds) == 1})
		p.Pending = p.Pending || d.Pending
		p.AsOf = d.AsOf
	}
	return p.write(w)
}

// Orphans writes a page about objects without a settled owner.
func Orphans(w io.Writer, rep *orphans.Report, about About) error {
	return page{About: about, Answer: rep.Answer, Pending: rep.Pending, AsOf: rep.AsOf, Report: rep}.write(w)
}

// Owners writes a page about what an object belongs to.
func Owners(w io.Writer, g *lineage.Graph, about About) error {
	return page{About: about, Answer: g.Answer, Pending: g.Pending, AsOf: g.AsOf, Graph: g}.write(w)
}

func (p page) write(w io.Writer) error {
	var buf bytes.Buffer
	if err := pages.ExecuteTemplate(&buf, "page.html", p); err != nil {
		return err
	}
	_, err := io.WriteString(w, render.Harmless(buf.String()))
	return err
}

// summary is the answer of a page.
func summary(ds []*decision.Decision) string {
	pending := 0
	for _, d := range ds {
		if d.Pending {
			pending++
		}
	}
	switch {
	case len(ds) == 1:
		return answer(ds[0])
	case len(ds) == 0:
		return "Nothing was found to answer about."
	case pending == 0:
		return count(len(ds), "object") + ": nothing is about to happen."
	}
	return count(len(ds), "object") + ", " + count(pending, "of them") + " about to change."
}
