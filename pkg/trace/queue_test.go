package trace

import (
	"testing"
	"time"

	clocktesting "k8s.io/utils/clock/testing"
)

// TestReturnedTooEarly: client-go's queue may still hold an earlier time for a
// key that is delayed anew, and hands the key back then and never again.
func TestReturnedTooEarly(t *testing.T) {
	start := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	c := clocktesting.NewFakeClock(start)
	q := newQueue(c, "", nil)
	defer q.stop()
	idle := c.Waiters()
	q.later.(observed).TypedDelayingInterface.AddAfter("web", time.Second)
	for deadline := time.Now().Add(10 * time.Second); c.Waiters() == idle && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond) // until its goroutine waits for that
	}
	q.Add("web", 3*time.Second)
	q.Add("other", 2*time.Second)
	for _, want := range []string{"other", "web"} {
		c.SetTime(q.next())
		released := make(chan struct{})
		go func() {
			defer close(released)
			q.release()
		}()
		select {
		case <-released:
		case <-time.After(10 * time.Second):
			t.Fatalf("%s is never released", want)
		}
		if key, _, ok := q.get(); !ok || key != want {
			t.Errorf("got %q, want %q", key, want)
		}
	}
	if at := q.next(); !at.IsZero() || q.ready.Len() > 0 {
		t.Errorf("more is due at %v", at)
	}
}
