package trace

import (
	"testing"
	"time"

	clocktesting "k8s.io/utils/clock/testing"
)

// TestListOfManyPagesGoesOn: a list may take long altogether. What counts is when its last
// page came.
func TestListOfManyPagesGoesOn(t *testing.T) {
	clk := clocktesting.NewFakeClock(time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC))
	s, cancelled := newSight(clk), false
	s.sends(func() { cancelled = true })
	for range 30 {
		clk.Step(answerWithin - time.Second)
		if why, _, blind := s.blind(); blind || cancelled {
			t.Fatalf("blind %v (%s), cancelled %v", blind, why, cancelled)
		}
		s.progresses()
	}
	clk.Step(cancelAfter)
	if _, _, blind := s.blind(); !blind || !cancelled {
		t.Errorf("without a page: blind %v, cancelled %v", blind, cancelled)
	}
	s.answered(nil)
	s.progresses()
	if !s.asked.IsZero() {
		t.Error("a page that comes late counts as a request")
	}
}
