package replicaset

import (
	"slices"
	stdsync "sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/expectations"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// memory is that of ReplicaSets and ReplicationControllers. writes are the
// resource versions that a ReplicaSet's caches must have reached. What the API
// server will number a write is not known: it is newer than what was read before.
type memory struct {
	expectations.UIDTracking
	clock  clock.PassiveClock
	writes *expectations.Consistency
}

func newMemory(c clock.PassiveClock) controller.Memory {
	return memory{expectations.NewUIDTracking(c), c, expectations.NewConsistency()}
}

var podsResource = view.Pods.GVR().GroupResource()

func nameOf(t view.Target) types.NamespacedName {
	return types.NamespacedName{Namespace: t.Namespace, Name: t.Name}
}

func (m memory) Observe(what handlers.Observation, t view.Target, of metav1.Object) {
	switch what {
	case handlers.Creation:
		m.CreationObserved(t.Key())
	case handlers.Deletion:
		m.DeletionObserved(t.Key(), of.GetNamespace()+"/"+of.GetName())
	case handlers.Forget:
		m.Delete(t.Key())
		m.writes.Clear(nameOf(t), "")
	}
}

func (m memory) Satisfied(t view.Target) bool { return m.UIDTracking.Satisfied(t.Key()) }

func (m memory) Outstanding(t view.Target) *int64 {
	r := m.Get(t.Key())
	if r == nil {
		return nil
	}
	n := max(r.Adds, 0) + max(r.Dels, 0)
	return &n
}

func (m memory) Begin(r *view.Reader, p profile.Profile, t view.Target) controller.Decide {
	given := m.given(r, p, t)
	return func(r *view.Reader, p profile.Profile, t view.Target) (*decision.Decision, error) {
		return Decide(r, p, t, given)
	}
}

func (m memory) Step(r *view.Reader, p profile.Profile, t view.Target) (*simulate.Sync, error) {
	return stepFrom(r, p, t, m.given(r, p, t))
}

// given is what a sync starts from with this memory.
func (m memory) given(r *view.Reader, p profile.Profile, t view.Target) Given {
	given := Given{Expectations: m.Get(t.Key())}
	if readsBack(p, t.Kind) {
		given.Behind = m.behind(r, t)
	}
	return given
}

// behind are the caches that have surely not read as far as what was written.
func (m memory) behind(r *view.Reader, t view.Target) []*expectations.Stale {
	set, err := r.Object(view.Need{Kind: t.Kind, Namespace: t.Namespace, Name: t.Name})
	if err != nil || set == nil {
		return nil
	}
	pods := stdsync.OnceValue(func() string {
		return expectations.Newest(append(r.ControlledBy(view.Need{Kind: view.Pods, Namespace: t.Namespace}, set.GetUID()), set))
	})
	switch record := m.Get(t.Key()); {
	case record == nil || record.Fulfilled():
	case record.Expired(m.clock.Now()): // what was not seen for so long was never written
		m.writes.Clear(nameOf(t), "")
	case record.Adds > 0:
		m.writes.WroteAt(nameOf(t), set.GetUID(), podsResource, expectations.NewerThan(pods()))
	}
	behind := m.writes.Ready(nameOf(t), func(resource schema.GroupResource) string {
		if resource == podsResource {
			return pods()
		}
		return set.GetResourceVersion()
	})
	for _, stale := range behind {
		stale.Wrote = ""
	}
	return behind
}

// Expect sets what manageReplicas sets. Where k of n Pods are deleted, k deletions
// are expected, and that of any of the n fulfils one.
func (m memory) Expect(t view.Target, d *decision.Decision, now core.Objects) (clobbered *decision.Expectation) {
	m.expectToRead(t, d, now)
	after := d.Expectations.After
	if after == nil || after.Age != 0 {
		return nil // nothing was set by this sync
	}
	if after.Adds > 0 {
		m.ExpectCreations(t.Key(), after.Adds)
		return nil
	}
	keys := slices.Concat(after.DeleteKeys, after.PossibleKeys)
	clobbered = m.ExpectDeletions(t.Key(), keys)
	m.Spare(t.Key(), int64(len(keys))-after.Dels)
	return clobbered
}

// expectToRead sets what the caches must have read before the next sync, but for
// what is created: that is expected anyway.
func (m memory) expectToRead(t view.Target, d *decision.Decision, now core.Objects) {
	set, there := now(t.Kind, t.Namespace, t.Name)
	if !there || len(d.Expectations.ReadBack) == 0 {
		return
	}
	if d.Status.Writes {
		m.writes.WroteAt(nameOf(t), set.GetUID(), t.Kind.GVR().GroupResource(), expectations.NewerThan(set.GetResourceVersion()))
	}
	for _, a := range d.Actions {
		if pod, there := now(view.Pods, a.Object.Namespace, a.Object.Name); there && a.Verb == decision.Adopt {
			m.writes.WroteAt(nameOf(t), set.GetUID(), podsResource, expectations.NewerThan(pod.GetResourceVersion()))
		}
	}
}
