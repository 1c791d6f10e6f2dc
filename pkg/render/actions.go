package render

import (
	"fmt"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// actions lists what will be done, a line for each object.
func (p *page) actions() error {
	rows := p.rows(func(v decision.Verb) string { return string(v) })
	if p.survivors {
		rows = append(rows, p.safe("keep")...)
	}
	if err := p.reasoned(rows); err != nil {
		return err
	}
	p.undetermined()
	return nil
}

// verbs lists all verbs in the order of a sync.
var verbs = []decision.Verb{
	decision.Detach, decision.Release, decision.Adopt, decision.Create, decision.Modify, decision.Scale, decision.Delete,
	decision.SetState, decision.SetCondition, decision.UpdateInPlace, decision.Recreate,
}

// rows lists the actions, folded where there are many of one verb.
func (p *page) rows(mark func(decision.Verb) string) [][]string {
	var rows [][]string
	f := folding(p.All, upTo[decision.Verb](most))
	for _, a := range p.d.Actions {
		if f.shows(a.Verb) {
			rows = append(rows, p.row(a, mark(a.Verb)))
		}
	}
	for _, v := range verbs {
		if f.left[v] > 0 {
			rows = append(rows, []string{p.verb(v, mark(v)), fmt.Sprintf("… %d more", f.left[v]), "", seeAll, ""})
		}
	}
	return rows
}

// row is one action. Why a choice is open is said once, below the table.
func (p *page) row(a decision.Action, mark string) []string {
	message := clean(a.Message)
	if undetermined(a) {
		message = ""
	}
	return []string{p.verb(a.Verb, mark), object(a), certainty(a), message, p.dim(p.ruleID(a.Rule))}
}

// undetermined tells a deletion that is not deterministic.
func undetermined(a decision.Action) bool {
	return a.Verb == decision.Delete && a.Choice != nil
}

// undetermined says why a choice is open.
func (p *page) undetermined() {
	room := 96
	if p.Width > 0 {
		room = min(room, p.Width-4)
	}
	for _, r := range rankings(p.d) {
		if r.Undetermined == nil {
			continue
		}
		for _, line := range wrap(clean(r.Undetermined.Message), room) {
			p.line("    " + line)
		}
	}
}

// rankings are the orders of all groups that the controller chooses from.
func rankings(d *decision.Decision) []*decision.Ranking {
	if d.Ranking == nil {
		return nil
	}
	return append([]*decision.Ranking{d.Ranking}, d.MoreRankings...)
}

// object names what an action is done to, creations by number.
func object(a decision.Action) string {
	if a.Verb == decision.Create {
		return fmt.Sprintf("%d × %s", a.Count, clean(a.Object.Name))
	}
	return clean(shortKinds[a.Object.Kind] + a.Object.Name)
}

// shortKinds tell objects apart that a controller acts on besides those that
// its answers are about.
var shortKinds = map[string]string{
	"PersistentVolumeClaim": "pvc/", "ControllerRevision": "controllerrevision/", "ImagePullJob": "imagepulljob/",
}

//go:noinline // it is called at many places
func certainty(a decision.Action) string {
	if a.Choice == nil {
		return string(a.Certainty)
	}
	return kOfN(a.Choice)
}

func kOfN(c *decision.Choice) string {
	if c.AtMost {
		return fmt.Sprintf("at most %d of %d", c.K, c.N)
	}
	return fmt.Sprintf("%d of %d", c.K, c.N)
}

// roomy is the least width that a reason is set in beside an action.
const roomy = 48

// reasoned writes rows that end in a reason and a rule. Where a line would not
// fit, the reason is wrapped, or stands below.
func (p *page) reasoned(rows [][]string) error {
	if len(rows) == 0 {
		return nil
	}
	p.WriteByte('\n')
	if p.fits(rows) {
		return table(p, "  ", nil, rows)
	}
	g := grid{indent: "  ", rows: rows, name: 1, text: len(rows[0]) - 2}
	if room := g.room(p.Width); room >= roomy {
		return table(p, "  ", nil, g.wrapped(room))
	}
	var heads [][]string
	for _, r := range rows {
		heads = append(heads, append(r[:len(r)-2:len(r)-2], r[len(r)-1]))
	}
	if !p.fits(heads) {
		p.stackedActions(rows)
		return nil
	}
	lines, err := tableLines(nil, heads)
	if err != nil {
		return err
	}
	for i, line := range lines {
		p.line("  " + line)
		p.below("    ", rows[i][len(rows[i])-2])
	}
	return nil
}

// stackedActions writes verb and object, and below them all the rest.
func (p *page) stackedActions(rows [][]string) {
	for _, r := range rows {
		p.line("  " + r[0] + " " + r[1])
		var rest []string
		for _, cell := range r[2:] {
			if cell != "" {
				rest = append(rest, cell)
			}
		}
		p.below("    ", strings.Join(rest, " · "))
	}
}

// fits reports whether rows fit the terminal side by side.
func (p *page) fits(rows [][]string) bool {
	if p.Width == 0 {
		return true
	}
	return grid{indent: "  ", rows: rows}.width() <= p.Width
}

var marks = map[decision.Verb]string{
	decision.Create: "+", decision.Delete: "-", decision.Adopt: "<", decision.Release: ">",
	decision.Scale: "~", decision.Modify: "~",
	decision.UpdateInPlace: "~", decision.Recreate: "±", decision.Detach: ">",
	decision.SetState: "*", decision.SetCondition: "*",
}

// plannedActions lists what would be done, and the pods that are safe.
func (p *page) plannedActions() error {
	rows := p.rows(func(v decision.Verb) string { return marks[v] })
	if err := p.reasoned(append(rows, p.safe("=")...)); err != nil {
		return err
	}
	p.undetermined()
	return nil
}

// mostSafe is how many pods to which nothing happens are worth a line.
const mostSafe = 5

// safe are rows of Pods to which nothing happens, under a mark.
func (p *page) safe(mark string) [][]string {
	var rows [][]string
	f := folding(p.All, upTo[decision.Fate](mostSafe))
	for _, order := range rankings(p.d) {
		for _, r := range order.Rows {
			if r.End() == decision.Safe && f.shows(r.Fate) {
				rows = append(rows, p.safeRow(r, mark))
			}
		}
	}
	if left := f.left[decision.Safe]; left > 0 {
		rows = append(rows, []string{p.fate(decision.Safe, mark), fmt.Sprintf("… %d more", left), "kept", seeAll, ""})
	}
	return rows
}

func (p *page) safeRow(r decision.Ranked, mark string) []string {
	row := []string{p.fate(decision.Safe, mark), clean(r.Object.Name), "kept", "", ""}
	if r.DecidedBy != nil {
		row[3], row[4] = clean(r.DecidedBy.Message), p.dim(p.ruleID(r.DecidedBy.Rule))
	}
	return row
}
