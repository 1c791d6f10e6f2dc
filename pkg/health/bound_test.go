package health

import (
	"testing"
	"time"
)

// TestAtMost: an upper bound is not printed as less than it is.
func TestAtMost(t *testing.T) {
	for d, want := range map[time.Duration]string{
		9*time.Minute + 59*time.Second: "9m59s", 10 * time.Minute: "10m",
		10*time.Minute + time.Second: "11m", 15*time.Minute + 50*time.Second: "16m",
	} {
		if got := atMost(d); got != want {
			t.Errorf("%s: %s, want %s", d, got, want)
		}
	}
}
