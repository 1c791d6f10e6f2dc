package main

import (
	"strings"
	"testing"
)

// TestInside: every version that was compared has its row.
func TestInside(t *testing.T) {
	text := inside([]compared{{Version: "1.37", Count: 7}}, []compared{{Version: "kruise-1.8", Count: 200_000}, {Version: "kruise-1.9", Count: 200_000, Differences: 1}})
	for _, row := range []string{
		"| steps of expectations | Kubernetes 1.37 | 7 | 0 |\n",
		"| events | Kruise 1.8 | 200000 | 0 |\n",
		"| events | Kruise 1.9 | 200000 | 1 |\n",
	} {
		if !strings.Contains(text, row) {
			t.Errorf("no row %q in %s", row, text)
		}
	}
}
