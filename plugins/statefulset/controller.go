package statefulset

import (
	appsv1 "k8s.io/api/apps/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Controller is the controller of StatefulSets.
func Controller() controller.Controller {
	return controller.Controller{
		ID:       "statefulset",
		Kinds:    kinds,
		Rules:    Rules,
		Releases: releases,
		Reviews:  true,
		Decide: func(r *view.Reader, p profile.Profile, t view.Target) (*decision.Decision, error) {
			return Decide(r, p, t, Given{})
		},
		Answer: Answer,
		Step:   step,
		Assess: assess, Subject: subjectOf, Unsaved: unsaved,
		WhatIf: &controller.WhatIf{Fields: whatIfFields, Change: changeFields},
		Admit:  controller.Admission{Default: complete, Validated: validated},
		Agent: &controller.Agent{
			Handle: Handle, Watches: []view.Kind{view.Pods}, Reads: traced, Memory: newMemory,
			PodLabels: []string{appsv1.StatefulSetPodNameLabel, appsv1.PodIndexLabel},
			Manager:   "kube-controller-manager", Lease: lease.ControllerManager.Lease,
			Refusals: refusalRules,
		},
	}
}

// traced lists what syncs read in a namespace besides what is watched.
func traced(namespace string) []view.Need {
	return []view.Need{
		{Kind: view.ControllerRevisions, Namespace: namespace, IfMissing: "which revision a Pod is updated to is known from status alone"},
		{Kind: view.PersistentVolumeClaims, Namespace: namespace, IfMissing: "which volume claims of its Pods are missing, or being deleted, is not known"},
	}
}
