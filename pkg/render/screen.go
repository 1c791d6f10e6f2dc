package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

// Screen shows one answer after the other in the same place, a terminal's
// second screen, so that the first is left as it was.
type Screen struct {
	w      io.Writer
	before []string
	lines  []marked
	open   bool
}

// NewScreen draws to w.
func NewScreen(w io.Writer) *Screen { return &Screen{w: w} }

// gutter is the width of the column of marks.
const gutter = 2

// Inside is how much of a terminal's width answers have.
func Inside(columns int) int { return max(1, columns-gutter) }

// Answer takes the next answer, whose lines are marked where they differ from
// those of the one before. With moved it is the same answer for another width.
func (s *Screen) Answer(text string, moved bool) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	switch {
	case s.before == nil || moved:
		s.lines = changes(lines, lines)
	default:
		s.lines = changes(s.before, lines)
	}
	s.before = lines
}

// Draw fills the screen: a title, errors if there are any, and the answer as
// far as it fits.
func (s *Screen) Draw(title, trouble string, columns, height int, o Options) error {
	p := palette{o.Colour}
	var b strings.Builder
	if !s.open {
		s.open = true
		b.WriteString("\x1b[?1049h\x1b[?25l") // second screen, no cursor
	}
	b.WriteString("\x1b[H")
	line := func(text string) { b.WriteString(text + "\x1b[0m\x1b[K\r\n") }
	line(p.dim(twwidth.Truncate(clean(title), columns-1, "…")))
	room := height - 2
	for text := range strings.SplitSeq(trouble, "\n") {
		if text != "" && room > 1 {
			line(p.tone(twwidth.Truncate(text, columns-1, "…"), red))
			room--
		}
	}
	for i, m := range s.lines {
		if i == room-1 && len(s.lines) > room {
			left := fmt.Sprintf("  … %d more lines than the window has", len(s.lines)-i)
			line(p.dim(twwidth.Truncate(left, columns-1, "…")))
			break
		}
		line(s.text(p, m, columns))
	}
	b.WriteString("\x1b[J")
	_, err := io.WriteString(s.w, b.String())
	return err
}

func (s *Screen) text(p palette, m marked, columns int) string {
	text := string(m.mark) + " " + m.text
	if width(text) > columns-1 {
		text = twwidth.Truncate(text, columns-1, "…")
	}
	switch m.mark {
	case isNew:
		return p.tone("+", green) + text[1:]
	case isGone:
		return p.tone("-", red) + text[1:]
	}
	return text
}

// Close goes back to the first screen and leaves the last answer there.
func (s *Screen) Close(last string) error {
	if !s.open {
		return nil
	}
	s.open = false
	_, err := io.WriteString(s.w, "\x1b[?25h\x1b[?1049l"+last)
	return err
}
