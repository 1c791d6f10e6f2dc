package bundle

import (
	"maps"
	"slices"
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// deferred is an object of an input that holds many: its metadata, and its JSON
// until somebody asks for the whole. That it decodes was seen when it was read.
type deferred struct {
	metav1.ObjectMeta
	kind  *view.Kind
	raw   []byte
	whole atomic.Pointer[metav1.Object]
}

var _ view.Deferred = (*deferred)(nil)

// Decoded decodes the object once.
func (d *deferred) Decoded() metav1.Object {
	if whole := d.whole.Load(); whole != nil {
		return *whole
	}
	o, err := piece{raw: d.raw}.decode(*d.kind)
	if err != nil {
		panic(err) // a programming error: it decoded before
	}
	d.lend(o.Obj)
	d.whole.CompareAndSwap(nil, &o.Obj)
	return *d.whole.Load()
}

// lend lets the whole object have the metadata that is here, which neighbours share.
func (d *deferred) lend(whole metav1.Object) {
	typed, ok := whole.(metav1.ObjectMetaAccessor)
	if !ok {
		return
	}
	meta := typed.GetObjectMeta().(*metav1.ObjectMeta)
	managed := meta.ManagedFields
	*meta = d.ObjectMeta
	meta.ManagedFields = managed
}

// deferrer makes deferred objects, which share what neighbours have in common.
type deferrer struct {
	arena arena
	last  metav1.ObjectMeta
}

// deferred is obj, which was decoded from raw, without what is not metadata.
// What has metadata of another form stays as it is.
func (f *deferrer) deferred(kind *view.Kind, obj metav1.Object, raw []byte) metav1.Object {
	var meta struct {
		metav1.ObjectMeta `json:"metadata"`
	}
	if typed, ok := obj.(metav1.ObjectMetaAccessor); ok {
		meta.ObjectMeta = *typed.GetObjectMeta().(*metav1.ObjectMeta)
	} else if utiljson.Unmarshal(raw, &meta) != nil {
		return obj
	}
	d := &deferred{ObjectMeta: meta.ObjectMeta, kind: kind, raw: f.arena.keep(raw)}
	d.ManagedFields = nil // no question about metadata asks for them
	f.share(&d.ObjectMeta)
	return d
}

// share lets m have what is equal in the object before it.
func (f *deferrer) share(m *metav1.ObjectMeta) {
	if m.Namespace == f.last.Namespace {
		m.Namespace = f.last.Namespace
	}
	if maps.Equal(m.Labels, f.last.Labels) {
		m.Labels = f.last.Labels
	}
	if maps.Equal(m.Annotations, f.last.Annotations) {
		m.Annotations = f.last.Annotations
	}
	if slices.EqualFunc(m.OwnerReferences, f.last.OwnerReferences, equalReference) {
		m.OwnerReferences = f.last.OwnerReferences
	}
	f.last = *m
}

func equalReference(a, b metav1.OwnerReference) bool {
	return a.UID == b.UID && a.Name == b.Name && a.Kind == b.Kind && a.APIVersion == b.APIVersion &&
		ptr.Equal(a.Controller, b.Controller) && ptr.Equal(a.BlockOwnerDeletion, b.BlockOwnerDeletion)
}
