package simulate

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
)

// hear brings what has changed to the event handlers, once the watches bring it. by is
// the key whose sync changed it: what is but its own status wakes it only if it looks
// at that.
func (r *run) hear(by slot, looks bool) {
	changes := r.model.Changes()
	switch {
	case len(changes) == 0:
	case r.lags():
		r.coming++
		r.model.After(r.o.WatchLag, func() {
			r.coming--
			if by.actor < 0 { // what a timer finds now is news
				r.fruitless = 0
			}
			for _, c := range changes {
				r.seen.Show(c)
			}
			r.deliver(changes, by, looks)
			r.queue.retry(slot{actor: -1})
		})
	default:
		r.deliver(changes, by, looks)
		r.queue.retry(by)
	}
}

// deliver calls the event handlers.
func (r *run) deliver(changes []cluster.Change, by slot, looks bool) {
	for _, c := range changes {
		ev := handlers.EventOf(c.Kind, c.Was, c.Now)
		for i, a := range r.actors {
			own := a.Kind.GroupKind() == ev.Kind.GroupKind() && by == slot{i, handlers.TargetOf(ev.Kind, ev.Object()).Key()}
			if own && !looks {
				continue
			}
			for _, x := range a.core.Hear(r.seen, r.o.Profile, ev) {
				if r.there(slot{i, x.Target.Key()}) {
					a.core.Take(x)
				}
			}
		}
	}
}
