package simulate

import (
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Actor is the controller of one kind, as it acts in a simulation.
type Actor struct {
	Kind view.Kind
	// Step lets it sync one target. It is pure: it reads the View through r and
	// nothing else.
	Step func(r *view.Reader, t view.Target) (*Sync, error)
	// Handle are its event handlers; nil for one that hears of all that happens.
	Handle handlers.Handle
	// Memory starts its memory; nil for one that expects nothing.
	Memory func(clock.PassiveClock) core.Memory
}

// actor is an Actor at work.
type actor struct {
	Actor
	core core.Controller
}

func (r *run) employ(a Actor, place int) *actor {
	if a.Handle == nil {
		a.Handle = r.hearsAll(place)
	}
	if a.Memory == nil {
		a.Memory = func(clock.PassiveClock) core.Memory { return core.NoMemory{} }
	}
	return &actor{a, core.Controller{Handle: a.Handle, Memory: a.Memory(modelClock{r.model}), Queue: queue{r.queue, place}}}
}

func (a *actor) target(key string) view.Target {
	namespace, name, _ := strings.Cut(key, "/")
	return view.Target{Kind: a.Kind, Namespace: namespace, Name: name}
}

// modelClock is the virtual clock.
type modelClock struct{ *cluster.Model }

func (c modelClock) Since(t time.Time) time.Duration { return c.Now().Sub(t) }

// hearsAll queues all that an actor syncs, whatever happens.
func (r *run) hearsAll(place int) handlers.Handle {
	return func(handlers.Cluster, profile.Profile, handlers.Event) (all []handlers.Effect) {
		for _, k := range r.keys() {
			if k.actor == place {
				all = append(all, handlers.Effect{Target: r.actors[place].target(k.key), Enqueue: true})
			}
		}
		return all
	}
}

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

// there reports whether a key is the target or an object that it controls.
func (r *run) there(k slot) bool {
	if k == r.own() {
		return true
	}
	t := r.actors[k.actor].target(k.key)
	owner, ok := r.model.Get(r.target.Kind, r.target.Namespace, r.target.Name)
	obj, there := r.model.Get(t.Kind, t.Namespace, t.Name)
	return k.actor > 0 && ok && there && metav1.IsControlledBy(obj, owner)
}

// keys are what is synced: the target, and what it scales.
func (r *run) keys() []slot { return append([]slot{r.own()}, r.scaled()...) }

func (r *run) own() slot { return slot{0, r.target.Key()} }

// scaled are the objects that the target controls and that other actors sync, in the
// order of their names.
func (r *run) scaled() (all []slot) {
	owner, ok := r.model.Get(r.target.Kind, r.target.Namespace, r.target.Name)
	if !ok {
		return nil
	}
	for i, a := range r.actors[1:] {
		for _, obj := range r.model.View().AllMetadata(a.Kind) {
			if metav1.IsControlledBy(obj, owner) {
				all = append(all, slot{i + 1, handlers.TargetOf(a.Kind, obj).Key()})
			}
		}
	}
	return all
}

// standing is how the target stands by the latest syncs: the Pods of one that scales
// others are those of the others.
func (r *run) standing() *Sync {
	s := *r.last[r.own()]
	if len(r.actors) == 1 {
		return &s
	}
	s.Pods = slices.Clone(s.Pods)
	for _, k := range r.scaled() {
		if d := r.last[k]; d != nil {
			s.count(r.actors[k.actor].target(k.key).Name, d)
		}
	}
	return &s
}

// count adds the Pods of an object that the target scales.
func (s *Sync) count(name string, d *Sync) {
	for _, p := range d.Pods {
		p.Revision, p.Updated = name, name == s.Latest
		s.Pods = append(s.Pods, p)
	}
	s.Terminating += d.Terminating
}

// why is what the controllers leave undone: the target's own reasons, and before them
// those about what it scales, which no spec of the target holds.
func (r *run) why() (why []decision.Ruling, bySpec bool) {
	for _, k := range r.scaled() {
		if d := r.last[k]; d != nil {
			left, _ := d.left()
			why = append(why, left...)
		}
	}
	own, bySpec := r.last[r.own()].left()
	return append(why, own...), bySpec && len(why) == 0
}

func (s *Sync) left() ([]decision.Ruling, bool) {
	why, bySpec := s.Left()
	for i := range why {
		why[i].Message = s.Say(why[i])
	}
	return why, bySpec
}

// merges reports whether what happens now is part of the last round: several
// controllers act one after the other in one instant.
func (r *run) merges() bool {
	n := len(r.tl.Rounds)
	return len(r.actors) > 1 && n > 0 && r.tl.Rounds[n-1].Clock == r.clock()
}

// numbered reports whether what happens now is part of a round that has its number.
func (r *run) numbered() bool { return r.merges() && r.tl.Rounds[len(r.tl.Rounds)-1].Number > 0 }
