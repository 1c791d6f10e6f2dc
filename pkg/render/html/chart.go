package html

import (
	"fmt"
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// chart is the rounds as bars: one for the Pods at the start, and one after each round.
type chart struct {
	Width, Height int
	Bars          []bar
	// Desired is where the line is up to which as many Pods reach as are desired.
	Desired int
	Title   string
	// Shades are those that occur.
	Shades []shade
}

// bar is one moment.
type bar struct {
	// Title is when that is, and the counts.
	Title string
	// Blocks stand one on the other.
	Blocks []block
}

// block is as high as there are Pods of its shade.
type block struct {
	Shade               shade
	X, Y, Width, Height int
}

// shade is what Pods of one colour have in common. It is the class of the colour.
type shade string

const (
	newAvailable shade = "new"
	oldAvailable shade = "old"
	unavailable  shade = "lacking"
)

// Words say what the shade stands for.
func (s shade) Words() string {
	return map[shade]string{newAvailable: "available", oldAvailable: "available, of an old revision", unavailable: "not available"}[s]
}

const (
	chartWidth, chartHeight = 960, 120
	// mostBars are as many as can be told apart.
	mostBars = 160
)

// drawn are the rounds as a chart; nil for none or too many.
func drawn(t *decision.Timeline) *chart {
	if len(t.Rounds) == 0 || len(t.Rounds) > mostBars {
		return nil
	}
	moments := []decision.Counts{t.Counts}
	titles := []string{"before"}
	for _, r := range t.Rounds {
		moments = append(moments, r.Counts)
		titles = append(titles, r.Clock.Elapsed())
	}
	moments, titles = append(moments, t.End.Counts), append(titles, "at the end, "+t.End.Clock.Elapsed())
	most := 1
	for _, c := range moments {
		most = max(most, c.Wanted, c.Pods)
	}
	d := &chart{Width: chartWidth, Height: chartHeight, Desired: chartHeight - t.End.Counts.Wanted*chartHeight/most}
	lowest := moments[0].Available
	for i, c := range moments {
		b := bar{Title: fmt.Sprintf("%s: %d of %d available", titles[i], c.Available, c.Wanted)}
		x, to, y := i*chartWidth/len(moments), (i+1)*chartWidth/len(moments), chartHeight
		for _, s := range []shade{newAvailable, oldAvailable, unavailable} {
			n := s.of(c)
			if n <= 0 {
				continue
			}
			high := n * chartHeight / most
			y -= high
			b.Blocks = append(b.Blocks, block{s, x, y, to - x, high})
			if !slices.Contains(d.Shades, s) {
				d.Shades = append(d.Shades, s)
			}
		}
		d.Bars, lowest = append(d.Bars, b), min(lowest, c.Available)
	}
	d.Title = fmt.Sprintf("Pods after each of %d rounds: at least %d available", len(t.Rounds), lowest)
	return d
}

// of is how many Pods have the shade. Without revisions all are new.
func (s shade) of(c decision.Counts) int {
	old := 0
	for _, r := range c.Revisions {
		if r.Role == decision.Old {
			old += r.Available
		}
	}
	switch s {
	case newAvailable:
		return c.Available - old
	case oldAvailable:
		return old
	}
	return c.Pods - c.Available
}
