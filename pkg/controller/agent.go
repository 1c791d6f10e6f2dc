package controller

import (
	"slices"
	"strings"
	"time"

	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Agent is a controller as it runs in its manager: with event handlers, a queue
// and a memory.
type Agent struct {
	// Handle makes the event handlers of the controller of one of its kinds.
	Handle func(view.Kind) handlers.Handle
	// Watches are the kinds whose events they get, besides that kind.
	Watches []view.Kind
	// Memory starts a memory; nil for a controller that expects nothing.
	Memory func(clock.PassiveClock) Memory
	// Retries is how often a failed sync is repeated, 0 for ever.
	Retries int
	// Manager is the name under which the process writes, Lease is the one that
	// its leader renews.
	Manager string
	Lease   view.Need
	// Queue is the name of a kind's work queue in that process's metrics; nil for the kind
	// in lower case.
	Queue func(view.Kind) string
	// Program is what is known of that process; nil for kube-controller-manager.
	Program *Program
	// ClientGo is the minor of client-go 0.x that the process is built with; 0 for that of
	// the Kubernetes release.
	ClientGo int
	// NoTimeout says that what its memory expects is waited for without end.
	NoTimeout bool
	// Reads lists what its syncs read in a namespace besides what it watches.
	Reads func(namespace string) []view.Need
	// Events selects the events that tell why its writes failed, as a field
	// selector; empty for those of failed creations.
	Events string
	// PodLabels are those that it writes on Pods that are there. Where it has
	// any, its syncs look at the whole spec of its Pods.
	PodLabels []string
	// InPlace says that it also takes these labels away, and changes the containers of
	// Pods that are there.
	InPlace bool
	// Refusals are the rules of evidence that its writes are refused, and
	// RefusalEvents those of events that say so while they are fresh.
	Refusals, RefusalEvents []string
	// Again is the rule by which it creates again what was refused when it was tried last.
	Again string
}

// creates reports whether anything is created that was not refused when it was tried last.
func (a *Agent) creates(d *decision.Decision) bool {
	return slices.ContainsFunc(d.Actions, func(of decision.Action) bool {
		return of.Verb == decision.Create && (a.Again == "" || of.Rule != a.Again)
	})
}

// fresh is how old an event of a refusal may be to speak of this one.
const fresh = 2 * time.Minute

// Refused reports whether the surroundings say that writes are refused now. An
// event does not when something was created after it, so long ago.
func (a *Agent) Refused(d *decision.Decision, created time.Duration) bool {
	return slices.ContainsFunc(d.Evidence, func(e decision.Evidence) bool {
		if !slices.Contains(a.RefusalEvents, e.Rule) {
			return slices.Contains(a.Refusals, e.Rule)
		}
		age := d.AsOf.Sub(e.At).Truncate(time.Second)
		return !e.At.IsZero() && age < fresh && age-time.Second <= created
	})
}

// QueueName is the name of its work queue in its manager's metrics.
func (r Running) QueueName() string {
	if r.Agent.Queue == nil {
		return strings.ToLower(r.Kind.Kind)
	}
	return r.Agent.Queue(r.Kind)
}

// Running is the controller of one kind as it runs.
type Running struct {
	Controller
	Kind view.Kind
	// Handle are its event handlers, Watches the kinds whose events they get.
	Handle  handlers.Handle
	Watches []view.Kind
	// Memory starts a memory; Free decides as if it were empty.
	Memory func(clock.PassiveClock) Memory
	Free   Decide
}

// Name is the controller's in its manager.
//
//go:noinline // it is called at many places
func (r Running) Name() string { return strings.ToLower(r.Kind.Kind) + "-controller" }

func runningOf(c Controller, k view.Kind) Running {
	a := *c.Agent
	a.Lease.Detail = view.Full
	c.Agent = &a
	r := Running{Controller: c, Kind: k, Handle: a.Handle(k), Watches: append([]view.Kind{k}, a.Watches...), Memory: a.Memory, Free: c.settled}
	if r.Memory == nil {
		r.Memory = func(clock.PassiveClock) Memory { return noMemory{decide: r.Free, step: c.Step} }
	}
	return r
}

// Memory is what a controller remembers of its own writes.
type Memory interface {
	core.Memory
	// Outstanding is how much is expected, nil without a record.
	Outstanding(t Target) *int64
	// Begin returns what predicts a sync that starts with this memory as it is now, whatever
	// becomes of it meanwhile. Step predicts one with its writes.
	Begin(r *view.Reader, p profile.Profile, t Target) Decide
	Step(r *view.Reader, p profile.Profile, t Target) (*simulate.Sync, error)
}

// noMemory is that of a controller that expects nothing.
type noMemory struct {
	core.NoMemory
	decide Decide
	step   func(r *view.Reader, p profile.Profile, t Target) (*simulate.Sync, error)
}

func (noMemory) Outstanding(Target) *int64                            { return nil }
func (m noMemory) Begin(*view.Reader, profile.Profile, Target) Decide { return m.decide }
func (m noMemory) Step(r *view.Reader, p profile.Profile, t Target) (*simulate.Sync, error) {
	return m.step(r, p, t)
}
