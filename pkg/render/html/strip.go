package html

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"

// drawing is the order as a strip of cells, each as wide as its share.
type drawing struct {
	Width, Height int
	Cells         []cell
	// Cut is where the deletions end.
	Cut     int
	Title   string
	Certain bool
}

// cell is a run of pods with one fate.
type cell struct {
	X, Width int
	Fate     decision.Fate
	Pods     int
}

const stripWidth, stripHeight = 960, 44

// strip draws how many pods go, may go and stay.
func strip(r *decision.Ranking) drawing {
	d := drawing{Width: stripWidth, Height: stripHeight, Certain: r.Undetermined == nil, Cut: r.Cut * stripWidth / max(1, len(r.Rows))}
	for i := 0; i < len(r.Rows); {
		j := i
		for j < len(r.Rows) && r.Rows[j].End() == r.Rows[i].End() {
			j++
		}
		c := cell{X: i * stripWidth / len(r.Rows), Fate: r.Rows[i].End(), Pods: j - i}
		c.Width = j*stripWidth/len(r.Rows) - c.X
		d.Cells = append(d.Cells, c)
		if d.Title != "" {
			d.Title += ", "
		}
		d.Title += c.Words()
		i = j
	}
	return d
}

// Words say what the cell stands for.
func (c cell) Words() string {
	what := map[decision.Fate]string{decision.Doomed: "to be deleted", decision.AtRisk: "that may be deleted", decision.Safe: "kept"}
	return count(c.Pods, "Pod") + " " + what[c.Fate]
}
