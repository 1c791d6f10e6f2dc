package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// updates writes where each pod stands in a rollout. Pods that need nothing,
// and more than a few of one state, are counted unless all is asked for.
func (p *page) updates() error {
	if !p.rolling() {
		return nil
	}
	p.line("\n" + p.label("UPDATES"))
	if text, all := p.oneReason(); all {
		p.below("  ", text)
		return nil
	}
	var rows [][]string
	places := updatePlaces(p.d.Updates)
	f := folding(p.All, func(c decision.UpdateState) int {
		if c == decision.Updated {
			return 0
		}
		return mostSafe
	})
	for i, u := range p.d.Updates {
		if f.shows(u.State) {
			rows = append(rows, []string{places[i], clean(u.Object.Name), p.revision(u), string(u.State) + share(&u), said(u), p.dim(p.ruleID(u.Rule))})
		}
	}
	if err := p.grid(grid{indent: "  ", header: []string{"#", "POD", "REVISION", "ACTION", "WHY", ""}, rows: rows, name: 1, text: 4}); err != nil {
		return err
	}
	for _, c := range []decision.UpdateState{decision.InPlace, decision.Recreated, decision.Preparing, decision.Refused, decision.Waiting, decision.Kept, decision.Updated} {
		if f.left[c] > 0 {
			p.line("  " + more(f.left[c], string(c)))
		}
	}
	p.states()
	return nil
}

// meanings explain the states of Pods that this sync does not bring to the revision.
var meanings = []struct {
	state decision.UpdateState
	means string
}{
	{decision.Recreated, "recreate: marked for deletion"}, {decision.Waiting, "waiting: a later sync updates it"}, {decision.Kept, "kept: it keeps its revision"},
	{decision.Refused, "refused: it can't be updated, and those after it wait"},
}

// states is the legend of the states that are listed.
func (p *page) states() {
	var legend []string
	for _, m := range meanings {
		if slices.ContainsFunc(p.d.Updates, func(u decision.Update) bool { return u.State == m.state }) {
			legend = append(legend, m.means)
		}
	}
	if slices.ContainsFunc(p.d.Updates, func(u decision.Update) bool { return share(&u) == open }) {
		legend = append(legend, "possible: later syncs choose")
	}
	for len(legend) > 0 {
		n := 1
		for n < len(legend) && (p.Width == 0 || width("  "+strings.Join(legend[:n+1], "   ")) <= p.Width) {
			n++
		}
		p.line("  " + p.dim(strings.Join(legend[:n], "   ")))
		legend = legend[n:]
	}
}

// rolling reports whether any pod is not yet where it shall be.
func (p *page) rolling() bool { return Rolling(p.d) }

// Rolling reports whether any pod is not yet where it shall be.
func Rolling(d *decision.Decision) bool {
	for _, u := range d.Updates {
		if u.State != decision.Updated {
			return true
		}
	}
	return false
}

// said is why a pod waits or stays; why one is updated stands among the
// actions, but for what its budget says.
func said(u decision.Update) string {
	var text []string
	switch u.State {
	case decision.InPlace, decision.Recreated, decision.Preparing:
	default:
		text = append(text, clean(u.Message))
	}
	if u.Budget != nil {
		text = append(text, clean(u.Budget.Message))
	}
	return strings.Join(text, "; ")
}

// oneReason is a line for pods that all wait for one thing, without an order.
func (p *page) oneReason() (text string, all bool) {
	var why decision.Update
	n := 0
	for _, u := range p.d.Updates {
		switch {
		case u.State == decision.Updated:
			continue
		case u.Place != 0 || n > 0 && (u.Rule != why.Rule || u.Message != why.Message || (u.Choice == nil) != (why.Choice == nil) || u.Certainty != why.Certainty):
			return "", false
		}
		why = u
		n++
	}
	text = fmt.Sprintf("%s %s%s: %s", format.Plural(n, "Pod"), why.State, share(&why), clean(why.Message))
	return p.ruled(text, why.Rule), n > 1 && !p.All
}

// revision is a pod's revision without the name of the set, which all share.
func (p *page) revision(u decision.Update) string {
	return clean(strings.TrimPrefix(u.Revision, p.d.Target.Name+"-"))
}

// updatePlaces are the pods' places in the order of the update, or the ranges
// that pods of one place share.
func updatePlaces(updates []decision.Update) []string {
	count := map[int]int{}
	for _, u := range updates {
		count[u.Place]++
	}
	out := make([]string, len(updates))
	for i, u := range updates {
		if out[i] = "-"; u.Place > 0 {
			out[i] = span(u.Place, u.Place+count[u.Place]-1)
		}
	}
	return out
}

// open marks what this sync leaves to later ones.
const open = " (possible)"

// share is how certain it is what becomes of a Pod, empty where it is or the sync does it.
func share(u *decision.Update) string {
	switch {
	case u.Choice != nil:
		return " (" + kOfN(u.Choice) + ")"
	case u.Certainty == decision.Possible && (u.State == decision.Kept || u.State == decision.Waiting):
		return open
	}
	return ""
}

// reasons says why the rollout goes as it does. Their labels may be wide: they
// share a column.
func (p *page) reasons() {
	column := noteIndent
	for _, r := range p.d.Reasons {
		column = max(column, width(why(r))+2)
	}
	for _, r := range p.d.Reasons {
		p.labelled(why(r), r.Message, column)
	}
	if len(p.d.Reasons) > 0 {
		p.WriteByte('\n')
	}
}

func why(r decision.Reason) string { return "WHY " + clean(r.Question) }

// limits is the arithmetic, and the revisions that it is about.
func limits(d *decision.Decision) []Note {
	var all []Note
	explained := len(d.Actions) == 0 || len(d.Reasons) > 0 && d.Summary.Create+d.Summary.Delete() == 0 // why so many are created or deleted, no reason says
	for _, l := range d.Limits {
		all = append(all, Note{Label: "LIMITS", Text: l.Message, Rule: l.Rule, Inside: explained && arithmetic(l)})
	}
	for _, r := range d.Revisions {
		role := ""
		if len(r.Roles) > 0 {
			role = " (" + strings.Join(r.Roles, ", ") + ")"
		}
		all = append(all, Note{Label: "REVISIONS", Text: fmt.Sprintf("%s%s  %s", r.Name, role, r.Message), Inside: true})
	}
	return all
}

// arithmetic reports whether a limit is how a number is computed, as ARITHMETIC has it.
func arithmetic(l decision.Ruling) bool {
	return slices.ContainsFunc(l.Facts, func(f decision.Fact) bool { return len(f.Of) > 0 })
}
