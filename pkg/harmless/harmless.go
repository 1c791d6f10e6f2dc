// Package harmless answers: may this text be shown on a terminal?
//
// Names, labels and messages come from whoever may write to the cluster. What
// moves a cursor, changes the terminal's state, or reorders or hides what is
// shown is written as an escape instead.
package harmless

import (
	"fmt"
	"strings"
	"unicode"
)

// Unsafe tells control characters, line ends and tabs among them, and those
// that reorder or break text.
func Unsafe(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

// Escaped writes unsafe characters as \u and four digits, as JSON does, but for
// those in keep.
func Escaped(text, keep string) string {
	if !strings.ContainsFunc(text, Unsafe) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if Unsafe(r) && !strings.ContainsRune(keep, r) {
			fmt.Fprintf(&b, "\\u%04x", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
