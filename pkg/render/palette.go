package render

import (
	"github.com/fatih/color"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// palette paints words. The plain palette leaves them as they are.
type palette struct{ on bool }

func (p palette) paint(s string, attrs ...color.Attribute) string {
	if !p.on || s == "" {
		return s
	}
	c := color.New(attrs...)
	c.EnableColor()
	return c.Sprint(s)
}

func (p palette) label(s string) string  { return p.paint(s, color.Bold) }
func (p palette) dim(s string) string    { return p.paint(s, color.Faint) }
func (p palette) answer(s string) string { return p.paint(s, color.Bold) }

var verbColours = map[decision.Verb]color.Attribute{
	decision.Create: color.FgGreen, decision.Delete: color.FgRed,
	decision.Adopt: color.FgCyan, decision.Release: color.FgYellow,
	decision.Scale: color.FgYellow, decision.Modify: color.FgYellow,
}

func (p palette) verb(v decision.Verb, s string) string { return p.paint(s, verbColours[v]) }

var fateColours = map[decision.Fate]color.Attribute{
	decision.Doomed: color.FgRed, decision.AtRisk: color.FgYellow, decision.Safe: color.FgGreen,
}

func (p palette) fate(f decision.Fate, s string) string { return p.paint(s, fateColours[f]) }
