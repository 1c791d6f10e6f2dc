package edge

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
)

// Informer is a real shared informer that is never started; its cache is
// filled from the request. The type parameter is only there so that one type
// serves all the informer interfaces that controllers ask for.
type Informer[L any] struct {
	Shared  Shared
	Indexer cache.Indexer
	lister  L
}

// Informer and Lister are those of client-go's typed informers.
func (i Informer[L]) Informer() cache.SharedIndexInformer { return i.Shared }
func (i Informer[L]) Lister() L                           { return i.lister }

// Shared hands out the driver's indexer in place of its own.
type Shared struct {
	cache.SharedIndexInformer
	indexer cache.Indexer
}

// GetIndexer and GetStore are the driver's indexer.
func (s Shared) GetIndexer() cache.Indexer { return s.indexer }
func (s Shared) GetStore() cache.Store     { return s.indexer }

// NewInformer is an informer of objects such as example. wrap is put around
// its cache.
func NewInformer[L any](example runtime.Object, wrap func(cache.Indexer) cache.Indexer, lister func(cache.Indexer) L) Informer[L] {
	real := cache.NewSharedIndexInformer(&cache.ListWatch{}, example, 0,
		cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
	indexer := wrap(real.GetIndexer())
	return Informer[L]{Shared: Shared{real, indexer}, Indexer: indexer, lister: lister(indexer)}
}

// Plain wraps nothing.
func Plain(i cache.Indexer) cache.Indexer { return i }

// Items are objects as an indexer takes them.
func Items[T any](objects []T) []any {
	all := make([]any, len(objects))
	for i, o := range objects {
		all[i] = o
	}
	return all
}
