package html

import (
	"bytes"
	"cmp"
	"embed"
	"html/template"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/orphans"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
)

//go:embed templates
var files embed.FS

// pages are parsed when the first page is made: other commands start faster.
var pages = sync.OnceValue(func() *template.Template {
	return inLines(template.Must(template.New("").Funcs(functions).ParseFS(files, "templates/*")))
})

// About says what a page answers and by what it was made.
type About struct {
	// Question is the command line.
	Question string
	// Tool is the program with its version.
	Tool string
	// Plans reports whether the page is about what would happen, not about states.
	Plans bool
	// Source is the context of the kubeconfig, or the files; Namespace what was asked
	// about in it. Both are empty where that is not known.
	Source, Namespace string
}

// page is what every page has.
type page struct {
	About
	Answer string
	// Tone is the class of the heading: calm, pending, blocked or unknown.
	Tone string
	AsOf time.Time
	// Version is that of the cluster, as far as one is modelled.
	Version string
	// Decisions, Report or Graph is set.
	Decisions []*part
	// Failed is what there is no Decision about.
	Failed []render.Failure
	Report *orphans.Report
	Graph  *lineage.Graph
}

// part is one of several Decisions on a page, or the only one.
type part struct {
	*decision.Decision
	// Alone is true for the only one: its answer is the page's.
	Alone bool
	// First is the first line, and Second what the controller does where that does not say it.
	First, Second string
	// Pods and Others are the causes of the state: those of a Pod, and the rest.
	Pods, Others []decision.Cause
}

// sort tells the causes of Pods from others.
func (p *part) sort(causes []decision.Cause) {
	for _, c := range causes {
		if c.Pod != nil {
			p.Pods = append(p.Pods, c)
		} else {
			p.Others = append(p.Others, c)
		}
	}
}

// Caused reports whether the state has causes.
func (p *part) Caused() bool { return len(p.Pods)+len(p.Others) > 0 }

// Decisions writes a page about one Decision or several, and what there is none about.
func Decisions(w io.Writer, ds []*decision.Decision, failed []render.Failure, about About) error {
	p := page{About: about, Answer: summary(ds, about), Tone: tones[0], Failed: failed}
	if len(failed) > 0 {
		p.Answer, p.Tone = strings.TrimSuffix(p.Answer, decision.PartialAnswer)+decision.PartialAnswer, worse(p.Tone, "unknown")
	}
	if len(ds) > 1 && !about.Plans {
		ds = slices.Clone(ds)
		render.MostUrgentFirst(ds)
	}
	var versions []string
	for _, d := range ds {
		one := &part{Decision: d, Alone: len(ds)+len(failed) == 1, First: firstLine(d, about)}
		one.Second = secondLine(d, one.First)
		if !about.Plans {
			one.sort(d.Telling())
		}
		p.Decisions = append(p.Decisions, one)
		p.Tone = worse(p.Tone, tone(d, about))
		p.AsOf = d.AsOf
		if v := cmp.Or(d.Modelled.Product, "Kubernetes") + " " + d.Modelled.Version; !slices.Contains(versions, v) {
			versions = append(versions, v)
		}
	}
	p.Version = strings.Join(versions, ", ")
	if about.Namespace == "" && len(ds) == 1 {
		p.Namespace = ds[0].Target.Namespace // the name told which
	}
	return p.write(w)
}

// Orphans writes a page about objects without a settled owner.
func Orphans(w io.Writer, rep *orphans.Report, about About) error {
	return page{About: about, Answer: rep.Answer, Tone: pendingTone(rep.Pending), AsOf: rep.AsOf, Report: rep}.write(w)
}

// Owners writes a page about what an object belongs to.
func Owners(w io.Writer, g *lineage.Graph, about About) error {
	return page{About: about, Answer: g.Answer, Tone: pendingTone(g.Pending), AsOf: g.AsOf, Graph: g}.write(w)
}

func (p page) write(w io.Writer) error {
	var buf bytes.Buffer
	if err := pages().ExecuteTemplate(&buf, "page.html", p); err != nil {
		return err
	}
	_, err := io.WriteString(w, render.Harmless(buf.String()))
	return err
}

// summary is the answer of a page.
func summary(ds []*decision.Decision, about About) string {
	if len(ds) > 1 && !about.Plans {
		return render.Triaged(ds)
	}
	pending := 0
	for _, d := range ds {
		if d.Pending {
			pending++
		}
	}
	switch {
	case len(ds) == 1:
		return firstLine(ds[0], about)
	case len(ds) == 0:
		return "Nothing was found to answer about."
	case pending == 0:
		return count(len(ds), "object") + ": nothing is about to happen."
	}
	return count(len(ds), "object") + ", " + count(pending, "of them") + " about to change."
}
