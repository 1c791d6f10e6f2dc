package trace

import (
	"context"
	"errors"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/manager"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
)

// Metrics are what the metrics of the real managers count: those of the manager that runs a
// controller, or why they are not visible.
type Metrics func(controller.Running) (manager.Counted, error)

// mostWait is how long the end of a trace waits for metrics.
const mostWait = 5 * time.Second

var errNotInTime = errors.New("its metrics had not come when the trace ended")

// compared are the metrics of the managers when a trace began and when it ended.
type compared struct {
	read   func(context.Context) Metrics
	before chan Metrics
	first  Metrics
	second Metrics
}

func newCompared(i *Internals) *compared {
	if i == nil || i.Metrics == nil {
		return nil
	}
	return &compared{read: i.Metrics, before: make(chan Metrics, 1)}
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

// of is what the manager's queue of a controller did in between, and its informers of the
// kinds that the controller watches; nil where no manager is asked.
func (c *compared) of(r controller.Running) *entry.ManagerQueue {
	if c == nil {
		return nil
	}
	q := &entry.ManagerQueue{Name: r.QueueName()}
	before, after, err := c.both(r)
	is, counted := after.Queues[q.Name]
	if err == nil && !counted {
		err = errors.New("its /metrics know no queue " + q.Name)
	}
	if err != nil {
		q.NotVisible = err.Error()
		return q
	}
	since, restarted := is.Since(before.Queues[q.Name])
	q.Restarted, q.Adds, q.Retries, q.Depth = restarted, since.Adds, since.Retries, since.Depth
	q.Longest, q.Waited, q.Worked = decision.Span(since.Longest), meanOf(since.Waited), meanOf(since.Worked)
	for _, k := range r.Watches {
		of := schema.GroupResource{Group: k.Group, Resource: k.Resource}
		told := entry.ManagerInformer{Resource: k.Resource}
		if i, counted := after.Informers[of]; counted {
			if !restarted {
				i.Popped = i.Popped.Since(before.Informers[of].Popped)
			}
			told.Queued, told.Version, told.Popped = &i.Queued, i.Version, meanOf(i.Popped)
		}
		q.Informers = append(q.Informers, told)
	}
	return q
}

// both are the metrics of a controller's manager when the trace began and when it ended.
func (c *compared) both(r controller.Running) (before, after manager.Counted, err error) {
	if c.first == nil {
		return before, after, errNotInTime
	}
	if before, err = c.first(r); err == nil {
		after, err = c.second(r)
	}
	return before, after, err
}

func meanOf(s manager.Spans) *entry.Mean {
	if s.Count == 0 {
		return nil
	}
	return &entry.Mean{Count: s.Count, Mean: decision.Span(s.Mean())}
}
