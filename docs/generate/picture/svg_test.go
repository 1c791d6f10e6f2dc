package picture

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

func drawn(t *testing.T, size Size, outputs ...string) string {
	t.Helper()
	var screens []Screen
	for _, out := range outputs {
		screens = append(screens, Screen{Command: "kubectl ctrl version", Output: out})
	}
	var b strings.Builder
	if err := Write(&b, "a title", size, screens); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestStyles: bold and coloured text stands in its column, and none is lost.
func TestStyles(t *testing.T) {
	got := drawn(t, Size{40, 5}, "\x1b[1mSTATE\x1b[22m  \x1b[38;5;160mBlocked\x1b[39m & <done>\n")
	for _, want := range []string{
		`<text x="16.0" y="48" font-weight="bold">STATE</text>`,
		`<text x="70.6" y="48" style="fill:#ff4040">Blocked</text>`,
		`<text x="133.0" y="48">&amp; &lt;done&gt;</text>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	for d := xml.NewDecoder(strings.NewReader(got)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("no XML: %v", err)
		}
	}
}

// TestSize: what does not fit on the terminal is cut off.
func TestSize(t *testing.T) {
	got := drawn(t, Size{10, 3}, "0123456789abc\nsecond\nthird\n")
	for text, want := range map[string]bool{">0123456789<": true, "second": true, "third": false, "kubectl ctrl": false, "kubectl": true} {
		if strings.Contains(got, text) != want {
			t.Errorf("%q is there: %t, want %t\n%s", text, !want, want, got)
		}
	}
}

// TestScreens: each is shown for its part of the time, and the first one alone to whom
// wants no motion.
func TestScreens(t *testing.T) {
	got := drawn(t, Size{40, 5}, "one\n", "two\n", "three\n")
	for _, want := range []string{"turn 21s", "33.333% { visibility: hidden }", "#screen2 { animation-delay: 14s }", ".screen + .screen { visibility: hidden }", "prefers-reduced-motion: no-preference"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if one := drawn(t, Size{40, 5}, "one\n"); strings.Contains(one, "animation") {
		t.Errorf("one screen moves:\n%s", one)
	}
}

// TestUnknownStyles: what is not drawn is an error, and not left out.
func TestUnknownStyles(t *testing.T) {
	for _, out := range []string{"\x1b[4munderlined\x1b[24m", "\x1b[2J", "\x1b[38;5;999mred", "\x1b[31"} {
		if err := Write(io.Discard, "", Size{40, 5}, []Screen{{"x", out}}); err == nil {
			t.Errorf("%q: no error", out)
		}
	}
	if err := Write(io.Discard, "", Size{40, 5}, nil); err == nil {
		t.Error("nothing to draw: no error")
	}
}
