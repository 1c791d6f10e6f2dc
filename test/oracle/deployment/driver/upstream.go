package driver

import (
	"context"
	"fmt"
	"reflect"
	"unsafe"

	appsinformers "k8s.io/client-go/informers/apps/v1"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/kubernetes/pkg/controller/deployment"
)

// New is upstream's constructor, as one version has it.
type New func(context.Context, appsinformers.DeploymentInformer, appsinformers.ReplicaSetInformer, coreinformers.PodInformer, kubernetes.Interface) (*deployment.DeploymentController, error)

// processNextWorkItem is upstream's own: it takes one key off the queue,
// syncs it, and forgets or requeues it. linkname.s lets it have no body here.
//
//go:linkname processNextWorkItem k8s.io/kubernetes/pkg/controller/deployment.(*DeploymentController).processNextWorkItem
func processNextWorkItem(*deployment.DeploymentController, context.Context) bool

// field gives settable access to a possibly unexported field of the struct
// that ptr points to. A missing field is an upstream change the oracle must
// not paper over, so it panics.
func field(ptr any, name string) reflect.Value {
	f := reflect.ValueOf(ptr).Elem().FieldByName(name)
	if !f.IsValid() {
		panic(fmt.Sprintf("%T has no field %s: adapt the driver to this version", ptr, name))
	}
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}
