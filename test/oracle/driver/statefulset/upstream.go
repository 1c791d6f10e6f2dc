package statefulset

import (
	"context"
	_ "unsafe" // for go:linkname

	appsinformers "k8s.io/client-go/informers/apps/v1"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	// The comparison of revisions applies the defaults of apps/v1 (1.34 and later).
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	"k8s.io/kubernetes/pkg/controller/statefulset"
)

// Construct is upstream's constructor.
type Construct func(context.Context, coreinformers.PodInformer, appsinformers.StatefulSetInformer, coreinformers.PersistentVolumeClaimInformer, appsinformers.ControllerRevisionInformer, kubernetes.Interface) *statefulset.StatefulSetController

// syncSet is upstream's own: it syncs one key. Its processNextWorkItem calls it
// directly, so that it can't be listened to. linkname.s lets it have no body here.
//
//go:linkname syncSet k8s.io/kubernetes/pkg/controller/statefulset.(*StatefulSetController).sync
func syncSet(*statefulset.StatefulSetController, context.Context, string) error
