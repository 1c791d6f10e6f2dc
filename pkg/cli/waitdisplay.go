package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"k8s.io/cli-runtime/pkg/printers"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
)

// waitDisplay is where a wait says how far it is, and how it ends.
type waitDisplay interface {
	// show says what is new, and what keeps it from being relied on, nil for nothing.
	show(ds []*decision.Decision, doubt error) error
	// close ends what is shown in place.
	close() error
	// say has the first line about each target, and again about those that it had.
	say(ds []*decision.Decision, again bool) error
	// why explains the states of targets.
	why(ds []*decision.Decision) error
}

// waitDisplay picks bars on a terminal, lines elsewhere, and documents for programs.
func (f *outputFlags) waitDisplay(env Env) (waitDisplay, error) {
	o, err := f.options(env)
	if err != nil {
		return nil, err
	}
	f.takeTemplate()
	lines := waitLines{env: env, out: f.out(env), options: func() render.Options { o, _ := f.options(env); return o }, told: saidOf{}}
	switch {
	case f.format != "":
		p, err := f.structured(o)
		return &waitDocuments{waitLines: lines, printer: p}, err
	case o.Width > 0 && env.Getenv("TERM") != "dumb":
		return &waitBars{waitLines: lines, began: env.Clock.Now()}, nil
	}
	return &lines, nil
}

// saidOf are the targets that something was said of, and what that turns on.
type saidOf map[decision.Ref]string

// fresh are those targets of which there is something to say, and notes them.
func (s saidOf) fresh(ds []*decision.Decision) []*decision.Decision {
	var out []*decision.Decision
	for _, d := range ds {
		if gist := waitGist(d); s[d.Target] != gist {
			s[d.Target] = gist
			out = append(out, d)
		}
	}
	return out
}

// waitGist is what makes the first line about a target another one: all of it but how
// long something lasts.
func waitGist(d *decision.Decision) string {
	parts := []string{string(d.State)}
	if r := d.Replicas; r != nil {
		parts = append(parts, fmt.Sprint(r.Desired, r.Current, r.Ready, r.Available))
		if r.Updated != nil && r.UpdatedDesired != nil {
			parts = append(parts, fmt.Sprint(*r.Updated, *r.UpdatedDesired))
		}
	}
	if d.State == decision.StateReconciling {
		return strings.Join(append(parts, d.Cause), "|")
	}
	causes := d.WaitingFor
	switch d.State { //exhaustive:enforce
	case decision.StateBlocked:
		causes = d.BlockedBy
	case decision.StateStable:
		causes = d.Troubled()
	case decision.StateReconciling, decision.StateProgressing, decision.StateTerminating, decision.StateUnknown:
	}
	for _, c := range causes {
		parts = append(parts, c.Label)
		if len(causes) == 1 {
			parts = append(parts, c.Object.Name)
		}
	}
	return strings.Join(parts, "|")
}

// waitLines has a line for each change.
type waitLines struct {
	env     Env
	out     io.Writer
	options func() render.Options
	told    saidOf
	doubted bool
}

func (l *waitLines) show(ds []*decision.Decision, doubt error) error {
	if doubt != nil && !l.doubted {
		fmt.Fprintln(l.env.ErrOut, "warning: no current answer yet: "+errorLine(doubt))
	}
	l.doubted = doubt != nil
	return l.say(ds, false)
}

func (l *waitLines) close() error { return nil }

func (l *waitLines) say(ds []*decision.Decision, again bool) error {
	fresh := l.told.fresh(ds)
	if again {
		fresh = ds
	}
	return l.write(func(w io.Writer, o render.Options) error {
		for _, d := range fresh {
			if err := render.Headline(w, d, o); err != nil {
				return err
			}
		}
		return nil
	})
}

func (l *waitLines) why(ds []*decision.Decision) error {
	return l.write(func(w io.Writer, o render.Options) error {
		if len(l.told) > 0 {
			fmt.Fprintln(w)
		}
		for _, d := range ds {
			if len(ds) > 1 && len(d.BlockedBy)+len(d.WaitingFor) > 0 {
				fmt.Fprintln(w, render.HarmlessLine(d.Target.String())+":")
			}
			if err := render.Causes(w, d, o); err != nil {
				return err
			}
		}
		return nil
	})
}

// write prints at once.
func (l *waitLines) write(draw func(io.Writer, render.Options) error) error {
	var buf bytes.Buffer
	if err := draw(&buf, l.options()); err != nil {
		return err
	}
	_, err := l.out.Write(buf.Bytes())
	return err
}

// waitBars shows a line for each target in place, on a terminal.
type waitBars struct {
	waitLines
	began time.Time
	lines int
}

func (b *waitBars) show(ds []*decision.Decision, doubt error) error {
	return b.write(func(w io.Writer, o render.Options) error {
		rows := 24
		if b.env.Height != nil && b.env.Height() > 0 {
			rows = b.env.Height()
		}
		lines := render.Awaited(ds, doubtLine(doubt), b.env.Clock.Since(b.began), rows, o)
		b.erase(w)
		fmt.Fprintln(w, strings.Join(lines, "\n"))
		b.lines = len(lines)
		return nil
	})
}

func doubtLine(doubt error) string {
	if doubt == nil {
		return ""
	}
	return "no current answer: " + errorLine(doubt)
}

func (b *waitBars) close() error {
	return b.write(func(w io.Writer, _ render.Options) error { b.erase(w); return nil })
}

// erase goes back to where the lines began and wipes them.
func (b *waitBars) erase(w io.Writer) {
	if b.lines > 0 {
		fmt.Fprintf(w, "\x1b[%dA\r\x1b[J", b.lines)
	}
	b.lines = 0
}

// waitDocuments has a document for each change.
type waitDocuments struct {
	waitLines
	printer printers.ResourcePrinter
}

func (p *waitDocuments) show(ds []*decision.Decision, doubt error) error {
	if err := p.waitLines.show(nil, doubt); err != nil {
		return err
	}
	return p.say(ds, false)
}

func (p *waitDocuments) say(ds []*decision.Decision, _ bool) error {
	return p.write(func(w io.Writer, _ render.Options) error {
		for _, d := range p.told.fresh(ds) {
			if err := p.printer.PrintObj(render.NewDocument(render.ExplanationKind, d), w); err != nil {
				return err
			}
		}
		return nil
	})
}

func (p *waitDocuments) why([]*decision.Decision) error { return nil }
