package controlplane

import (
	"strings"
	"testing"
)

// TestLastLineEnd shows that a mark is never within a line.
func TestLastLineEnd(t *testing.T) {
	long := strings.Repeat("x", 200<<10)
	for text, want := range map[string]int{
		"":                        0,
		"torn":                    0,
		"whole\n":                 6,
		"whole\ntorn":             6,
		long + "\n" + long:        len(long) + 1,
		long + "\n" + long + "\n": 2*len(long) + 2,
	} {
		got, err := lastLineEnd(strings.NewReader(text), int64(len(text)))
		if err != nil || got != int64(want) {
			t.Errorf("the last of %d bytes ends at %d (%v), want %d", len(text), got, err, want)
		}
	}
}
