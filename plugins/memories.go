package plugins

import (
	"slices"
	"sync"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/expectations"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
)

// countMemory is that of ReplicaSets and ReplicationControllers. writes are the
// resource versions that a ReplicaSet's caches must have reached. What the API
// server will number a write is not known: it is newer than what was read before.
type countMemory struct {
	expectations.UIDTracking
	clock  clock.PassiveClock
	writes *expectations.Consistency
}

func newCountMemory(c clock.PassiveClock) Memory {
	return countMemory{expectations.NewUIDTracking(c), c, expectations.NewConsistency()}
}

var podsResource = view.Pods.GVR().GroupResource()

func nameOf(t Target) types.NamespacedName {
	return types.NamespacedName{Namespace: t.Namespace, Name: t.Name}
}

func keyOf(t Target) string { return nameOf(t).String() }

func (m countMemory) Observe(what handlers.Observation, t Target, of metav1.Object) {
	switch what {
	case handlers.Creation:
		m.CreationObserved(keyOf(t))
	case handlers.Deletion:
		m.DeletionObserved(keyOf(t), of.GetNamespace()+"/"+of.GetName())
	case handlers.Forget:
		m.Delete(keyOf(t))
		m.writes.Clear(nameOf(t), "")
	}
}

func (m countMemory) Satisfied(t Target) bool { return m.UIDTracking.Satisfied(keyOf(t)) }

func (m countMemory) Outstanding(t Target) *int64 {
	r := m.Get(keyOf(t))
	if r == nil {
		return nil
	}
	n := max(r.Adds, 0) + max(r.Dels, 0)
	return &n
}

func (m countMemory) Decide(r *view.Reader, p profile.Profile, t Target) (*decision.Decision, error) {
	given := replicaset.Given{Expectations: m.Get(keyOf(t))}
	if replicaset.ReadsBack(p, t.Kind) {
		given.Behind = m.behind(r, t)
	}
	return replicaset.Decide(r, p, t, given)
}

// behind are the caches that have surely not read as far as what was written.
func (m countMemory) behind(r *view.Reader, t Target) []*expectations.Stale {
	set, err := r.Object(view.Need{Kind: t.Kind, Namespace: t.Namespace, Name: t.Name})
	if err != nil || set == nil {
		return nil
	}
	pods := sync.OnceValue(func() string {
		return newest(append(r.ControlledBy(view.Need{Kind: view.Pods, Namespace: t.Namespace}, set.GetUID()), set))
	})
	switch record := m.Get(keyOf(t)); {
	case record == nil || record.Fulfilled():
	case record.Expired(m.clock.Now()): // what was not seen for so long was never written
		m.writes.Clear(nameOf(t), "")
	case record.Adds > 0:
		m.writes.WroteAt(nameOf(t), set.GetUID(), podsResource, newerThan(pods()))
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

// Expect sets what manageReplicas sets. Of pods among which chance picks, as
// many deletions are expected as are picked, and any of them may fulfil one.
func (m countMemory) Expect(t Target, d *decision.Decision, now Objects) {
	m.expectToRead(t, d, now)
	after := d.Expectations.After
	if after == nil || after.Age != "0s" {
		return // nothing was set by this sync
	}
	if after.Adds > 0 {
		m.ExpectCreations(keyOf(t), after.Adds)
		return
	}
	keys := slices.Concat(after.DeleteKeys, after.PossibleKeys)
	m.ExpectDeletions(keyOf(t), keys)
	m.Lower(keyOf(t), 0, int64(len(keys))-after.Dels)
}

// expectToRead sets what the caches must have read before the next sync, but for
// what is created: that is expected anyway.
func (m countMemory) expectToRead(t Target, d *decision.Decision, now Objects) {
	set, there := now(t.Kind, t.Namespace, t.Name)
	if !there || len(d.Expectations.ReadBack) == 0 {
		return
	}
	if d.Status.Writes {
		m.writes.WroteAt(nameOf(t), set.GetUID(), t.Kind.GVR().GroupResource(), newerThan(set.GetResourceVersion()))
	}
	for _, a := range d.Actions {
		if pod, there := now(view.Pods, a.Object.Namespace, a.Object.Name); there && a.Verb == decision.Adopt {
			m.writes.WroteAt(nameOf(t), set.GetUID(), podsResource, newerThan(pod.GetResourceVersion()))
		}
	}
}

// noMemory is that of Deployments, whose controller expects nothing.
type noMemory struct{}

func newNoMemory(clock.PassiveClock) Memory { return noMemory{} }

func (noMemory) Observe(handlers.Observation, Target, metav1.Object) {}
func (noMemory) Satisfied(Target) bool                               { return true }
func (noMemory) Outstanding(Target) *int64                           { return nil }
func (noMemory) Expect(Target, *decision.Decision, Objects)          {}
func (noMemory) Decide(r *view.Reader, p profile.Profile, t Target) (*decision.Decision, error) {
	return decideRollout(r, p, t)
}

// noFollow leaves out what ReplicaSets do about it: they are looked at themselves.
func noFollow(*view.Reader, profile.Profile, *appsv1.ReplicaSet, *view.View, bool, *decision.Caveat) (*decision.Decision, error) {
	return &decision.Decision{}, nil
}
