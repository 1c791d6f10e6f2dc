package replicaset

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Controller is the controller of ReplicaSets, and that of
// ReplicationControllers, which runs the same code.
func Controller() controller.Controller {
	return controller.Controller{
		ID:       "replicaset",
		Kinds:    kinds,
		Rules:    Rules,
		Releases: releases,
		Reviews:  true,
		Decide: func(r *view.Reader, p profile.Profile, t view.Target) (*decision.Decision, error) {
			return Decide(r, p, t, Given{})
		},
		Answer:   Answer,
		Refusal:  refusal,
		Assess:   assess,
		Adopters: adopters,
		Subject:  subjectOf,
		Step:     Step,
		WhatIf:   controller.OnlyReplicas(withReplicas),
		Admit:    controller.Admission{Default: complete, Validated: validated},
		Agent: &controller.Agent{
			Handle: Handle, Watches: []view.Kind{view.Pods}, Memory: newMemory,
			Manager: "kube-controller-manager", Lease: lease.ControllerManager.Lease, Queue: queueName,
			Refusals: append(slices.Clone(refusalRules), ReplicaFailure), RefusalEvents: []string{FailedCreateEvent}, Again: CreateAfterRefusal,
		},
	}
}

// adopters are the Deployments that adopt a ReplicaSet which was one's before, as its label
// tells. Of others none is looked for.
func adopters(r *view.Reader, orphan metav1.Object) (first []decision.Ref, n int) {
	if _, made := orphan.GetLabels()[appsv1.DefaultDeploymentUniqueLabelKey]; !made {
		return nil, 0
	}
	need := view.Need{Kind: view.Deployments, Namespace: orphan.GetNamespace(), Detail: view.Full, IfMissing: "whether a Deployment adopts it is not known", Spare: true}
	if r.Err(need) != nil {
		return nil, 0
	}
	return ownership.AdoptersOf(r, view.ReplicaSets, orphan.GetNamespace()).Adopting(orphan).First()
}

// queueName mirrors NewReplicaSetController of replica_set.go and NewReplicationManager of
// replication_controller.go (v1.37.1).
func queueName(k view.Kind) string {
	if k.GroupKind() == view.ReplicationControllers.GroupKind() {
		return "replicationmanager"
	}
	return "replicaset"
}
