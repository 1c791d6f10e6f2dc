package pvcprotection

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Controller is the controller that protects claims which Pods use.
func Controller() controller.Controller {
	return controller.Controller{
		ID: "pvcprotection", Kinds: []view.Kind{view.PersistentVolumeClaims},
		Rules: Rules, Decide: Decide, Answer: Answer,
	}
}
