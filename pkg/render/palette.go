package render

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// palette paints words. The plain palette leaves them as they are.
type palette struct{ on bool }

// tone is a colour of the palette of 256, which every terminal in use has. The
// tones are dark enough for a white background and light enough for a black
// one; basic yellow, green and cyan are not.
type tone int

const (
	red    tone = 160
	green  tone = 28
	cyan   tone = 30
	orange tone = 130
	grey   tone = 243
)

func (p palette) tone(s string, t tone) string {
	if !p.on || s == "" || t == 0 {
		return s
	}
	return fmt.Sprintf("\x1b[38;5;%dm%s\x1b[39m", t, s)
}

//go:noinline // it is called at many places
func (p palette) bold(s string) string {
	if !p.on || s == "" {
		return s
	}
	return "\x1b[1m" + s + "\x1b[22m"
}

//go:noinline // it is called at many places
func (p palette) label(s string) string { return p.bold(s) }

//go:noinline // it is called at many places
func (p palette) answer(s string) string { return p.bold(s) }

//go:noinline // it is called at many places
func (p palette) dim(s string) string { return p.tone(s, grey) }

var verbColours = map[decision.Verb]tone{
	decision.Create: green, decision.Delete: red,
	decision.Adopt: cyan, decision.Release: orange,
	decision.Scale: orange, decision.Modify: orange,
	decision.UpdateInPlace: cyan, decision.Recreate: orange, decision.Detach: orange,
}

func (p palette) verb(v decision.Verb, s string) string { return p.tone(s, verbColours[v]) }

var fateColours = map[decision.Fate]tone{
	decision.Doomed: red, decision.AtRisk: orange, decision.Safe: green,
}

func (p palette) fate(f decision.Fate, s string) string { return p.tone(s, fateColours[f]) }
