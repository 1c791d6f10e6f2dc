package core

import (
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Controller is the controller of one kind with its event handlers, its memory
// and its queue.
type Controller struct {
	Handle handlers.Handle
	Memory Memory
	Queue  Queue
	// Retries is how often a failed sync is repeated, 0 for ever.
	Retries int
}

// Memory is what a controller remembers of its own writes.
type Memory interface {
	// Observe lowers what is expected by what an event shows.
	Observe(what handlers.Observation, t view.Target, of metav1.Object)
	// Satisfied reports whether nothing stands in the way.
	Satisfied(t view.Target) bool
	// Expect remembers what a sync expects that did what was decided on these
	// objects. It returns the deletions that were still awaited and no longer are, nil
	// for none.
	Expect(t view.Target, d *decision.Decision, now Objects) (clobbered *decision.Expectation)
}

// Objects finds an object by name.
type Objects = func(k view.Kind, namespace, name string) (metav1.Object, bool)

// NoMemory is that of a controller that expects nothing.
type NoMemory struct{}

// Observe does nothing.
func (NoMemory) Observe(handlers.Observation, view.Target, metav1.Object) {}

// Satisfied is always true.
func (NoMemory) Satisfied(view.Target) bool { return true }

// Expect does nothing.
func (NoMemory) Expect(view.Target, *decision.Decision, Objects) *decision.Expectation { return nil }

// Queue is a work queue: each key is in it once.
type Queue interface {
	// Add queues a key, at once or after some time.
	Add(key string, after time.Duration) entry.Queueing
	// Fail queues the key of a sync that failed, and tells after how long and how
	// many have failed in a row. Forget ends that row, Failures is its length.
	Fail(key string) (failures int, delay time.Duration)
	Forget(key string)
	Failures(key string) int
}

// Hear calls the event handlers, and returns what they do to keys.
func (c *Controller) Hear(s handlers.Store, p profile.Profile, ev handlers.Event) []handlers.Effect {
	return slices.DeleteFunc(c.Handle(informed{s, c.Memory}, p, ev), func(x handlers.Effect) bool { return x.Target.Name == "" })
}

// Target is what a key of a controller of this kind names.
func Target(k view.Kind, key string) view.Target {
	namespace, name, found := strings.Cut(key, "/")
	if !found {
		namespace, name = "", key
	}
	return view.Target{Kind: k, Namespace: namespace, Name: name}
}

// informed is what the handlers of a controller may look up.
type informed struct {
	handlers.Store
	memory Memory
}

func (i informed) Satisfied(t view.Target) bool { return i.memory.Satisfied(t) }

// Take does what a handler does to memory and queue. It returns what queueing came
// to, nothing for a handler that queues no key.
func (c *Controller) Take(x handlers.Effect) (queued entry.Queueing) {
	if x.Observed != "" {
		c.Memory.Observe(x.Observed, x.Target, x.Of)
	}
	if !x.Enqueue {
		return ""
	}
	return c.Queue.Add(x.Target.Key(), x.After)
}

// Again is when a key is synced again without an event.
type Again struct {
	// Failures is how many syncs have failed in a row.
	Failures int
	// Delay is zero where nothing is to be done later.
	Delay time.Duration
}

// Synced queues a key again after its sync: processNextWorkItem and what syncs do
// to the queue themselves (pkg/controller/replicaset/replica_set.go, v1.37.1).
func (c *Controller) Synced(key string, why decision.Requeue, after time.Duration) Again {
	if why != decision.NoRequeue && (c.Retries == 0 || c.Queue.Failures(key) < c.Retries) {
		failures, delay := c.Queue.Fail(key)
		return Again{failures, delay}
	}
	c.Queue.Forget(key)
	if after > 0 {
		c.Queue.Add(key, after)
	}
	return Again{Delay: max(after, 0)}
}
