package render

import (
	"strings"
	"time"

	"github.com/olekukonko/tablewriter/pkg/twwidth"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/sanitize"
)

// width is how many columns of a terminal text takes, which may be painted and
// hold wide letters. Tables measure in the same way.
//
//go:noinline // a call is shorter than what it does
func width(s string) int { return twwidth.Width(s) }

// padded fills text with spaces up to a number of columns.
func padded(s string, columns int) string {
	return s + strings.Repeat(" ", max(0, columns-width(s)))
}

// clean makes text from the cluster safe for a terminal: control characters,
// which could move the cursor or hide lines, become visible escapes.
func clean(s string) string {
	return sanitize.Escaped(strings.NewReplacer("\n", " ", "\t", " ").Replace(s), "")
}

// clock prints an instant as briefly as it stays clear beside asOf.
func clock(t, asOf time.Time) string {
	if t.UTC().YearDay() == asOf.UTC().YearDay() && t.UTC().Year() == asOf.UTC().Year() {
		return t.UTC().Format("15:04:05Z")
	}
	return t.UTC().Format(time.RFC3339)
}

// wrap breaks text at spaces so that no line is wider than columns; words stay
// whole. Less than 20 columns are no width.
func wrap(text string, columns int) []string {
	if columns < 20 || width(text) <= columns {
		return []string{text}
	}
	var lines []string
	line, used := "", 0
	for word := range strings.FieldsSeq(text) {
		w := width(word)
		switch {
		case line == "":
			line, used = word, w
		case used+1+w <= columns:
			line, used = line+" "+word, used+1+w
		default:
			lines, line, used = append(lines, line), word, w
		}
	}
	return append(lines, line)
}
