package kruise

import (
	appsv1 "k8s.io/api/apps/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Manager is the Deployment that runs the controller.
var Manager = view.Need{
	Kind: view.Deployments, Namespace: "kruise-system", Name: "kruise-controller-manager",
	// Which release is modelled is part of the answer, as for Kubernetes.
	IfMissing: "which release of Kruise runs, and with which gates, is assumed", Explains: true,
}

// Installed is the manager to model, read from its Deployment where that is seen.
func Installed(r *view.Reader, p profile.Profile) profile.Installed {
	d, _ := view.Get[*appsv1.Deployment](r, Manager)
	return Of(p, d)
}

// Of is the manager to model, as its Deployment says, nil for none.
func Of(p profile.Profile, d *appsv1.Deployment) profile.Installed {
	return Program.Installed(p.Programs[Program.Name], managerOf(d))
}

// managerOf is what a Deployment, nil for none, says of the manager.
func managerOf(d *appsv1.Deployment) (m profile.Manager) {
	if d == nil {
		return m
	}
	for _, c := range d.Spec.Template.Spec.Containers {
		if c.Name == "manager" {
			m = profile.Manager{Image: c.Image, Args: append(append([]string{}, c.Command...), c.Args...)}
		}
	}
	return m
}

// Modelled returns what a decision of one of the manager's controllers is a model of.
func Modelled(controller string, k profile.Installed) decision.Modelled {
	return decision.Modelled{
		Controller: controller, Product: "Kruise", Version: k.Version.String(), Basis: k.Basis,
		Gates: k.Gates, GatesBasis: k.GatesBasis, GatesSet: Program.Changed(k),
	}
}
