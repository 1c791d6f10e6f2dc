package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// page collects the output of one Decision.
type page struct {
	strings.Builder
	Options
	palette
	d *decision.Decision
	// survivors: the Pods that are kept stand behind those that are deleted.
	survivors bool
}

// newPage is an empty page: as wide as the terminal is, else as wide as a person reads
// well. What is for wide screens, and for programs, is as long as it is.
//
//go:noinline
func newPage(d *decision.Decision, o Options) *page {
	if o.Width == 0 && !o.Wide && !o.NoHeaders {
		o.Width = reading
	}
	return &page{Options: o, palette: palette{o.Colour}, d: d}
}

// Explain writes the whole answer: what will happen, why, and what stands
// around it.
func Explain(w io.Writer, d *decision.Decision, o Options) error {
	p := newPage(d, o)
	if err := p.standing(); err != nil {
		return err
	}
	if err := p.actions(); err != nil {
		return err
	}
	if err := p.rollout(); err != nil {
		return err
	}
	if err := p.updates(); err != nil {
		return err
	}
	p.WriteByte('\n')
	p.reasons()
	p.evidence()
	p.context()
	p.caveatsOf(unsaid(d))
	if err := p.ranking(); err != nil {
		return err
	}
	if o.Wide {
		if err := p.wide(); err != nil {
			return err
		}
	}
	p.nextCommand()
	_, err := io.WriteString(w, p.String())
	return err
}

// Plan writes what would happen and to whom, and little else; of a Decision
// with a Timeline, the rounds.
func Plan(w io.Writer, d *decision.Decision, o Options) error {
	if d.Timeline != nil {
		return timeline(w, d, o)
	}
	p := newPage(d, o)
	p.survivors = true
	p.planned()
	if len(d.Refused) > 0 {
		p.refusals()
		_, err := io.WriteString(w, p.String())
		return err
	}
	if err := p.plannedActions(); err != nil {
		return err
	}
	if err := p.rollout(); err != nil {
		return err
	}
	if err := p.updates(); err != nil {
		return err
	}
	p.WriteByte('\n')
	p.headline("Plan: " + Planned(d))
	p.WriteByte('\n')
	p.kept()
	p.after()
	p.reasons()
	p.changes()
	p.evidence()
	p.modelled(d.Modelled, d.AsOf)
	p.holds()
	p.caveats()
	if o.Wide {
		if err := p.ranking(); err != nil {
			return err
		}
		if err := p.wide(); err != nil {
			return err
		}
	}
	if d.Idle() {
		p.nextCommand()
	}
	_, err := io.WriteString(w, p.String())
	return err
}

func (p *page) line(s string) { p.WriteString(strings.TrimRight(s, " ") + "\n") }

// noteIndent is the width of the label column.
const noteIndent = 14

// note writes a labelled line, wrapped under itself on a terminal, or under the
// label on a narrow one.
//
//go:noinline
func (p *page) note(label, text string) { p.labelled(label, text, noteIndent) }

// labelled is note with a label column of another width.
func (p *page) labelled(label, text string, column int) {
	if text == "" {
		return
	}
	room := p.Width - column
	if p.Width > 0 && room < readable+noteIndent {
		if label != "" {
			p.line(p.label(label))
		}
		p.below("  ", clean(text))
		return
	}
	for i, line := range wrap(clean(text), max(room, 0)) {
		head := ""
		if i == 0 {
			head = p.label(label)
		}
		p.line(padded(head, column) + line)
	}
}

func (p *page) evidence() {
	label := "WHY NOT YET"
	for _, e := range Lasting(p.d) {
		p.note(label, p.ruled(foundAt(e.Source, p.d.Target, e.Message), e.Rule))
		label = ""
	}
}

// source names where evidence was found, with the namespace when it is another.
func source(src, target decision.Ref) string {
	if src.Namespace != "" && src.Namespace != target.Namespace {
		return src.Qualified()
	}
	return src.String()
}

// foundAt is what was found at a source, which a message that begins with its name does not
// name again.
func foundAt(src, target decision.Ref, message string) string {
	if rest, again := strings.CutPrefix(message, src.Name+" is "); again {
		return source(src, target) + " is " + rest
	}
	return source(src, target) + ": " + message
}

func (p *page) changes() {
	label := "WHAT IF"
	for _, c := range p.d.WhatIf {
		p.note(label, fmt.Sprintf("%s %s: %s → %s", c.Object, c.Path, c.From, c.To))
		label = ""
	}
	if n := p.d.WhatIfElsewhere; n > 0 {
		p.note(label, fmt.Sprintf("changes of %s, planned with this one", format.Plural(n, "other object")))
	}
}
