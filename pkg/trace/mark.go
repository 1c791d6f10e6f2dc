package trace

import (
	"fmt"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// mark stands in a queue of deltas behind everything that was delivered before
// an instant.
type mark struct {
	metav1.PartialObjectMetadata
	at time.Time
}

var marks atomic.Int64

// newMark has a name of its own, which no object can have: a queue keeps what
// has one name in one place.
func newMark(at time.Time) *mark {
	m := &mark{at: at}
	m.Name = fmt.Sprintf("\x00mark %d", marks.Add(1))
	return m
}

// markOf finds a mark in deltas of one name.
func markOf(deltas cache.Deltas) (m *mark, ok bool) {
	if len(deltas) > 0 {
		m, ok = deltas[0].Object.(*mark)
	}
	return m, ok
}
