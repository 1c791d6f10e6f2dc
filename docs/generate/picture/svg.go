package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Screen is a command and what it printed on a terminal.
type Screen struct {
	Command string
	Output  string
}

// Size is that of a terminal, in characters. What does not fit is cut off.
type Size struct{ Columns, Rows int }

const (
	cellWidth, cellHeight = 7.8, 18.0 // of a character of 13 px
	margin                = 16.0
	shown                 = 7 // seconds, each screen
)

// Write draws the screens one after the other, for some seconds each; whoever wants no
// motion sees the first. title is what the picture is to those who can't see it.
func Write(w io.Writer, title string, size Size, screens []Screen) error {
	if len(screens) == 0 {
		return errors.New("no screen to draw")
	}
	var b bytes.Buffer
	width, height := 2*margin+cellWidth*float64(size.Columns), 2*margin+cellHeight*float64(size.Rows)
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" font-size=\"13\" font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace\">\n", width, height)
	fmt.Fprintf(&b, "<title>%s</title>\n%s", escaped(title), style(len(screens)))
	fmt.Fprintf(&b, "<rect width=\"%.0f\" height=\"%.0f\" rx=\"8\" fill=\"#0d1117\"/>\n", width, height)
	for i, s := range screens {
		if err := s.draw(&b, i, size); err != nil {
			return fmt.Errorf("%s: %w", s.Command, err)
		}
	}
	b.WriteString("</svg>\n")
	_, err := w.Write(b.Bytes())
	return err
}

// style shows each of n screens for its part of the time.
func style(n int) string {
	var b strings.Builder
	b.WriteString("<style>\ntext { fill: #c9d1d9; white-space: pre }\n.screen + .screen { visibility: hidden }\n")
	if n > 1 {
		fmt.Fprintf(&b, "@media (prefers-reduced-motion: no-preference) {\n  .screen { visibility: hidden; animation: turn %ds step-end infinite }\n", n*shown)
		fmt.Fprintf(&b, "  @keyframes turn { 0%% { visibility: visible } %.3f%% { visibility: hidden } }\n", 100/float64(n))
		for i := range n {
			fmt.Fprintf(&b, "  #screen%d { animation-delay: %ds }\n", i, i*shown)
		}
		b.WriteString("}\n")
	}
	b.WriteString("</style>\n")
	return b.String()
}

// draw draws the screen, after its prompt.
func (s Screen) draw(b *bytes.Buffer, i int, size Size) error {
	all, err := lines("\x1b[38;5;28m$\x1b[39m \x1b[1m" + s.Command + "\x1b[22m\n" + s.Output)
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "<g class=\"screen\" id=\"screen%d\">\n", i)
	for row, pieces := range all[:min(len(all), size.Rows)] {
		column := 0
		for _, p := range pieces {
			if room := size.Columns - column; p.columns() > room {
				p.text = string([]rune(p.text)[:max(room, 0)])
			}
			p.draw(b, column, row)
			column += p.columns()
		}
	}
	b.WriteString("</g>\n")
	return nil
}

// draw draws the piece where it starts, so that a font of another width shifts nothing
// but the piece itself.
func (p piece) draw(b *bytes.Buffer, column, row int) {
	text := strings.TrimLeft(p.text, " ")
	column += len(p.text) - len(text)
	if text = strings.TrimRight(text, " "); text == "" {
		return
	}
	fmt.Fprintf(b, "<text x=\"%.1f\" y=\"%.0f\"", margin+cellWidth*float64(column), margin+cellHeight*(float64(row)+0.75))
	if p.bold {
		b.WriteString(` font-weight="bold"`)
	}
	if p.colour > 0 {
		fmt.Fprintf(b, " style=\"fill:%s\"", rgb(p.colour))
	}
	fmt.Fprintf(b, ">%s</text>\n", escaped(text))
}

func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder takes everything
	return b.String()
}
