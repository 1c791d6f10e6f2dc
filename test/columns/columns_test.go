package columns

import (
	"strings"
	"testing"
)

func TestLong(t *testing.T) {
	long := strings.Repeat("x", Most)
	for line, want := range map[string]int{
		long: 0, "a " + long: 1, "Next: kubectl " + long: 0, "LABEL    " + long: 0, "LABEL    a " + long: 1,
		strings.Repeat("– ", Most/2): 0, "short\na " + long: 1,
	} {
		if got := Long(line); len(got) != want {
			t.Errorf("%q: %q", line, got)
		}
	}
}

func TestWrapped(t *testing.T) {
	for line, want := range map[string]bool{
		"explain rs/web": true, "explain rs/web -o wide": false, "plan -ojson": false, "explain rs --no-headers": false,
		"trace rs/web": false, "": false, "orphans --output=name": false,
	} {
		if got := Wrapped(strings.Fields(line)); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}
