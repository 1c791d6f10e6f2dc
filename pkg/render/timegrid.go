package render

import (
	"fmt"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// roundTable is the table of rounds, with a chart of how many pods are unavailable.
type roundTable struct {
	p *page
	// revised: pods are counted by revision; delayed: available is not ready.
	revised, delayed bool
	// tallied: rounds say how many Pods get each verb, and not which.
	tallied bool
	// peak is the largest number in the chart.
	peak int
	rows [][]string
}

func newRoundTable(p *page, t *decision.Timeline) *roundTable {
	g := &roundTable{p: p, peak: t.Peak.Unavailable, tallied: !p.Wide && replaces(t)}
	look := func(c decision.Counts) {
		g.revised = g.revised || len(c.Revisions) > 0
		g.delayed = g.delayed || c.Ready != c.Available
		g.peak = max(g.peak, c.Unavailable)
	}
	look(t.Counts)
	look(t.End.Counts)
	for _, r := range t.Rounds {
		look(r.Counts)
	}
	return g
}

func (g *roundTable) header() []string {
	h := []string{"ROUND", "CLOCK", "ACTION"}
	if g.revised {
		h = append(h, "NEW", "OLD")
	} else {
		h = append(h, "PODS")
	}
	h = append(h, "READY")
	if g.delayed {
		h = append(h, "AVAILABLE")
	}
	return append(h, "UNAVAILABLE")
}

func (g *roundTable) add(round, clock, action string, c *decision.Counts) {
	row := []string{round, clock, action}
	if c != nil {
		row = append(row, g.counts(c)...)
	}
	for len(row) < len(g.header()) {
		row = append(row, "")
	}
	g.rows = append(g.rows, row)
}

func (g *roundTable) counts(c *decision.Counts) []string {
	cells := []string{fmt.Sprint(c.Pods)}
	if g.revised {
		byRole := map[decision.Role]int{}
		for _, r := range c.Revisions {
			byRole[r.Role] += r.Pods
		}
		cells = []string{fmt.Sprint(byRole[decision.New]), fmt.Sprint(byRole[decision.Old])}
	}
	cells = append(cells, fmt.Sprint(c.Ready))
	if g.delayed {
		cells = append(cells, fmt.Sprint(c.Available))
	}
	return append(cells, g.bar(c.Unavailable))
}

// barWidth is the longest bar; shorter ones stand for one pod each.
const barWidth = 20

func (g *roundTable) bar(n int) string {
	if n == 0 {
		return "0"
	}
	length := n
	if g.peak > barWidth {
		length = max(1, n*barWidth/g.peak)
	}
	return strings.Repeat("█", length) + " " + fmt.Sprint(n)
}

// write prints the table. Where it would not fit the terminal, bars go first.
func (g *roundTable) write() error {
	const actionColumn = 2
	t := grid{indent: "  ", header: g.header(), rows: g.rows, text: actionColumn}
	if g.p.Width > 0 && t.width() > g.p.Width {
		for _, r := range g.rows {
			last := len(r) - 1
			r[last] = strings.TrimLeft(r[last], "█ ")
		}
	}
	return g.p.grid(t)
}
