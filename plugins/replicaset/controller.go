package replicaset

import (
	"slices"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Controller is the controller of ReplicaSets, and that of
// ReplicationControllers, which runs the same code.
func Controller() controller.Controller {
	return controller.Controller{
		ID:    "replicaset",
		Kinds: Kinds,
		Keep:  Keep,
		Rules: Rules,
		Decide: func(r *view.Reader, p profile.Profile, t view.Target) (*decision.Decision, error) {
			return Decide(r, p, t, Given{})
		},
		Answer:  Answer,
		Subject: Subject,
		Step:    Step,
		WhatIf:  controller.OnlyReplicas(Scale),
		Agent: &controller.Agent{
			Handle: Handle, Watches: []view.Kind{view.Pods}, Memory: newMemory,
			Manager: "kube-controller-manager", Lease: lease.ControllerManager.Lease, Refused: refusedNow,
		},
	}
}

// fresh is how old an event of a refusal may be to speak of this one.
const fresh = 2 * time.Minute

// refusedNow reports whether the surroundings say that Pods are refused now. An
// event says nothing any more when something was created after it, so long ago.
func refusedNow(d *decision.Decision, created time.Duration) bool {
	return slices.ContainsFunc(d.Evidence, func(e decision.Evidence) bool {
		switch {
		case e.Rule == ReplicaFailure, slices.Contains(Refusals, e.Rule):
			return true
		case e.Rule == FailedCreateEvent:
			age, err := time.ParseDuration(e.Facts.Str("age"))
			return err == nil && age < fresh && age-time.Second <= created
		}
		return false
	})
}
