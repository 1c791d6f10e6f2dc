package trace

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/selection"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// The indexes of a store.
const (
	byNamespace = "namespace"
	byOwner     = "owner"
	byLabel     = "label"
	byInvolved  = "involved"
)

// cluster is what the informers have told so far, in client-go's stores.
type cluster struct {
	stores map[schema.GroupKind]cache.Indexer
	// failed are the needs that are not read, by feedKey, and why.
	failed map[string]error
}

func newCluster() *cluster {
	return &cluster{stores: map[schema.GroupKind]cache.Indexer{}, failed: map[string]error{}}
}

// store is that of a kind; it is made when it is first asked for.
func (c *cluster) store(k view.Kind) cache.Indexer {
	gk := k.GroupKind()
	if s, ok := c.stores[gk]; ok {
		return s
	}
	s := cache.NewIndexer(cache.MetaNamespaceKeyFunc, indexers(k))
	c.stores[gk] = s
	return s
}

func indexers(k view.Kind) cache.Indexers {
	in := cache.Indexers{byNamespace: cache.MetaNamespaceIndexFunc}
	switch k.GroupKind() {
	case view.Pods.GroupKind():
		in[byOwner], in[byLabel] = indexed(owners), indexed(labelKeys)
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

// apply takes a delta into the store and returns the state before it.
func (c *cluster) apply(d Delta) (was metav1.Object) {
	s := c.store(d.Kind)
	was, _ = c.Get(d.Kind, d.Object.GetNamespace(), d.Object.GetName())
	if d.Type == cache.Deleted {
		_ = s.Delete(d.Object)
		return was
	}
	_ = s.Update(d.Object) // its errors are those of the key function, which has none here
	return was
}

// Get finds an object by name.
func (c *cluster) Get(k view.Kind, namespace, name string) (metav1.Object, bool) {
	key := name
	if namespace != "" {
		key = namespace + "/" + name
	}
	obj, ok, err := c.store(k).GetByKey(key)
	if !ok || err != nil {
		return nil, false
	}
	m, ok := obj.(metav1.Object)
	return m, ok
}

// In lists the objects of a kind in a namespace, of all when it is empty.
func (c *cluster) In(k view.Kind, namespace string) []metav1.Object {
	if namespace == "" {
		return metas(c.store(k).List())
	}
	return c.by(k, byNamespace, namespace)
}

func (c *cluster) by(k view.Kind, index, key string) []metav1.Object {
	found, err := c.store(k).ByIndex(index, key)
	if err != nil {
		return nil
	}
	return metas(found)
}

func metas(all []any) []metav1.Object {
	out := make([]metav1.Object, 0, len(all))
	for _, obj := range all {
		if m, ok := obj.(metav1.Object); ok {
			out = append(out, m)
		}
	}
	return out
}

// selected lists the pods of a namespace that a selector matches, from the
// smallest index that its terms have.
func (c *cluster) selected(k view.Kind, namespace string, sel labels.Selector) []metav1.Object {
	var out []metav1.Object
	for _, obj := range c.candidates(k, namespace, sel) {
		if sel.Matches(labels.Set(obj.GetLabels())) {
			out = append(out, obj)
		}
	}
	return out
}

// equals are the operators by which a term can name one value.
var equals = map[selection.Operator]bool{selection.Equals: true, selection.DoubleEquals: true, selection.In: true}

func (c *cluster) candidates(k view.Kind, namespace string, sel labels.Selector) []metav1.Object {
	if k.GroupKind() != view.Pods.GroupKind() || namespace == "" {
		return c.In(k, namespace)
	}
	requirements, _ := sel.Requirements()
	if len(requirements) == 1 {
		if value, single := requirements[0].Values().PopAny(); single && requirements[0].Operator() == selection.Equals {
			return c.by(k, byLabel, labelKey(namespace, requirements[0].Key(), value))
		}
	}
	best, found := []string(nil), false
	for _, r := range requirements {
		value, single := r.Values().PopAny()
		if !single || len(r.Values()) != 1 || !equals[r.Operator()] {
			continue
		}
		keys, err := c.store(k).IndexKeys(byLabel, labelKey(namespace, r.Key(), value))
		if err == nil && (!found || len(keys) < len(best)) {
			best, found = keys, true
		}
	}
	if !found {
		return c.In(k, namespace)
	}
	out := make([]metav1.Object, 0, len(best))
	for _, key := range best {
		if obj, ok, _ := c.store(k).GetByKey(key); ok {
			out = append(out, obj.(metav1.Object))
		}
	}
	return out
}

// owned lists what refers to the owner, and the orphans of its namespace.
func (c *cluster) owned(k view.Kind, namespace string, owner types.UID) []metav1.Object {
	return append(c.by(k, byOwner, string(owner)), c.by(k, byOwner, orphansOf(namespace))...)
}
