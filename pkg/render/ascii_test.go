package render

import (
	"strings"
	"testing"
)

// TestASCII keeps columns in their place where there is room.
func TestASCII(t *testing.T) {
	for text, want := range map[string]string{
		"plain   text\n":       "plain   text\n",
		"… 2 more   x\na    b": "... 2 more x\na    b",
		"a → b":                "a -> b",
		"…     → x   y":        "...   -> x  y",
		"└─ web":               "`- web",
		"██░░ 7 of 10":         "##.. 7 of 10",
		"日本    x":              `\u65e5\u672c x`,
		"🚀":                    `\U0001f680`,
		"…\n    x":             "...\n    x",
		"\x1b[1mé\x1b[22m\n":   "\x1b[1m\\u00e9\x1b[22m\n",
	} {
		var b strings.Builder
		if n, err := ASCII(&b).Write([]byte(text)); err != nil || n != len(text) || b.String() != want {
			t.Errorf("%q: got %q, want %q (%d, %v)", text, b.String(), want, n, err)
		}
	}
}
