package deployment

import (
	appsv1 "k8s.io/api/apps/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Controller is the controller of Deployments. follow decides what a ReplicaSet
// does that a sync changed.
func Controller(follow Follow) controller.Controller {
	return controller.Controller{
		ID:    "deployment",
		Kinds: Kinds,
		Rules: Rules,
		Decide: func(r *view.Reader, p profile.Profile, t view.Target) (*decision.Decision, error) {
			return Decide(r, p, t, Given{Follow: follow})
		},
		Answer: Answer,
		Step:   stepper(follow),
		Assess: Assess,
		WhatIf: &controller.WhatIf{Fields: Fields, Change: Change},
		Scales: []view.Kind{view.ReplicaSets},
		Agent: &controller.Agent{
			Handle: Handle, Watches: []view.Kind{view.ReplicaSets, view.Pods}, Decide: decideRollout, Retries: mostRequeues,
			Manager: "kube-controller-manager", Lease: lease.ControllerManager.Lease,
		},
	}
}

// mostRequeues is maxRetries (deployment_controller.go, v1.37.1).
const mostRequeues = 15

// decideRollout takes the retries of a sync that fails on its own write for
// part of it, and leaves the pods to their ReplicaSets.
func decideRollout(r *view.Reader, p profile.Profile, t view.Target) (*decision.Decision, error) {
	d, err := Decide(r, p, t, Given{Follow: noFollow})
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

// noFollow leaves out what ReplicaSets do about it: they are looked at themselves.
func noFollow(*view.Reader, profile.Profile, *appsv1.ReplicaSet, *view.View, *decision.Caveat) (*decision.Decision, error) {
	return &decision.Decision{}, nil
}
