package render

import (
	"slices"
	"strings"
	"testing"
)

// TestChangesAreMarked: lines that are new or gone, but not what only moved to
// another column or grew older.
func TestChangesAreMarked(t *testing.T) {
	before := "web will delete 1 pod\n\n  delete   a   ready for 3m\n\nMODEL   as of 2026-11-01T12:00:00Z\nOWNER      none"
	after := "web will delete 2 pods\n\n  delete   a        ready for 4m10s\n  delete   longer   not ready\n\nMODEL   as of 2026-11-01T12:01:10Z"
	var got []string
	for _, m := range changes(strings.Split(before, "\n"), strings.Split(after, "\n")) {
		got = append(got, strings.TrimRight(string(m.mark)+" "+m.text, " "))
	}
	want := []string{
		"- web will delete 1 pod",
		"+ web will delete 2 pods",
		"",
		"    delete   a        ready for 4m10s",
		"+   delete   longer   not ready",
		"",
		"  MODEL   as of 2026-11-01T12:01:10Z",
		"- OWNER      none",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestScreenKeepsToTheTerminal: no line is wider, and not more of them.
func TestScreenKeepsToTheTerminal(t *testing.T) {
	var out strings.Builder
	s := NewScreen(&out)
	s.Answer(strings.Repeat("a line that is longer than thirty columns\n", 40), false)
	if err := s.Draw("a title that is longer than thirty columns", "error: a\nerror: b", 30, 10, Options{Colour: true}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(out.String(), "\r\n")
	if len(lines) > 10 {
		t.Errorf("%d lines for a terminal of 10:\n%s", len(lines), out.String())
	}
	for _, line := range lines {
		if width(line) >= 30 {
			t.Errorf("%d columns for a terminal of 30: %q", width(line), line)
		}
	}
}
