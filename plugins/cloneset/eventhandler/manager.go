package eventhandler

import (
	"maps"
	"sync/atomic"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// manager is one that handlers are modelled of, and what it was read from.
type manager struct {
	deployment *appsv1.Deployment
	options    profile.ProgramOptions

	behaviour core.Behaviour
	// optimizes: updates of Pods may pass unheard.
	optimizes bool
}

// managers keeps the one of the last event, and what it did to the owner's key, as the next
// event is nearly always of the same.
type managers struct {
	last   atomic.Pointer[manager]
	queued atomic.Pointer[handlers.Effect]
}

// enqueue queues the owner of a Pod that changed.
func (m *managers) enqueue(owner view.Target) []handlers.Effect {
	e := m.queued.Load()
	if e == nil || e.Target.Name != owner.Name || e.Target.Namespace != owner.Namespace {
		now := handlers.OwnedUpdate(owner)
		e = &now
		m.queued.Store(e)
	}
	return []handlers.Effect{*e}
}

// of is the manager to model, read from its Deployment where that is in the cache.
func (m *managers) of(c handlers.Cluster, p profile.Profile) *manager {
	obj, _ := c.Get(kruise.Manager.Kind, kruise.Manager.Namespace, kruise.Manager.Name)
	d, _ := obj.(*appsv1.Deployment)
	o := p.Programs[kruise.Program.Name]
	if last := m.last.Load(); last != nil && last.deployment == d && last.options.Version == o.Version && maps.Equal(last.options.Gates, o.Gates) {
		return last
	}
	k := kruise.Of(p, d)
	now := &manager{d, o, core.BehaviourOf(k), k.On(kruise.EventHandlerOptimization)}
	m.last.Store(now)
	return now
}
