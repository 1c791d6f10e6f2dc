package cloneset

import (
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/answer"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/assess"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/eventhandler"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/memory"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/webhook"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// Controller is OpenKruise's controller of CloneSets.
func Controller() controller.Controller {
	return controller.Controller{
		ID:      "cloneset",
		Kinds:   api.Kinds,
		Keep:    Keep,
		Install: "OpenKruise is not installed there: install it (https://openkruise.io), or check --context",
		Rules:   rules.All,
		Reviews: true,
		Decide: func(r *view.Reader, p profile.Profile, t view.Target) (*decision.Decision, error) {
			return Decide(r, p, t, reconcile.Given{})
		},
		Answer:  answer.Of,
		Assess:  assess.Of,
		Subject: memory.Subject,
		Unsaved: unsaved,
		Step:    Step,
		WhatIf:  &controller.WhatIf{Fields: api.Fields, Change: api.Change},
		Admit:   controller.Admission{Default: webhook.Default, Refuse: webhook.Refuse},
		Agent: &controller.Agent{
			Handle: eventhandler.Handle, Watches: []view.Kind{view.Pods, view.PersistentVolumeClaims}, Memory: newMemory,
			Manager: "kruise-manager", Lease: kruise.Elected.Lease, Program: &kruise.Process, NoTimeout: true,
			Queue:    func(view.Kind) string { return "cloneset-controller" }, // add of cloneset_controller.go, v1.9.1
			ClientGo: 32,                                                      // go.mod of Kruise v1.9; that of v1.8 has 30
			Reads:    traced, Events: "type=Warning", PodLabels: api.WrittenLabels, InPlace: true,
			Refusals: []string{rules.BudgetForbids}, RefusalEvents: []string{rules.FailedEvent}, // conditions say it of any time: they stay
		},
	}
}

// traced lists what syncs read in a namespace besides what is watched.
func traced(namespace string) []view.Need {
	return []view.Need{
		{Kind: view.ControllerRevisions, Namespace: namespace},
		{Kind: view.PodUnavailableBudgets, Namespace: namespace, IfMissing: "whether a budget refuses updates or deletions is not known"},
		kruise.Manager,
	}
}

// remembering is the controller with its memory.
type remembering struct{ memory.Memory }

func newMemory(c clock.PassiveClock) controller.Memory { return remembering{memory.New(c)} }

func (m remembering) Begin(r *view.Reader, _ profile.Profile, t view.Target) controller.Decide {
	given := m.Given(r, t)
	return func(r *view.Reader, p profile.Profile, t view.Target) (*decision.Decision, error) {
		return Decide(r, p, t, given)
	}
}

func (m remembering) Step(r *view.Reader, p profile.Profile, t view.Target) (*simulate.Sync, error) {
	return stepFrom(r, p, t, m.Given(r, t))
}
