// Command oracle answers what the controllers of Kubernetes v1.24.17 do in one
// sync. Everything but the constructors' parameters is in the driver module.
package main

import (
	"context"

	appsinformers "k8s.io/client-go/informers/apps/v1"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/kubernetes/pkg/controller/deployment"
	"k8s.io/kubernetes/pkg/controller/replicaset"
	"k8s.io/kubernetes/pkg/controller/replication"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/driver"
)

func main() {
	driver.Main(driver.Upstream{
		NewReplicaSetController: func(in driver.Inputs) *replicaset.ReplicaSetController {
			return replicaset.NewReplicaSetController(in.ReplicaSets, in.Pods, in.Client, replicaset.BurstReplicas)
		},
		NewReplicationManager: func(in driver.Inputs) *replication.ReplicationManager {
			return replication.NewReplicationManager(in.Pods, in.ReplicationControllers, in.Client, replication.BurstReplicas)
		},
		NewDeploymentController: func(_ context.Context, d appsinformers.DeploymentInformer, rs appsinformers.ReplicaSetInformer, pods coreinformers.PodInformer, client kubernetes.Interface) (*deployment.DeploymentController, error) {
			return deployment.NewDeploymentController(d, rs, pods, client)
		},
	})
}
