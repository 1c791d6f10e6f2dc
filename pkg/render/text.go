package render

import (
	"fmt"
	"strings"
	"time"
	"unicode"
)

// clean makes text from the cluster safe for a terminal: control characters,
// which could move the cursor or hide lines, become visible escapes.
func clean(s string) string {
	if !strings.ContainsFunc(s, unsafe) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t':
			b.WriteByte(' ')
		case unsafe(r):
			fmt.Fprintf(&b, "\\u%04x", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// unsafe characters are controls and those that reorder or hide text.
func unsafe(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

// clock prints an instant as briefly as it stays clear beside asOf.
func clock(t, asOf time.Time) string {
	if t.UTC().YearDay() == asOf.UTC().YearDay() && t.UTC().Year() == asOf.UTC().Year() {
		return t.UTC().Format("15:04:05Z")
	}
	return t.UTC().Format(time.RFC3339)
}

// wrap breaks text at spaces so that no line is wider than width. A width of
// less than 20 columns is no width.
func wrap(text string, width int) []string {
	if width < 20 || len([]rune(text)) <= width {
		return []string{text}
	}
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case len([]rune(line))+1+len([]rune(word)) <= width:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	return append(lines, line)
}

// plural is "1 pod" or "3 pods".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
