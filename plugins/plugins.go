// Package plugins is the registry: which controllers are modelled.
package plugins

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/deployment"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/statefulset"
)

// All lists the modelled controllers.
func All() controller.Registry {
	return controller.NewRegistry(
		replicaset.Controller(),
		deployment.Controller(),
		statefulset.Controller(),
		cloneset.Controller(),
	)
}
