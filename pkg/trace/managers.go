package trace

import (
	"context"
	"errors"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/manager"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
)

// Queues are the work queues of the real managers, as their metrics count them: that of a
// controller, or why it is not visible.
type Queues func(controller.Running) (manager.Queue, error)

// mostWait is how long the end of a trace waits for metrics.
const mostWait = 5 * time.Second

var errNotInTime = errors.New("its metrics had not come when the trace ended")

// compared are the metrics of the managers when a trace began and when it ended.
type compared struct {
	read   func(context.Context) Queues
	before chan Queues
	first  Queues
	second Queues
}

func newCompared(i *Internals) *compared {
	if i == nil || i.Queues == nil {
		return nil
	}
	return &compared{read: i.Queues, before: make(chan Queues, 1)}
}

// begin reads them for the first time. Nothing waits for it, and what comes after the end of
// the trace does not count.
func (c *compared) begin(ctx context.Context) {
	if c == nil {
		return
	}
	if first := c.read(ctx); ctx.Err() == nil {
		c.before <- first
	}
}

// end reads them again, if there is anything to compare with.
func (c *compared) end(ctx context.Context, traced []controller.Running) {
	if c == nil {
		return
	}
	select {
	case c.first = <-c.before:
	default:
		return
	}
	for _, t := range traced {
		if _, err := c.first(t); err == nil {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), mostWait)
			defer cancel()
			c.second = c.read(ctx)
			return
		}
	}
}

// of is what the manager's queue of a controller did in between; nil where no manager is
// asked.
func (c *compared) of(r controller.Running) *entry.ManagerQueue {
	if c == nil {
		return nil
	}
	q := &entry.ManagerQueue{Name: r.QueueName()}
	since, restarted, err := c.since(r)
	if err != nil {
		q.NotVisible = err.Error()
		return q
	}
	q.Restarted, q.Adds, q.Retries, q.Depth = restarted, since.Adds, since.Retries, since.Depth
	q.Longest, q.Waited, q.Worked = decision.Span(since.Longest), meanOf(since.Waited), meanOf(since.Worked)
	return q
}

func (c *compared) since(r controller.Running) (q manager.Queue, restarted bool, err error) {
	if c.first == nil {
		return q, false, errNotInTime
	}
	before, err := c.first(r)
	if err != nil {
		return q, false, err
	}
	after, err := c.second(r)
	if err != nil {
		return q, false, err
	}
	q, restarted = after.Since(before)
	return q, restarted, nil
}

func meanOf(s manager.Spans) *entry.Mean {
	if s.Count == 0 {
		return nil
	}
	return &entry.Mean{Count: s.Count, Mean: decision.Span(s.Mean())}
}
