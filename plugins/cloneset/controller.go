package cloneset

import (
	"slices"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lease"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Controller is OpenKruise's controller of CloneSets.
func Controller() controller.Controller {
	return controller.Controller{
		ID:      "cloneset",
		Kinds:   Kinds,
		Keep:    Keep,
		Install: "OpenKruise is not installed there: install it (https://openkruise.io), or check --context",
		Rules:   Rules,
		Decide: func(r *view.Reader, p profile.Profile, t view.Target) (*decision.Decision, error) {
			return Decide(r, p, t, Given{})
		},
		Answer:  Answer,
		Subject: Subject,
		Step:    Step,
		WhatIf:  &controller.WhatIf{Fields: Fields, Change: Change},
		Admit:   &controller.Admission{Default: Default, Refuse: Refuse},
		Agent: &controller.Agent{
			Handle: Handle, Watches: []view.Kind{view.Pods, view.PersistentVolumeClaims}, Memory: newMemory,
			Manager: "kruise-manager", Lease: lease.KruiseManager.Lease, NoTimeout: true,
			Reads: traced, Events: "type=Warning", PodLabels: WrittenLabels, Refused: refusedNow,
		},
	}
}

// traced lists what syncs read in a namespace besides what is watched.
func traced(namespace string) []view.Need {
	return []view.Need{
		{Kind: view.ControllerRevisions, Namespace: namespace},
		{Kind: view.PodUnavailableBudgets, Namespace: namespace, Without: "whether a budget refuses updates or deletions is not known"},
		{Kind: view.Deployments, Namespace: "kruise-system", Name: "kruise-controller-manager", Without: "which release of Kruise runs is assumed"},
	}
}

// fresh is how old an event of a refusal may be to speak of this one.
const fresh = 2 * time.Minute

// refusedNow reports whether the surroundings say that writes are refused now.
// The conditions of a CloneSet say it of any time: they stay. An event says
// nothing any more when something was created after it, so long ago.
func refusedNow(d *decision.Decision, created time.Duration) bool {
	return slices.ContainsFunc(d.Evidence, func(e decision.Evidence) bool {
		switch e.Rule {
		case BudgetForbids:
			return true
		case FailedEvent:
			age, err := time.ParseDuration(e.Facts.Str("age"))
			return err == nil && age < fresh && age-time.Second <= created
		}
		return false
	})
}
