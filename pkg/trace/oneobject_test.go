package trace

import (
	"slices"
	"testing"
	"time"

	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestDeltasOfOneObject: what a DeltaFIFO has gathered of one object is taken in delta by
// delta: at each call of a handler, the store has the state that the handler gets.
func TestDeltasOfOneObject(t *testing.T) {
	var seen []string
	watcher := controller.Running{
		Controller: controller.Controller{ID: "watcher", Agent: &controller.Agent{}}, Kind: view.ReplicaSets, Watches: []view.Kind{view.Pods},
		Memory: func(clock.PassiveClock) controller.Memory { return nil },
		Handle: func(c handlers.Cluster, _ profile.Profile, ev handlers.Event) []handlers.Effect {
			held := "nothing"
			if obj, there := c.Get(view.Pods, "shop", "web"); there {
				held = obj.GetResourceVersion()
			}
			seen = append(seen, string(ev.Type)+" "+held)
			return nil
		},
	}
	f := &Follower{clock: clock.RealClock{}, wake: make(chan struct{}, 1), engine: New(Options{Start: time.Now(), Controllers: []controller.Running{watcher}, Out: func(*entry.Entry) {}})}
	defer f.engine.Stop()
	need := view.Need{Kind: view.Pods, Detail: view.Full}
	c := consumer{Follower: f, feed: Feed{Need: need}, store: scoped{f.engine.cluster.store(need.Kind), need}, seen: newSight(f.clock)}
	var deltas cache.Deltas
	for _, version := range []string{"1", "2", "3"} {
		p := podNamed("shop", "web")
		p.ResourceVersion = version
		deltas = append(deltas, cache.Delta{Type: cache.Updated, Object: p})
	}
	deltas = append(deltas, cache.Delta{Type: cache.Deleted, Object: deltas[2].Object})
	if err := c.one(deltas, false); err != nil {
		t.Fatal(err)
	}
	if want := []string{"Added 1", "Updated 2", "Updated 3", "Deleted nothing"}; !slices.Equal(seen, want) {
		t.Errorf("got %q, want %q", seen, want)
	}
}
