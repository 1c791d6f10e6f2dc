package rollout

import (
	"context"
	_ "unsafe" // for go:linkname

	appsinformers "k8s.io/client-go/informers/apps/v1"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/kubernetes/pkg/controller/deployment"
)

// Construct is upstream's constructor, as most versions have it.
type Construct func(context.Context, appsinformers.DeploymentInformer, appsinformers.ReplicaSetInformer, coreinformers.PodInformer, kubernetes.Interface) (*deployment.DeploymentController, error)

// processNextWorkItem is upstream's own: it takes one key off the queue,
// syncs it, and forgets or requeues it. linkname.s lets it have no body here.
//
//go:linkname processNextWorkItem k8s.io/kubernetes/pkg/controller/deployment.(*DeploymentController).processNextWorkItem
func processNextWorkItem(*deployment.DeploymentController, context.Context) bool
