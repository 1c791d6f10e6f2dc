package events_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/events"
)

func at(minute int) time.Time { return time.Date(2026, 1, 2, 12, minute, 0, 0, time.UTC) }

// legacy is an event as client-go's tools/record writes it.
func legacy(about types.UID, reason string, minute int, count int32) *corev1.Event {
	return &corev1.Event{
		InvolvedObject: corev1.ObjectReference{UID: about}, Reason: reason,
		LastTimestamp: metav1.NewTime(at(minute)), Count: count,
	}
}

// series is an event as client-go's tools/events writes it, which happened
// again.
func series(about types.UID, reason string, first, last int, count int32) *corev1.Event {
	return &corev1.Event{
		InvolvedObject: corev1.ObjectReference{UID: about}, Reason: reason, EventTime: metav1.NewMicroTime(at(first)),
		Series: &corev1.EventSeries{Count: count, LastObservedTime: metav1.NewMicroTime(at(last))},
	}
}

func TestWhenAndHowOften(t *testing.T) {
	for _, c := range []struct {
		event *corev1.Event
		last  time.Time
		count int
	}{
		{legacy("a", "Failed", 3, 4), at(3), 4},
		{legacy("a", "Failed", 3, 0), at(3), 1},
		{series("a", "Failed", 1, 7, 5), at(7), 5},
		{&corev1.Event{EventTime: metav1.NewMicroTime(at(2))}, at(2), 1},
	} {
		if last, count := events.Last(c.event), events.Count(c.event); !last.Equal(c.last) || count != c.count {
			t.Errorf("%v: last %v, %d times; want %v, %d", c.event, last, count, c.last, c.count)
		}
	}
}

func TestNewest(t *testing.T) {
	want := series("a", "Failed", 1, 7, 5)
	all := []*corev1.Event{legacy("a", "Failed", 3, 1), want, legacy("b", "Failed", 9, 1), legacy("a", "Created", 8, 1), series("a", "Failed", 2, 7, 1)}
	if got := events.Newest(all, "a", "Failed"); got != want {
		t.Errorf("newest is %v", got)
	}
	if got := events.Newest(all, "c", "Failed"); got != nil {
		t.Errorf("newest of an object without events is %v", got)
	}
}
