package render

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// asciiFor are the characters of answers, for terminals and files that show no others
// than those of ASCII.
var asciiFor = map[rune]string{
	'…': "...", '→': "->", '›': ">", '−': "-", '–': "-", '—': "-", '×': "x", '✓': "ok", '·': "-", '±': "+-", '≤': "<=", '≥': ">=",
	'│': "|", '├': "|", '└': "`", '─': "-", '█': "#", '░': ".", '‘': "'", '’': "'", '“': `"`, '”': `"`,
}

// ASCII is a writer that writes to w in ASCII. Columns stay where they are, as far as
// there is room between them.
func ASCII(w io.Writer) io.Writer { return asciiWriter{w} }

type asciiWriter struct{ w io.Writer }

// Write writes text of whole characters.
func (a asciiWriter) Write(p []byte) (int, error) {
	if _, err := io.WriteString(a.w, inASCII(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

func inASCII(text string) string {
	var b strings.Builder
	longer, spaces := 0, 0 // what a line has grown by, and its spaces just before
	for _, r := range text {
		switch {
		case r == '\n':
			longer, spaces = 0, 0
			b.WriteByte('\n')
			continue
		case r == ' ':
			if spaces++; spaces > 1 && longer > 0 {
				longer--
				continue
			}
			b.WriteByte(' ')
			continue
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		default:
			said, ok := asciiFor[r]
			if !ok {
				said = escapedRune(r)
			}
			longer += len(said) - width(string(r))
			b.WriteString(said)
		}
		spaces = 0
	}
	return b.String()
}

// escapedRune is a character as Go writes it.
func escapedRune(r rune) string {
	if r > 0xffff {
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}
