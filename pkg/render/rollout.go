package render

import (
	"fmt"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// mostSets is how many empty old sets are worth a line.
const mostSets = 3

// rollout writes what a rollout turns on: its sets, and what their controller
// then does to pods. Decisions on pods alone have neither.
func (p *page) rollout() error {
	if err := p.follows(); err != nil {
		return err
	}
	return p.sets()
}

func (p *page) sets() error {
	var rows [][]string
	empty := 0
	for _, s := range p.d.Sets {
		if s.Role == decision.Old && s.Replicas == 0 && s.Next == 0 && s.Actual == 0 && !s.Deleted {
			if empty++; empty > mostSets && !p.All {
				continue
			}
		}
		pods, available := SetPods(s), SetAvailable(s)
		rows = append(rows, []string{string(s.Role), clean(s.Object.Name), clean(s.Revision), p.size(s), pods, available})
	}
	if len(rows) == 0 {
		return nil
	}
	p.WriteByte('\n')
	header := []string{"SET", "REPLICASET", "REVISION", "DESIRED", "PODS", "AVAILABLE"}
	if err := p.grid(grid{indent: "  ", header: header, rows: rows, name: 1, text: -1}); err != nil {
		return err
	}
	if left := empty - mostSets; left > 0 && !p.All {
		p.line("  " + more(left, "old, without Pods"))
	}
	return nil
}

// SetPods is how many Pods a set has.
func SetPods(s decision.Set) string {
	if s.Counted == nil {
		return fmt.Sprint(s.Actual)
	}
	return outdated(s.Counted.Pods, s.Actual)
}

// SetAvailable is how many of them are available.
func SetAvailable(s decision.Set) string {
	if s.Counted == nil {
		return fmt.Sprint(s.Available)
	}
	return outdated(s.Counted.Available, s.Available)
}

// outdated is a number of Pods, and what status says.
func outdated(now, said int32) string {
	if now == said {
		return fmt.Sprint(now)
	}
	return fmt.Sprintf("%d (status: %d)", now, said)
}

// size is what a set wants, and what it will want after the sync, and after each of the
// target's own that follow it at once.
func (p *page) size(s decision.Set) string {
	if s.Deleted {
		return fmt.Sprintf("%d, deleted", s.Replicas)
	}
	var sizes []string
	for _, n := range p.d.Sizes(s) {
		sizes = append(sizes, fmt.Sprint(n))
	}
	return strings.Join(sizes, " → ")
}

// follows writes, below its cause, what another controller will do.
func (p *page) follows() error {
	for _, e := range p.d.Follows {
		p.WriteByte('\n')
		for i, line := range wrap("THEN "+clean(e.Answer), p.Width-2) {
			if i == 0 {
				line = p.label("THEN") + strings.TrimPrefix(line, "THEN")
			}
			p.line("  " + line)
		}
		part := newPage(&decision.Decision{Actions: e.Actions, Ranking: e.Ranking}, p.Options)
		part.Width, part.survivors = max(0, p.Width-2), p.survivors
		if err := part.actions(); err != nil {
			return err
		}
		p.WriteString(indented(part.String()))
		for _, why := range e.Evidence {
			p.below("    ", clean(p.ruled(foundAt(why.Source, p.d.Target, why.Message), why.Rule)))
		}
		for _, c := range e.Caveats {
			p.below("    ", clean(p.ruled(c.Message, c.Code)))
		}
	}
	return nil
}

// rolloutCount is the COUNT of a Decision about sets.
func rolloutCount(of decision.Facts) string {
	text := fmt.Sprintf("%d desired; %d desired by all ReplicaSets, %d available", of.Int(decision.KeyDesired), of.Int(decision.KeyAllPodsCount), of.Int(decision.KeyAvailablePodCount))
	if _, rolling := of.Get(decision.KeyMinAvailable); rolling {
		text += fmt.Sprintf("; at most %d Pods (surge %d), at least %d available (unavailable %d)",
			of.Int(decision.KeyDesired)+of.Int(decision.KeyMaxSurge), of.Int(decision.KeyMaxSurge), of.Int(decision.KeyMinAvailable), of.Int(decision.KeyMaxUnavailable))
	}
	return text
}

// indented moves every line that is not empty one step to the right.
func indented(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	out := ""
	for _, line := range lines {
		if line != "" {
			out += "  " + line + "\n"
		}
	}
	return out
}
