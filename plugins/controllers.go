package plugins

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/deployment"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
)

// Controller is a modelled controller as it runs: one for each kind, with a
// queue and a memory of its own.
type Controller struct {
	Plugin
	Kind view.Kind
	// Watches are the kinds whose events its handlers get.
	Watches []view.Kind
	Handle  handlers.Handle
	// Memory starts a memory; Free decides as if it were empty.
	Memory func(clock.PassiveClock) Memory
	Free   Decide
	// Retries is how often a failed sync is repeated, 0 for ever.
	Retries int
	// Manager is the name under which the process writes, Lease is the one that
	// its leader renews.
	Manager string
	Lease   view.Need
}

// Decide tells what one sync does.
type Decide = func(r *view.Reader, p profile.Profile, t Target) (*decision.Decision, error)

// Memory is what a controller remembers of its own writes.
type Memory interface {
	// Observe tells what an event means to what is expected.
	Observe(what handlers.Observation, t Target, of metav1.Object)
	// Satisfied tells whether nothing stands in the way.
	Satisfied(t Target) bool
	// Outstanding is how much is expected, nil without a record.
	Outstanding(t Target) *int64
	// Decide tells what a sync does that starts with this memory.
	Decide(r *view.Reader, p profile.Profile, t Target) (*decision.Decision, error)
	// Expect remembers what a sync expects that did what was decided on these
	// objects.
	Expect(t Target, d *decision.Decision, now Objects)
}

// Objects finds an object by name.
type Objects func(k view.Kind, namespace, name string) (metav1.Object, bool)

// Controllers lists the controllers that run, those first whose writes wake
// the others.
func Controllers() []Controller {
	var all []Controller
	for _, name := range []string{"deployment", "replicaset", "cloneset"} {
		for _, p := range All() {
			if p.Name != name {
				continue
			}
			for _, k := range p.Kinds {
				all = append(all, controllerOf(p, k))
			}
		}
	}
	return all
}

func controllerOf(p Plugin, k view.Kind) Controller {
	c := Controller{
		Plugin: p, Kind: k, Manager: "kube-controller-manager", Free: p.Decide,
		Lease: lease.ControllerManager.Lease,
	}
	switch p.Name {
	case "deployment":
		c.Handle, c.Watches = deployment.Handle(k), []view.Kind{k, view.ReplicaSets, view.Pods}
		c.Memory, c.Free, c.Retries = newNoMemory, decideRollout, 15
	case "cloneset":
		c.Handle, c.Watches = cloneset.Handle(k), []view.Kind{k, view.Pods, view.PersistentVolumeClaims}
		c.Memory, c.Manager = newScaleMemory, "kruise-manager"
		c.Lease = lease.KruiseManager.Lease
	default:
		c.Handle, c.Watches, c.Memory = replicaset.Handle(k), []view.Kind{k, view.Pods}, newCountMemory
	}
	c.Lease.Detail = view.Full
	return c
}

// Fails tells whether the sync ends in an error, and the key is queued again
// with backoff.
func (c Controller) Fails(d *decision.Decision) bool {
	switch d.NextSync.Rule {
	case replicaset.RetryWithBackoff, deployment.RetryRollout, deployment.RetryAfterOwnWrite, cloneset.RetryLater:
		return true
	}
	return false
}

// ReadsBack tells whether the sync ends because its controller has not read its
// own last writes back.
func (c Controller) ReadsBack(d *decision.Decision) bool {
	return d.Gate.Rule == replicaset.WritesNotRead
}

// fresh is how old an event of a refusal may be to speak of this one.
const fresh = 2 * time.Minute

// Refused tells whether the surroundings say that writes are refused now. The
// conditions of a CloneSet say it of any time: they stay. An event says nothing
// any more when something was created after it, so long ago.
func (c Controller) Refused(d *decision.Decision, created time.Duration) bool {
	return slices.ContainsFunc(d.Evidence, func(e decision.Evidence) bool {
		if slices.Contains(replicaset.Refusals, e.Rule) {
			return true
		}
		switch e.Rule {
		case replicaset.ReplicaFailure, cloneset.BudgetForbids:
			return true
		case replicaset.FailedCreateEvent, cloneset.FailedEvent:
			age, err := time.ParseDuration(e.Facts.Str("age"))
			return err == nil && age < fresh && age-time.Second <= created
		}
		return false
	})
}

// decideRollout takes the retries of a sync that fails on its own write for
// part of it, and leaves the pods to their ReplicaSets.
func decideRollout(r *view.Reader, p profile.Profile, t Target) (*decision.Decision, error) {
	d, err := deployment.Decide(r, p, t, deployment.Given{Follow: noFollow})
	if err != nil {
		return nil, err
	}
	for _, f := range d.Follows {
		if f.Cause == d.Target {
			d.Actions = append(d.Actions, f.Actions...)
		}
	}
	return d, nil
}
