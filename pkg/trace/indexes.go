package trace

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// The indexes of a store. Those that upstream has as well have its names and keys
// (byNamespace, podIndex); the others are of this package.
const (
	byNamespace = cache.NamespaceIndex
	byOwner     = "owner"
	byLabel     = "label"
	byInvolved  = "involved"
)

// ownIndexes are those that no manager's store has.
var ownIndexes = []string{byOwner, byLabel, byInvolved}

// podIndex is the index by which syncs of kube-controller-manager find the Pods of an owner,
// and those that have none (FilterPodsByOwner of pkg/controller/controller_utils.go, v1.37.1).
type podIndex struct {
	name string
	// key is that of Pods with this controller; nil for those without.
	key func(namespace string, ref *metav1.OwnerReference) string
}

// podIndexOf is the index of a release; nil up to 1.33, where syncs list the namespace.
func podIndexOf(v profile.Version) *podIndex {
	switch {
	case v.Minor < 34:
		return nil
	case v.Minor == 34 && (v.Patch == 0 || v.Patch == 1):
		return &podIndex{"podControllerUID", func(namespace string, ref *metav1.OwnerReference) string {
			if ref == nil {
				return "_ORPHAN_POD/" + namespace
			}
			return string(ref.UID)
		}}
	}
	return &podIndex{"podController", func(namespace string, ref *metav1.OwnerReference) string {
		if ref == nil {
			return namespace
		}
		return namespace + "/" + ref.Kind + "/" + ref.Name + "/" + string(ref.UID)
	}}
}

func (x *podIndex) keys(obj metav1.Object) []string {
	return []string{x.key(obj.GetNamespace(), metav1.GetControllerOfNoCopy(obj))}
}

// finds is the index by which the syncs of a controller find Pods; nil for that of this
// package.
func (x *podIndex) finds(c controller.Running) *podIndex {
	if c.Agent == nil || c.Agent.Program != nil {
		return nil
	}
	return x
}

// subject is an object that a decision is about.
type subject struct {
	Object metav1.Object
	kind   view.Kind
	// pods is the index by which its Pods are found; nil for that of this package.
	pods *podIndex
}

// indexers are the indexes of a kind's store.
func (c *cluster) indexers(k view.Kind) cache.Indexers {
	in := cache.Indexers{byNamespace: cache.MetaNamespaceIndexFunc}
	switch k.GroupKind() {
	case view.Pods.GroupKind():
		in[byLabel] = indexed(labelKeys)
		if c.pods != nil {
			in[c.pods.name] = indexed(c.pods.keys)
		}
		if c.ownsPods {
			in[byOwner] = indexed(owners)
		}
	case view.Events.GroupKind():
		in[byInvolved] = indexed(involved)
	}
	return in
}

func indexed(keys func(metav1.Object) []string) cache.IndexFunc {
	return func(obj any) ([]string, error) {
		m, ok := obj.(metav1.Object)
		if !ok {
			return nil, fmt.Errorf("%T has no metadata", obj)
		}
		return keys(m), nil
	}
}

// owners are the UIDs of all owners; those without a controller are also
// indexed as orphans of their namespace.
func owners(obj metav1.Object) []string {
	var keys []string
	for _, ref := range obj.GetOwnerReferences() {
		keys = append(keys, string(ref.UID))
	}
	if metav1.GetControllerOfNoCopy(obj) == nil {
		keys = append(keys, orphansOf(obj.GetNamespace()))
	}
	return keys
}

func orphansOf(namespace string) string { return "orphans of " + namespace }

func labelKeys(obj metav1.Object) []string {
	keys := make([]string, 0, len(obj.GetLabels()))
	for k, v := range obj.GetLabels() {
		keys = append(keys, labelKey(obj.GetNamespace(), k, v))
	}
	return keys
}

func labelKey(namespace, k, v string) string { return namespace + "/" + k + "=" + v }

func involved(obj metav1.Object) []string {
	e, ok := obj.(*corev1.Event)
	if !ok {
		return nil
	}
	return []string{e.Namespace + "/" + e.InvolvedObject.Kind + "/" + e.InvolvedObject.Name}
}

// owned lists the Pods whose controller or owner is the subject, and the orphans of its
// namespace.
func (c *cluster) owned(k view.Kind, namespace string, about subject) []metav1.Object {
	if x := about.pods; x != nil {
		ref := &metav1.OwnerReference{Kind: about.kind.Kind, Name: about.Object.GetName(), UID: about.Object.GetUID()}
		return slices.Concat(c.by(k, x.name, x.key(namespace, ref)), c.by(k, x.name, x.key(namespace, nil)))
	}
	return slices.Concat(c.by(k, byOwner, string(about.Object.GetUID())), c.by(k, byOwner, orphansOf(namespace)))
}
