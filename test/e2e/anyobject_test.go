package e2e

import (
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes/scheme"
)

// anyObject is one of a kind that client-go has a type for.
type anyObject interface {
	metav1.Object
	runtime.Object
}

// kindOf is the kind of an object that does not say it itself.
func (w *world) kindOf(obj runtime.Object) schema.GroupVersionKind {
	w.Helper()
	kinds, _, err := scheme.Scheme.ObjectKinds(obj)
	w.check(err)
	return kinds[0]
}

// resource is where the server keeps objects of a kind in this namespace.
func (w *world) resource(kind schema.GroupVersionKind) dynamic.ResourceInterface {
	w.Helper()
	client, err := dynamic.NewForConfig(env.RESTConfig())
	w.check(err)
	plural, _ := meta.UnsafeGuessKindToResource(kind)
	return client.Resource(plural).Namespace(w.namespace)
}

// create makes an object, and fills it with what the API server made of it.
func create[T anyObject](w *world, obj T) T {
	w.Helper()
	kind := w.kindOf(obj)
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	w.check(err)
	sent := &unstructured.Unstructured{Object: fields}
	sent.SetGroupVersionKind(kind)
	made, err := w.resource(kind).Create(w.Context(), sent, metav1.CreateOptions{})
	w.check(err)
	w.check(runtime.DefaultUnstructuredConverter.FromUnstructured(made.Object, obj))
	return obj
}

// delete deletes an object in one of kubectl's three ways.
func (w *world) delete(obj anyObject, how metav1.DeletionPropagation) {
	w.Helper()
	w.check(w.resource(w.kindOf(obj)).Delete(w.Context(), obj.GetName(), metav1.DeleteOptions{PropagationPolicy: &how}))
}

// refer is a reference to an owner of any kind; as its controller or not.
func (w *world) refer(owner anyObject, controller bool) metav1.OwnerReference {
	w.Helper()
	ref := *metav1.NewControllerRef(owner, w.kindOf(owner))
	if !controller {
		ref.Controller, ref.BlockOwnerDeletion = nil, nil
	}
	return ref
}
