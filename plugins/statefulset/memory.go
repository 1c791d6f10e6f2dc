package statefulset

import (
	stdsync "sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/expectations"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// memory are the resource versions that the caches of Pods and StatefulSets must have
// read before the next sync, since 1.36. What the API server will number a write is not
// known: it is newer than what was read before, and a Pod that is created is read when it
// is there. Volume claims are not watched here: they are taken to be read.
type memory struct {
	core.NoMemory
	clock  clock.PassiveClock
	writes *expectations.Consistency

	lock *stdsync.Mutex
	// created are the Pods whose creation is still to be read, by the key of their set.
	created map[string]creations
}

// creations are those of one sync of a set.
type creations struct {
	of    types.UID
	at    time.Time
	names []string
}

func newMemory(c clock.PassiveClock) controller.Memory {
	return memory{clock: c, writes: expectations.NewConsistency(), lock: &stdsync.Mutex{}, created: map[string]creations{}}
}

// Outstanding is nil: nothing is counted.
func (m memory) Outstanding(view.Target) *int64 { return nil }

func (m memory) Begin(r *view.Reader, _ profile.Profile, t view.Target) controller.Decide {
	given := m.given(r, t)
	return func(r *view.Reader, p profile.Profile, t view.Target) (*decision.Decision, error) {
		return Decide(r, p, t, given)
	}
}

func (m memory) Step(r *view.Reader, p profile.Profile, t view.Target) (*simulate.Sync, error) {
	return stepFrom(r, p, t, m.given(r, t))
}

// given is what a sync starts from with this memory. Before 1.36 nothing is remembered.
func (m memory) given(r *view.Reader, t view.Target) Given { return Given{Behind: m.behind(r, t)} }

var (
	podsResource = view.Pods.GVR().GroupResource()
	setsResource = view.StatefulSets.GVR().GroupResource()
)

func nameOf(t view.Target) types.NamespacedName {
	return types.NamespacedName{Namespace: t.Namespace, Name: t.Name}
}

// behind are the caches that have surely not read as far as what was written.
func (m memory) behind(r *view.Reader, t view.Target) []*expectations.Stale {
	set, err := r.Object(view.Need{Kind: t.Kind, Namespace: t.Namespace, Name: t.Name})
	if err != nil || set == nil {
		return nil
	}
	pods := r.ControlledBy(view.Need{Kind: view.Pods, Namespace: t.Namespace}, set.GetUID())
	newest := expectations.Newest(append(pods, set))
	behind := m.writes.Ready(nameOf(t), func(resource schema.GroupResource) string {
		if resource == podsResource {
			return newest
		}
		return set.GetResourceVersion()
	})
	for _, stale := range behind {
		stale.Wrote = ""
	}
	if len(behind) == 0 && m.waitsToRead(t, set, pods) {
		behind = []*expectations.Stale{{Resource: podsResource, Read: newest}}
	}
	return behind
}

// waitsToRead reports whether a Pod that was created is not there yet. What was not seen
// for so long was never created.
func (m memory) waitsToRead(t view.Target, set metav1.Object, pods []metav1.Object) bool {
	m.lock.Lock()
	defer m.lock.Unlock()
	c, some := m.created[t.Key()]
	if !some {
		return false
	}
	there := map[string]bool{}
	for _, p := range pods {
		there[p.GetName()] = true
	}
	for _, name := range c.names {
		if !there[name] && c.of == set.GetUID() && m.clock.Since(c.at) < expectations.Timeout {
			return true
		}
	}
	delete(m.created, t.Key())
	return false
}

// Expect sets what the caches must have read before the next sync.
func (m memory) Expect(t view.Target, d *decision.Decision, now core.Objects) (clobbered *decision.Expectation) {
	set, there := now(t.Kind, t.Namespace, t.Name)
	if !there || len(d.Expectations.ReadBack) == 0 {
		return nil
	}
	if d.Status.Writes && d.Status.Rule == StatusWritten {
		m.writes.WroteAt(nameOf(t), set.GetUID(), setsResource, expectations.NewerThan(set.GetResourceVersion()))
	}
	c := creations{of: set.GetUID(), at: m.clock.Now()}
	for _, a := range d.Actions {
		if a.Object.Kind != view.Pods.Kind || a.Certainty != decision.Certain {
			continue
		}
		pod, there := now(view.Pods, a.Object.Namespace, a.Object.Name)
		switch {
		case a.Verb == decision.Create:
			c.names = append(c.names, a.Object.Name)
		case there && (a.Verb == decision.Adopt || a.Verb == decision.Modify):
			m.writes.WroteAt(nameOf(t), set.GetUID(), podsResource, expectations.NewerThan(pod.GetResourceVersion()))
		}
	}
	if len(c.names) > 0 {
		m.lock.Lock()
		defer m.lock.Unlock()
		m.created[t.Key()] = c
	}
	return nil
}
