package cluster

import (
	"container/heap"
	"time"
)

// latency is how long after an event the controller is taken to look. Without
// any, a pod would be found exactly minReadySeconds after it became ready,
// which never happens and which releases of the controllers judge differently.
const latency = time.Millisecond

type event struct {
	at   time.Time
	seq  int
	what func()
}

// agenda is a heap: the earliest first, of equal times the first made.
type agenda struct {
	all    []event
	popped int
}

func (e *agenda) Len() int { return len(e.all) }
func (e *agenda) Less(i, j int) bool {
	if c := e.all[i].at.Compare(e.all[j].at); c != 0 {
		return c < 0
	}
	return e.all[i].seq < e.all[j].seq
}
func (e *agenda) Swap(i, j int) { e.all[i], e.all[j] = e.all[j], e.all[i] }
func (e *agenda) Push(x any)    { e.all = append(e.all, x.(event)) }
func (e *agenda) Pop() any {
	last := e.all[len(e.all)-1]
	e.all, e.popped = e.all[:len(e.all)-1], e.popped+1
	return last
}

// next is when the next event happens.
func (e *agenda) next() (time.Time, bool) {
	if len(e.all) == 0 {
		return time.Time{}, false
	}
	return e.all[0].at, true
}

// Advance lets time pass until at, and all events happen that are due then.
// It reports whether there were any.
func (m *Model) Advance(at time.Time) bool {
	happened := false
	if at.After(m.instant) {
		m.instant = at
	}
	m.now = m.instant
	for {
		due, ok := m.agenda.next()
		if !ok || due.After(m.instant) {
			break
		}
		heap.Pop(&m.agenda).(event).what()
		happened = true
	}
	if happened {
		m.Settle()
	}
	m.now = m.instant.Add(latency)
	return happened
}

// Next is when the next event happens; ok is false when there is none.
func (m *Model) Next() (at time.Time, ok bool) { return m.agenda.next() }
