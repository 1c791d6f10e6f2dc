package health

import (
	"sort"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// Patience replaces the graces of causes for a command that waits: it was told how
// long a cause may last.
type Patience struct {
	// For is how long; nil leaves the graces as they are.
	For *time.Duration
	// seen are the instants at which causes were first met that don't say when they
	// began, by target and cause.
	seen map[decision.Ref]map[met]time.Time
}

// met identifies a cause of a target.
type met struct{ object, container, reason string }

// Judge judges the causes of a target anew, in place.
func (p *Patience) Judge(target decision.Ref, causes []decision.Cause, now time.Time) {
	if p.For == nil {
		return
	}
	before, seen := p.seen[target], map[met]time.Time{}
	for i := range causes {
		c := &causes[i]
		g, judged := graces[Class(c.Class)]
		if !judged || c.Replaced || g.Never && Class(c.Class) != CrashLoop {
			continue // no time makes it block
		}
		id := met{c.Object.Qualified(), c.Container, c.Reason}
		seen[id] = known(before[id], now)
		began := known(c.Began, seen[id])
		c.BlockedAt = p.blocks(*c, g, began)
		c.Blocked = !c.BlockedAt.After(now)
		c.Stops = c.Stops || c.Blocked && c.StopsBlocked
	}
	if p.seen == nil {
		p.seen = map[decision.Ref]map[met]time.Time{}
	}
	p.seen[target] = seen
}

// blocks is when a cause blocks that began at an instant. A step through which every
// rollout passes has at least its own grace.
func (p *Patience) blocks(c decision.Cause, g grace, began time.Time) time.Time {
	at := began.Add(*p.For)
	if !g.Usual {
		return at
	}
	own := known(c.BlockedAt, began.Add(g.After))
	if own.After(at) {
		return own
	}
	return at
}

// known is the first of two instants that is known.
func known(at, or time.Time) time.Time {
	if at.IsZero() {
		return or
	}
	return at
}

// WithReplaced returns causes with those of Pods that a rollout replaces, ordered by what has to be
// changed first. The latter block nothing: the rollout goes on without them.
func WithReplaced(causes, before []decision.Cause) []decision.Cause {
	for i := range before {
		before[i].Blocked, before[i].BlockedAt, before[i].Replaced = false, time.Time{}, true
	}
	causes = append(causes, before...)
	sort.SliceStable(causes, func(i, j int) bool { return rankOf(causes[i]) < rankOf(causes[j]) })
	return causes
}
