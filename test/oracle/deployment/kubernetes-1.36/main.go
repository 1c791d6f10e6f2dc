// Command oracle answers what the Deployment controller of Kubernetes v1.36.3
// does in one sync. Everything else is in the driver module.
package main

import (
	"k8s.io/kubernetes/pkg/controller/deployment"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/deployment/driver"
)

func main() { driver.Main(deployment.NewDeploymentController) }
