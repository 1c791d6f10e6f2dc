package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// timeline writes a Decision's Timeline: what happens in one sentence, what it
// costs, and the rounds.
func timeline(w io.Writer, d *decision.Decision, o Options) error {
	p, t := newPage(d, o), d.Timeline
	p.predicted(t.Answer + emptied(d))
	if t.Cost != "" {
		p.headline(t.Cost)
	}
	if d.Stuck() && (d.Pending || !d.Said()) {
		p.answered()
	}
	p.WriteByte('\n')
	if err := p.rounds(t); err != nil {
		return err
	}
	p.WriteByte('\n')
	p.kept()
	p.after()
	p.reasons()
	label := "WHY IT ENDS"
	for _, r := range t.End.Why {
		p.note(label, p.ruled(r.Message, r.Rule))
		label = ""
	}
	if t.Totals.Create+t.Totals.Update > 0 || t.Counts.Ready < t.Counts.Pods {
		p.readyAfter(t)
	}
	if o := t.Overdue; o != nil {
		p.note("DEADLINE", p.ruled(o.When()+": "+o.Message, o.Rule))
	}
	label = "ASSUMED"
	for _, r := range t.Notes {
		p.note(label, p.ruled(r.Message, r.Rule))
		label = ""
	}
	p.changes()
	p.evidence()
	p.modelled(d.Modelled, d.AsOf)
	p.caveats()
	if d.Stuck() {
		p.nextCommand()
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// Lasting is the evidence that counts for the whole answer, without what is said of its end
// already. What keeps the next sync from going on is over where rounds end stable with nothing
// left; a leader is needed all the same.
func Lasting(d *decision.Decision) []decision.Evidence {
	t := d.Timeline
	if t == nil {
		return d.Evidence
	}
	over := t.End.Outcome == decision.Stable && len(t.End.Why) == 0
	return slices.DeleteFunc(slices.Clone(d.Evidence), func(e decision.Evidence) bool {
		said := func(r decision.Ruling) bool { return r.Rule == e.Rule && r.Message == e.Message }
		return over && e.Source.Kind != "Lease" || slices.ContainsFunc(t.End.Why, said)
	})
}

func (p *page) readyAfter(t *decision.Timeline) {
	p.note("READY AFTER", p.ruled(t.ReadyAfter.Duration.Brief()+": "+t.ReadyAfter.Message, t.ReadyAfter.Rule))
}

// mostRounds is how many rounds are worth a line without --no-truncate, the first and
// the last of them.
const mostRounds, lastRounds = 20, 5

// rounds writes a line for each round, and one for the end. Syncs that only
// move lifecycles on are left out unless a wide answer is asked for.
func (p *page) rounds(t *decision.Timeline) error { return p.roundTable(t).write() }

func drops(a decision.Action) bool { return a.DropsRevision() }

func (p *page) roundTable(t *decision.Timeline) *roundTable {
	var shown []decision.Round
	for _, r := range t.Rounds {
		if r.Number > 0 || len(r.Stopped) > 0 || p.Wide || slices.ContainsFunc(r.Actions, drops) {
			shown = append(shown, r)
		}
	}
	g := newRoundTable(p, t)
	left := len(shown) - mostRounds + 1
	for i, r := range shown {
		if !p.All && left > 1 && i >= mostRounds-1-lastRounds && i < len(shown)-lastRounds {
			if i == mostRounds-1-lastRounds {
				g.add("…", "", more(left, "rounds"), nil)
			}
			continue
		}
		g.add(number(r), instant(t, r.Clock), g.done(r), &r.Counts)
	}
	g.add("–", instant(t, t.End.Clock), string(t.End.Outcome), &t.End.Counts)
	return g
}

// Rounds are the header and the rows of a Timeline's table, with a chart of
// what is unavailable in the last column. all leaves none of them out.
func Rounds(d *decision.Decision, all bool) (header []string, rows [][]string) {
	g := newPage(d, Options{All: all}).roundTable(d.Timeline)
	return g.header(), g.rows
}

// instant is the time of a round: by the second, but where less than one matters.
func instant(t *decision.Timeline, at decision.Span) string {
	if t.WatchLag != 0 {
		return at.String()
	}
	return at.Elapsed()
}

func number(r decision.Round) string {
	if r.Number == 0 {
		return "·"
	}
	return fmt.Sprint(r.Number)
}

// done says what a round does, and to whom, as "delete x2x9p, stblp".
func (g *roundTable) done(r decision.Round) string {
	var parts []string
	p, all := g.p, bundles(r.Actions)
	if g.tallied {
		parts = append(parts, tally(all))
		for _, b := range all {
			if drops(b.actions[0]) {
				parts = append(parts, p.verb(b.verb, phrase(b))+" "+p.objects(b))
			}
		}
		return strings.Join(slices.DeleteFunc(append(parts, stopped(r)...), func(s string) bool { return s == "" }), "; ")
	}
	for _, b := range all {
		if !p.Wide && b.verb == decision.Scale {
			continue // the Pods tell
		}
		parts = append(parts, p.verb(b.verb, phrase(b))+" "+p.objects(b))
	}
	return strings.Join(append(parts, stopped(r)...), "; ")
}

// stopped says which syncs ended early because a cache is behind, and why.
func stopped(r decision.Round) (parts []string) {
	for _, s := range r.Stopped {
		text := fmt.Sprintf("%s/%s: %s", strings.ToLower(s.Object.Kind), s.Object.Name, s.Message)
		if s.Syncs > 1 {
			text += fmt.Sprintf(" (%d syncs)", s.Syncs)
		}
		parts = append(parts, clean(text))
	}
	return parts
}

// replaces reports whether Pods are replaced by those of another object, which a
// controller of the target's scales.
func replaces(t *decision.Timeline) bool {
	return t.Totals.Create > 0 && t.Totals.Delete > 0 && slices.ContainsFunc(t.Rounds, func(r decision.Round) bool {
		return slices.ContainsFunc(r.Actions, func(a decision.Action) bool { return a.Verb == decision.Scale })
	})
}

// tally says how many Pods get each verb, as "create 5, delete 2": in a rollout with
// several controllers the numbers tell more than the names.
func tally(all []*bundle) string {
	var parts []string
	for _, b := range all {
		if b.kind == "Pod" {
			parts = append(parts, fmt.Sprintf("%s %d", b.verb, len(b.actions))+b.marked())
		}
	}
	return strings.Join(parts, ", ")
}

// bundle are the actions of one verb on one kind, with one choice or one certainty. share
// is how many of them happen, empty where all do.
type bundle struct {
	verb    decision.Verb
	kind    string
	share   string
	actions []decision.Action
}

func bundles(actions []decision.Action) []*bundle {
	var all []*bundle
	for _, a := range actions {
		share := ""
		switch {
		case a.Choice != nil:
			share = certainty(a) + " possible"
		case a.Certainty == decision.Possible:
			share = string(a.Certainty)
		}
		var mine *bundle
		for _, b := range all {
			if b.verb == a.Verb && b.kind == a.Object.Kind && b.share == share {
				mine = b
			}
		}
		if mine == nil {
			mine = &bundle{verb: a.Verb, kind: a.Object.Kind, share: share}
			all = append(all, mine)
		}
		mine.actions = append(mine.actions, a)
	}
	return all
}

var inRound = map[decision.Verb]string{
	decision.UpdateInPlace: "in place:", decision.SetState: "lifecycle of", decision.SetCondition: "condition of", decision.Recreate: "mark for deletion:",
}

func phrase(b *bundle) string {
	text, ok := inRound[b.verb]
	if !ok {
		text = string(b.verb)
	}
	if b.verb == decision.SetState && !slices.ContainsFunc(b.actions, func(a decision.Action) bool { return !a.Marks }) {
		text = "metadata of"
	}
	switch b.kind {
	case "Pod", "":
		return text
	case "PersistentVolumeClaim":
		return text + " claim"
	case "ControllerRevision":
		return text + " revision"
	}
	return text + " " + strings.ToLower(b.kind)
}

// someNames is how many objects of a round are named without --no-truncate.
const someNames = 4

func (p *page) objects(b *bundle) string {
	var names []string
	for i, a := range b.actions {
		if i == someNames && len(b.actions) > someNames+1 && !p.All {
			names = append(names, fmt.Sprintf("and %d more", len(b.actions)-i))
			break
		}
		names = append(names, p.shortName(a.Object))
	}
	return strings.Join(names, ", ") + b.marked()
}

// marked says how many of the actions happen, where that is not certain of all.
func (b *bundle) marked() string {
	if b.share == "" {
		return ""
	}
	return " (" + b.share + ")"
}

// shortName leaves out the target's own name, which the first line has. A number alone
// would be read as a count.
func (p *page) shortName(o decision.Ref) string {
	short, ok := strings.CutPrefix(o.Name, p.d.Target.Name+"-")
	if ok && strings.Trim(short, "0123456789") != "" && o.Kind == "Pod" {
		return clean(short)
	}
	return clean(o.Name)
}
