package harmless

import "testing"

func TestEscaped(t *testing.T) {
	for text, want := range map[string]string{
		"plain – ünicode 日本 ✓": "plain – ünicode 日本 ✓",
		"\x1b[2J":              `\u001b[2J`,
		"a\u202eb":             `a\u202eb`,
		"\u009b31m\x7f":        `\u009b31m\u007f`,
		"one\ntwo\tthree\r":    "one\ntwo" + `\u0009three\u000d`,
		"a\u2028b":             `a\u2028b`,
	} {
		if got := Escaped(text, "\n"); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
