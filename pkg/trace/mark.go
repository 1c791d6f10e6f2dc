package trace

import (
	"fmt"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// mark stands in a queue of deltas behind everything that was delivered before
// an instant, or behind a part of it.
type mark struct {
	metav1.PartialObjectMetadata
	// at is the instant, zero for a part.
	at time.Time
	// bytes is about what takes that was delivered since the mark before it.
	bytes int64
}

var marks atomic.Int64

// newMark has a name of its own, which no object can have: a queue keeps what
// has one name in one place.
func newMark(at time.Time, bytes int64) *mark {
	m := &mark{at: at, bytes: bytes}
	m.Name = fmt.Sprintf("\x00mark %d", marks.Add(1))
	return m
}

// markOf finds the mark that a delta is. A list that comes while it is queued deletes it.
func markOf(d cache.Delta) (m *mark, ok bool) {
	obj := d.Object
	if t, deleted := obj.(cache.DeletedFinalStateUnknown); deleted {
		obj = t.Obj
	}
	m, ok = obj.(*mark)
	return m, ok
}
