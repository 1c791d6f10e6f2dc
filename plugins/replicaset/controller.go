package replicaset

import (
	"slices"

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
		ID:       "replicaset",
		Kinds:    Kinds,
		Rules:    Rules,
		Releases: releases,
		Decide: func(r *view.Reader, p profile.Profile, t view.Target) (*decision.Decision, error) {
			return Decide(r, p, t, Given{})
		},
		Answer:  Answer,
		Assess:  assess,
		Subject: subjectOf,
		Step:    Step,
		WhatIf:  controller.OnlyReplicas(Scale),
		Admit:   controller.Admission{Default: fillSelector, Validated: validated},
		Agent: &controller.Agent{
			Handle: Handle, Watches: []view.Kind{view.Pods}, Memory: newMemory,
			Manager: "kube-controller-manager", Lease: lease.ControllerManager.Lease, Queue: queueName,
			Refusals: append(slices.Clone(refusalRules), ReplicaFailure), RefusalEvents: []string{FailedCreateEvent},
		},
	}
}

// queueName mirrors NewReplicaSetController of replica_set.go and NewReplicationManager of
// replication_controller.go (v1.37.1).
func queueName(k view.Kind) string {
	if k.GroupKind() == view.ReplicationControllers.GroupKind() {
		return "replicationmanager"
	}
	return "replicaset"
}
