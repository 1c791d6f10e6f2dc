package events

import (
	"context"
	"unsafe" // for go:linkname

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	_ "github.com/openkruise/kruise/pkg/controller/cloneset" // holds the handlers
)

type queue = workqueue.TypedRateLimitingInterface[reconcile.Request]

// podHandler has the layout of upstream's podEventHandler.
type podHandler struct{ client.Reader }

//go:linkname podCreate github.com/openkruise/kruise/pkg/controller/cloneset.(*podEventHandler).Create
func podCreate(unsafe.Pointer, context.Context, event.TypedCreateEvent[*corev1.Pod], queue)

//go:linkname podUpdate github.com/openkruise/kruise/pkg/controller/cloneset.(*podEventHandler).Update
func podUpdate(unsafe.Pointer, context.Context, event.TypedUpdateEvent[*corev1.Pod], queue)

//go:linkname podDelete github.com/openkruise/kruise/pkg/controller/cloneset.(*podEventHandler).Delete
func podDelete(unsafe.Pointer, context.Context, event.TypedDeleteEvent[*corev1.Pod], queue)

//go:linkname claimCreate github.com/openkruise/kruise/pkg/controller/cloneset.(*pvcEventHandler).Create
func claimCreate(unsafe.Pointer, context.Context, event.TypedCreateEvent[*corev1.PersistentVolumeClaim], queue)

//go:linkname claimUpdate github.com/openkruise/kruise/pkg/controller/cloneset.(*pvcEventHandler).Update
func claimUpdate(unsafe.Pointer, context.Context, event.TypedUpdateEvent[*corev1.PersistentVolumeClaim], queue)

//go:linkname claimDelete github.com/openkruise/kruise/pkg/controller/cloneset.(*pvcEventHandler).Delete
func claimDelete(unsafe.Pointer, context.Context, event.TypedDeleteEvent[*corev1.PersistentVolumeClaim], queue)
