package driver

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	appslisters "k8s.io/client-go/listers/apps/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

// informer is a real shared informer that is never started; its cache is
// filled from the request. The type parameter is only there so that one type
// serves the three informer interfaces a controller asks for.
type informer[L any] struct {
	cache.SharedIndexInformer
	lister L
}

func (i informer[L]) Informer() cache.SharedIndexInformer { return i.SharedIndexInformer }
func (i informer[L]) Lister() L                           { return i.lister }

func newInformer[L any](example runtime.Object, lister func(cache.Indexer) L) informer[L] {
	real := cache.NewSharedIndexInformer(&cache.ListWatch{}, example, 0,
		cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	return informer[L]{real, lister(real.GetIndexer())}
}

// informers are the caches of one controller.
type informers struct {
	deployments informer[appslisters.DeploymentLister]
	replicaSets informer[appslisters.ReplicaSetLister]
	pods        informer[corelisters.PodLister]
}

func newInformers() informers {
	return informers{
		newInformer(&appsv1.Deployment{}, appslisters.NewDeploymentLister),
		newInformer(&appsv1.ReplicaSet{}, appslisters.NewReplicaSetLister),
		newInformer(&corev1.Pod{}, corelisters.NewPodLister),
	}
}

// replace fills one cache.
func replace[L any, T any](i informer[L], objects []T) error {
	all := make([]any, len(objects))
	for n, o := range objects {
		all[n] = o
	}
	return i.GetIndexer().Replace(all, "")
}
