package kruisedriver

import (
	"sync"
	"testing/synctest"

	"sigs.k8s.io/controller-runtime/pkg/client"

	appsv1alpha1 "github.com/openkruise/kruise/apis/apps/v1alpha1"
)

// turns puts the concurrent calls of upstream's DoItSlowly in one order: that of
// the instance IDs. Without it the order would be the Go scheduler's, nearly
// always the same and sometimes not.
type turns struct {
	mu      sync.Mutex
	waiting []*turn
	wake    chan struct{}
	done    chan struct{}
}

// turn is a call that waits. A goroutine has at most one.
type turn struct {
	id      string
	granted chan struct{}
}

// takeTurns must be called in a bubble, and stop before its end.
func takeTurns() *turns {
	t := &turns{wake: make(chan struct{}, 1), done: make(chan struct{})}
	go t.serve()
	return t
}

func (t *turns) stop() {
	close(t.wake)
	<-t.done
}

// serve lets one call go on whenever every other goroutine waits for something:
// then all calls of the batch that will come are there.
func (t *turns) serve() {
	defer close(t.done)
	for range t.wake {
		synctest.Wait()
		for next := t.next(); next != nil; next = t.next() {
			close(next.granted)
			synctest.Wait()
		}
	}
}

// next takes the waiting call with the lowest ID, or nil.
func (t *turns) next() *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.waiting) == 0 {
		return nil
	}
	first := 0
	for i := range t.waiting {
		if t.waiting[i].id < t.waiting[first].id {
			first = i
		}
	}
	next := t.waiting[first]
	t.waiting = append(t.waiting[:first], t.waiting[first+1:]...)
	return next
}

// await returns when it is the turn of the creation of obj, a pod or a claim.
func (t *turns) await(obj client.Object) {
	mine := &turn{id: obj.GetLabels()[appsv1alpha1.CloneSetInstanceID], granted: make(chan struct{})}
	t.mu.Lock()
	t.waiting = append(t.waiting, mine)
	t.mu.Unlock()
	select {
	case t.wake <- struct{}{}:
	default:
	}
	<-mine.granted
}
