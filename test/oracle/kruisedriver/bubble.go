package kruisedriver

import (
	"testing"
	"testing/synctest"
	"time"
)

// epoch is where testing/synctest starts a bubble's clock, and the default now.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// at runs f in a bubble whose clock says now, not before the epoch, when f
// begins. The clock then stands unless upstream sleeps. All goroutines that f
// starts must end.
func at(t *testing.T, now time.Time, f func()) {
	synctest.Test(t, func(*testing.T) {
		if wait := now.Sub(epoch); wait > 0 {
			time.Sleep(wait)
		}
		f()
	})
}
