package live

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// changes signals what happens after the first read. A relist repeats objects
// that did not change.
func (i *informer) changes() cache.ResourceEventHandler {
	return cache.ResourceEventHandlerDetailedFuncs{
		AddFunc: func(_ any, initial bool) {
			if !initial {
				i.source.changed()
			}
		},
		UpdateFunc: func(before, after any) {
			if versionOf(before) != versionOf(after) {
				i.source.changed()
			}
		},
		DeleteFunc: func(any) { i.source.changed() },
	}
}

func versionOf(obj any) string {
	if m, ok := obj.(metav1.Object); ok {
		return m.GetResourceVersion()
	}
	return ""
}

// prepare brings an object into the form that is stored: under the field names
// that deciders know, and without what is often half of it. client-go may call it
// again for an object that is already shared: then nothing is written.
func prepare(obj any) (any, error) {
	known(obj)
	if m, ok := obj.(metav1.Object); ok {
		view.TrimManagedFields(m)
	}
	return obj, nil
}
