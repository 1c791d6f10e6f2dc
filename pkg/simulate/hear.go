package simulate

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"

// hear brings what has changed to the event handlers. by is the key whose sync
// changed it: what is but its own status wakes it only if it looks at that.
func (r *run) hear(by slot, looks bool) {
	changes := r.model.Changes()
	for _, c := range changes {
		ev := handlers.EventOf(c.Kind, c.Was, c.Now)
		for i, a := range r.actors {
			own := a.Kind.GroupKind() == ev.Kind.GroupKind() && by == slot{i, handlers.TargetOf(ev.Kind, ev.Object()).Key()}
			if own && !looks {
				continue
			}
			for _, x := range a.core.Hear(r.model, r.o.Profile, ev) {
				if x.Target.Name != "" && r.there(slot{i, x.Target.Key()}) {
					a.core.Take(x)
				}
			}
		}
	}
	if len(changes) > 0 {
		r.queue.retry(by)
	}
}
