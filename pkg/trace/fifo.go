package trace

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/cache"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
)

// The minors of client-go 0.x that changed its queue of deltas, by the defaults of their
// feature gates (features/known_features.go, v0.37.1).
const (
	inOrder     = 33 // InOrderInformers: RealFIFO hands out each delta, in order
	inBatches   = 35 // InOrderInformersBatchProcess: deltas of several objects at once
	atomicLists = 36 // AtomicFIFO, UnlockWhileProcessingFIFO: a list is one delta, bookmarks are deltas
)

// clientGo is the minor of client-go 0.x that the traced managers are built with, the newest of
// them: a kind is read once for all.
func clientGo(p profile.Profile, all []controller.Running) (minor int) {
	for _, c := range all {
		if c.Agent.ClientGo != 0 {
			minor = max(minor, c.Agent.ClientGo)
		} else {
			minor = max(minor, p.Kubernetes.Minor)
		}
	}
	return minor
}

// newFIFO is the queue of deltas that an informer of client-go 0.minor has (newQueueFIFO of
// tools/cache/controller.go, v0.37.1). d hears how deep it is; nil for nobody.
func newFIFO(minor int, known cache.KeyListerGetter, transform cache.TransformFunc, d *depth, gvr schema.GroupVersionResource) cache.Queue {
	if minor < inOrder {
		return cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{KnownObjects: known, EmitDeltaTypeReplaced: true, Transformer: transform})
	}
	o := cache.RealFIFOOptions{Transformer: transform, KnownObjects: known}
	if d != nil {
		o.Identifier, o.MetricsProvider = d.identity(gvr), d
	}
	if minor >= atomicLists {
		o.KnownObjects, o.AtomicEvents, o.UnlockWhileProcessing, o.EmitDeltaTypeBookmark = nil, true, true, true
	}
	return cache.NewRealFIFOWithOptions(o)
}
