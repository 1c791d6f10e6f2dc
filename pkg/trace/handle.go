package trace

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// handle calls the handlers of all controllers for one event.
func (e *Engine) handle(d Delta, ev handlers.Event) {
	var effects []entry.Effect
	var of []*runner
	for _, c := range e.controllers {
		for _, effect := range c.core.Hear(followed{e.cluster}, e.o.Profile, ev) {
			if shown, ok := e.effect(c, effect); ok && !e.o.Brief {
				effects, of = append(effects, shown), append(of, c)
			}
		}
	}
	if e.o.Brief || len(effects) == 0 || !e.running {
		return
	}
	event := eventEntry(d, ev, effects)
	e.emit(&entry.Entry{Type: entry.Observed, Event: event})
	for n, x := range effects {
		e.lowers(of[n], x, event.Object)
	}
}

func eventEntry(d Delta, ev handlers.Event, effects []entry.Effect) *entry.Event {
	return &entry.Event{
		Delta: string(d.Type), Handler: string(ev.Type), Object: ownership.RefTo(d.Kind, d.Object),
		ResourceVersion: d.Object.GetResourceVersion(), Tombstone: d.Tombstone, Initial: d.Initial, Effects: effects,
	}
}

// effect does what a handler does to expectations and queue. The false ones
// are about objects that are not traced.
func (e *Engine) effect(c *runner, x handlers.Effect) (entry.Effect, bool) {
	obj, there := e.cluster.Get(c.of.Kind, x.Target.Namespace, x.Target.Name)
	key := keyOf(x.Target.Namespace, x.Target.Name)
	if there && !e.picks(c.of.Kind, obj) || !there && c.shadows[key] == nil {
		return entry.Effect{}, false
	}
	shown := entry.Effect{Ruling: x.Ruling, Observed: string(x.Observed)}
	if !e.o.Brief {
		ref := decision.Ref{Kind: c.of.Kind.Kind, Namespace: x.Target.Namespace, Name: x.Target.Name}
		shown.Target, shown.Message = &ref, handlers.Rules.Say(x.Rule, x.Facts)
		shown.Before = c.memory.Outstanding(x.Target)
	}
	shown.Queue = c.core.Take(x)
	if !e.o.Brief {
		shown.After = c.memory.Outstanding(x.Target)
	}
	if s, ok := c.shadows[key]; ok && x.Enqueue {
		s.stirred = true
	}
	if x.Enqueue {
		shown.Delay = decision.Span(max(x.After, 0))
	}
	return shown, true
}

// followed are the objects that handlers may look up.
type followed struct{ *cluster }

// Get finds nothing of a kind that is not followed, and does not begin to.
func (f followed) Get(kind view.Kind, namespace, name string) (metav1.Object, bool) {
	if _, known := f.stores[kind.GroupKind()]; !known {
		return nil, false
	}
	return f.cluster.Get(kind, namespace, name)
}
