package deployment

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Controller is the controller of Deployments.
func Controller() controller.Controller {
	return controller.Controller{
		ID:       "deployment",
		Kinds:    kinds,
		Rules:    Rules,
		Releases: releases,
		Reviews:  true,
		Decide: func(r *view.Reader, p profile.Profile, t view.Target) (*decision.Decision, error) {
			return Decide(r, p, t, Given{})
		},
		Answer: Answer,
		Step:   step,
		Assess: assess,
		WhatIf: &controller.WhatIf{Fields: whatIfFields, Change: changeFields},
		Admit:  controller.Admission{Default: complete, Validated: validated},
		Scales: []view.Kind{view.ReplicaSets},
		Due:    dueSets, Unsaved: unsaved,
		Agent: &controller.Agent{
			Handle: Handle, Watches: []view.Kind{view.ReplicaSets, view.Pods}, Retries: mostRequeues,
			Manager: "kube-controller-manager", Lease: lease.ControllerManager.Lease,
		},
	}
}

// mostRequeues is maxRetries (deployment_controller.go, v1.37.1).
const mostRequeues = 15
