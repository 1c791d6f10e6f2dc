package html

import (
	"fmt"
	"html/template"
	"strings"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/orphans"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
)

var functions = template.FuncMap{
	"style":      style,
	"line":       line,
	"instant":    func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") },
	"machine":    func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
	"object":     render.Object,
	"sure":       render.Certainty,
	"notes":      render.Notes,
	"places":     render.Places,
	"decided":    render.DecidedBy,
	"ranked":     render.Ranked,
	"deleted":    render.Deleted,
	"after":      render.After,
	"setPods":    render.SetPods,
	"setAvail":   render.SetAvailable,
	"caused":     render.Caused,
	"age":        format.Age,
	"chart":      drawn,
	"modelled":   render.Modelled,
	"planned":    render.Planned,
	"rows":       rankedRows,
	"first":      first,
	"count":      count,
	"groups":     groups,
	"trees":      trees,
	"objectTree": objectTree,
	"strip":      strip,
	"source":     render.Source,
	"looked":     looked,
	"rolling":    render.Rolling,
	"rankings":   render.Rankings,
	"rounds":     rounds,
	"lasting":    render.Lasting,
	"add":        func(a, b int) int { return a + b },
	"effects":    func(label string, all []lineage.Effect) effects { return effects{label, all} },
}

// style is the page's own, not a cluster's: it needs no escaping.
func style() (template.CSS, error) {
	text, err := files.ReadFile("templates/style.css")
	return template.CSS(text), err
}

// most is how many rows of a list are worth a page of paper each.
const most = 500

// listed are the rows that a page shows, and how many it leaves out.
type listed[T any] struct {
	Rows []T
	Left int
}

func cut[T any](all []T) listed[T] {
	n := min(len(all), most)
	return listed[T]{all[:n], len(all) - n}
}

// first cuts the lists that may be long.
func first(all any) (any, error) {
	switch all := all.(type) {
	case []decision.Action:
		return cut(all), nil
	case []decision.Claim:
		return cut(all), nil
	case []decision.Update:
		return cut(all), nil
	case []orphans.Finding:
		return cut(all), nil
	case []orphans.Overlap:
		return cut(all), nil
	case []lineage.Effect:
		return cut(all), nil
	}
	return nil, fmt.Errorf("no list to cut: %T", all)
}

// roundTable is a Timeline's table.
type roundTable struct {
	Header []string
	Rows   [][]string
}

func rounds(d *decision.Decision) roundTable {
	header, rows := render.Rounds(d, len(d.Timeline.Rounds) <= most)
	for i, label := range header {
		header[i] = sentence(label)
	}
	return roundTable{header, rows}
}

// answer is the first line: that of all rounds where there are some.
func answer(d *decision.Decision) string {
	if d.Timeline != nil {
		return d.Timeline.Answer
	}
	return d.Answer
}

// looked is how many objects a controller looks at.
func looked(d *decision.Decision) int {
	if d.Folded == nil {
		return len(d.Claims)
	}
	return len(d.Claims) + d.Folded.Ignored + d.Folded.Contested
}

func count(n int, noun string) string {
	if n != 1 && !strings.HasPrefix(noun, "of ") {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// rankedRow is a pod in the order, and whether the cut is above it.
type rankedRow struct {
	decision.Ranked
	Place    string
	AfterCut bool
	By       string
}

// rankedRows are the rows of a ranking, those around the cut when there are
// very many.
func rankedRows(r *decision.Ranking) listed[rankedRow] {
	places := render.Places(r)
	from := max(0, min(r.Cut-most/2, len(r.Rows)-most))
	to := min(len(r.Rows), from+most)
	out := listed[rankedRow]{Left: len(r.Rows) - (to - from)}
	for i := from; i < to; i++ {
		cut := i == r.Cut && r.Undetermined == nil && r.Cut > 0
		out.Rows = append(out.Rows, rankedRow{r.Rows[i], places[i], cut, render.DecidedBy(r.Rows[i])})
	}
	return out
}

// group is the findings of one group.
type group struct {
	Label    string
	Findings []orphans.Finding
}

// groups gathers the findings by what becomes of them, in order.
func groups(rep *orphans.Report) []group {
	var out []group
	for _, g := range orphans.Groups {
		one := group{Label: sentence(render.GroupLabel(g))}
		for _, fi := range rep.Findings {
			if fi.Group == g {
				one.Findings = append(one.Findings, fi)
			}
		}
		if len(one.Findings) > 0 {
			out = append(out, one)
		}
	}
	return out
}

// effects are what a deletion does to some of the dependents.
type effects struct {
	Label   string
	Effects []lineage.Effect
}

// sentence writes a label of capitals as a sentence begins.
func sentence(label string) string {
	return label[:1] + strings.ToLower(label[1:])
}
