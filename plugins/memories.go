package plugins

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/expectations"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
)

// countMemory is that of ReplicaSets and ReplicationControllers.
type countMemory struct{ expectations.UIDTracking }

func newCountMemory(c clock.PassiveClock) Memory { return countMemory{expectations.NewUIDTracking(c)} }

func keyOf(t Target) string {
	return types.NamespacedName{Namespace: t.Namespace, Name: t.Name}.String()
}

func (m countMemory) Observe(what handlers.Observation, t Target, of metav1.Object) {
	switch what {
	case handlers.Creation:
		m.CreationObserved(keyOf(t))
	case handlers.Deletion:
		m.DeletionObserved(keyOf(t), of.GetNamespace()+"/"+of.GetName())
	case handlers.Forget:
		m.Delete(keyOf(t))
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
	return replicaset.Decide(r, p, t, replicaset.Given{Expectations: m.Get(keyOf(t))})
}

// Expect sets what manageReplicas sets. Of pods among which chance picks, as
// many deletions are expected as are picked, and any of them may fulfil one.
func (m countMemory) Expect(t Target, d *decision.Decision, _ Objects) {
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
func noFollow(*view.Reader, profile.Profile, *appsv1.ReplicaSet, []metav1.Object, bool) (*decision.Decision, error) {
	return &decision.Decision{}, nil
}
