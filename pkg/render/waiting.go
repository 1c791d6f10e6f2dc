package render

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/olekukonko/tablewriter/pkg/twwidth"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// Headline writes the first line about a target, as one line where the output is no
// terminal.
func Headline(w io.Writer, d *decision.Decision, o Options) error {
	p := newPage(d, o)
	p.Width = o.Width
	p.headlined()
	_, err := io.WriteString(w, p.String())
	return err
}

func (p *page) headlined() {
	for _, line := range p.onCause(clean(p.d.Headline)) {
		p.line(p.answer(line))
	}
}

// Causes writes why a target is in its state, what to type next, and an empty line;
// nothing where nothing says why.
func Causes(w io.Writer, d *decision.Decision, o Options) error {
	p := newPage(d, o)
	if err := p.causes(); err != nil {
		return err
	}
	p.nextCommand()
	text := strings.Trim(p.String(), "\n")
	if text == "" {
		return nil
	}
	_, err := io.WriteString(w, strings.ReplaceAll(text, "\n\n\n", "\n\n")+"\n\n")
	return err
}

// Awaited are the lines of a terminal about targets that are waited for: those that
// need most time or care first, no more than there is room for.
func Awaited(ds []*decision.Decision, doubt string, waited time.Duration, rows int, o Options) []string {
	p := newPage(nil, o)
	sorted := slices.Clone(ds)
	slices.SortStableFunc(sorted, func(a, b *decision.Decision) int {
		return slices.Index(urgency, a.State) - slices.Index(urgency, b.State)
	})
	lines := make([]string, 0, len(ds)+1)
	for i, d := range sorted {
		if len(lines) == max(rows-4, 1) && len(sorted)-i > 1 {
			lines = append(lines, fmt.Sprintf("… %d more", len(sorted)-i))
			break
		}
		lines = append(lines, p.awaited(d))
	}
	if doubt != "" {
		lines = append(lines, p.tone(p.fitted(doubt, 0), orange))
	}
	last := fmt.Sprintf("waiting for %s; Ctrl-C ends", waited.Truncate(time.Second))
	return append(lines, p.dim(p.fitted(last, 0)))
}

// awaited is a line about one target: how far it is, and the first line.
func (p *page) awaited(d *decision.Decision) string {
	bar := p.bar(d.Replicas)
	line := p.fitted(strings.TrimSuffix(clean(d.Headline), "."), width(bar))
	state := strings.ToLower(string(d.State))
	return bar + strings.Replace(line, ": "+state, ": "+p.tone(state, stateColours[d.State]), 1)
}

// fitted is text that leaves the last column of a terminal empty, behind what takes
// some of them already.
func (p *page) fitted(text string, taken int) string {
	room := max(p.Width-1-taken, 0)
	if width(text) <= room {
		return text
	}
	return twwidth.Truncate(text, room, "…")
}

// longBar is how wide a bar is on a terminal of 100 columns, shortBar on one of 60.
const longBar, shortBar = 20, 8

// bar shows which part of what is desired is updated and available; it is empty where
// that is not known or there is no room.
func (p *page) bar(r *decision.Replicas) string {
	cells := longBar
	switch {
	case r == nil || r.Desired == 0 || p.Width < 60:
		return ""
	case p.Width < 100:
		cells = shortBar
	}
	done := min(r.Available, r.Desired)
	if r.Outdated() {
		done = min(done, r.Desired-(*r.UpdatedDesired-*r.Updated))
	}
	full := max(done, 0) * cells / r.Desired
	return p.tone(strings.Repeat("█", full), green) + strings.Repeat("░", cells-full) + " "
}
