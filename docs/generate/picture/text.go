package picture

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// piece is text of one style in a line.
type piece struct {
	text   string
	bold   bool
	colour int // of the 256 of a terminal, 0 for that of the text
}

// columns is how many columns of a terminal the piece takes: what is printed here is
// one wide.
func (p piece) columns() int { return utf8.RuneCountInString(p.text) }

// lines are the lines of what was written to a terminal. An escape sequence other than
// those of bold text and of colours is an error.
func lines(text string) ([][]piece, error) {
	var all [][]piece
	style := piece{}
	for line := range strings.Lines(text) {
		var pieces []piece
		for i, part := range strings.Split(strings.TrimRight(line, "\r\n"), "\x1b[") {
			if i > 0 {
				code, rest, ok := strings.Cut(part, "m")
				if !ok {
					return nil, fmt.Errorf("escape sequence %.8q has no style", part)
				}
				if err := style.set(code); err != nil {
					return nil, err
				}
				part = rest
			}
			if part != "" {
				pieces = append(pieces, piece{part, style.bold, style.colour})
			}
		}
		all = append(all, pieces)
	}
	return all, nil
}

// set applies the parameters of a sequence that selects styles.
func (p *piece) set(code string) error {
	colour, coloured := strings.CutPrefix(code, "38;5;")
	switch {
	case code == "0" || code == "":
		*p = piece{}
	case code == "1":
		p.bold = true
	case code == "22":
		p.bold = false
	case code == "39":
		p.colour = 0
	case coloured:
		n, err := strconv.Atoi(colour)
		if err != nil || n < 1 || n > 255 {
			return fmt.Errorf("colour %q is none of 256", colour)
		}
		p.colour = n
	default:
		return fmt.Errorf("style %q is not drawn", code)
	}
	return nil
}

// rgb is a colour of a terminal's 256 as CSS writes it, for those of the cube and of the
// greys. They are drawn lighter, as terminals with a dark ground show them.
func rgb(colour int) string {
	switch {
	case colour >= 232:
		grey := min(8+10*(colour-232)+40, 255)
		return fmt.Sprintf("#%02x%02x%02x", grey, grey, grey)
	case colour >= 16:
		n := colour - 16
		return fmt.Sprintf("#%02x%02x%02x", step(n/36), step(n/6%6), step(n%6))
	}
	return "#c9d1d9"
}

// step is one of the six steps of the cube.
func step(n int) int {
	if n == 0 {
		return 64
	}
	return min(55+40*n+40, 255)
}
