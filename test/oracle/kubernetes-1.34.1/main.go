// Command oracle answers what the controllers of Kubernetes v1.34.1 do in one
// sync. Everything but the constructors' parameters is in the driver module.
package main

import (
	"k8s.io/kubernetes/pkg/controller/deployment"
	"k8s.io/kubernetes/pkg/controller/replicaset"
	"k8s.io/kubernetes/pkg/controller/replication"
	"k8s.io/kubernetes/pkg/controller/statefulset"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver"
)

func main() {
	driver.Main(driver.Upstream{
		NewReplicaSetController: func(in driver.Inputs) *replicaset.ReplicaSetController {
			return replicaset.NewReplicaSetController(in.Context, in.ReplicaSets, in.Pods, in.Client, replicaset.BurstReplicas)
		},
		NewReplicationManager: func(in driver.Inputs) *replication.ReplicationManager {
			return replication.NewReplicationManager(in.Context, in.Pods, in.ReplicationControllers, in.Client, replication.BurstReplicas)
		},
		NewDeploymentController:  deployment.NewDeploymentController,
		NewStatefulSetController: statefulset.NewStatefulSetController,
	})
}
