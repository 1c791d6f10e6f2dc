package simulate

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Actor is the controller of one kind, as it acts in a simulation.
type Actor struct {
	Kind view.Kind
	// Step lets it sync one target as if it remembered nothing. It is pure: it reads
	// the View through r and nothing else.
	Step Step
	// Handle are its event handlers; nil for one that hears of all that happens.
	Handle handlers.Handle
	// Memory starts its memory, and returns the Step that begins with it; nil for one
	// that expects nothing.
	Memory func(clock.PassiveClock) (core.Memory, Step)
}

// Step lets a controller sync one target.
type Step func(r *view.Reader, t view.Target) (*Sync, error)

// actor is an Actor at work.
type actor struct {
	Actor
	core core.Controller
	// recall is its Step with its memory.
	recall Step
}

func (r *run) employ(a Actor, place int) *actor {
	if a.Handle == nil {
		a.Handle = r.hearsAll(place)
	}
	memory, recall := core.Memory(core.NoMemory{}), a.Step
	if a.Memory != nil {
		memory, recall = a.Memory(modelClock{r.model})
	}
	return &actor{a, core.Controller{Handle: a.Handle, Memory: memory, Queue: queue{r.queue, place}}, recall}
}

//go:noinline // it is called at many places
func (a *actor) target(key string) view.Target { return core.Target(a.Kind, key) }

// modelClock is the virtual clock.
type modelClock struct{ model *cluster.Model }

func (c modelClock) Now() time.Time                  { return c.model.Now() }
func (c modelClock) Since(t time.Time) time.Duration { return c.model.Now().Sub(t) }

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

// keys are what is synced: the target, and what it scales.
func (r *run) keys() []slot { return append([]slot{r.own()}, r.scaled()...) }

//go:noinline // it is called at many places
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
