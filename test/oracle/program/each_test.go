package program

import "testing"

func TestStatesOf(t *testing.T) {
	for _, c := range []struct {
		text, version string
		want          int
	}{{"", "1.36", 7}, {"50", "1.36", 50}, {"50,1.36=90,1.9=80", "1.36", 90}, {"50,1.36=90", "1.34.1", 50}} {
		if n, err := statesOf(c.text, c.version, 7); n != c.want || err != nil {
			t.Errorf("%q for %s: %d (%v), want %d", c.text, c.version, n, err, c.want)
		}
	}
	if _, err := statesOf("many", "1.36", 7); err == nil {
		t.Error("no error for a number that is none")
	}
}
