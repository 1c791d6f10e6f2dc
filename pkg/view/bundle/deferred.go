package bundle

import (
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// deferred is an object of an input that holds many: what is asked of many
// objects, and its JSON, from which all else is decoded when somebody asks for
// it. That it decodes was seen when it was read.
type deferred struct {
	unwritten
	of *collection
	// raw is the object's JSON. name and uid are parts of it.
	raw, name string
	uid       types.UID
	// labels are nil where the JSON has them; see labelsInRaw.
	labels  map[string]string
	owners  []metav1.OwnerReference
	deleted *metav1.Time
	has     traits
	// weight is about what the whole takes.
	weight uint32
	whole  atomic.Pointer[reference]
}

var _ view.Deferred = (*deferred)(nil)

// collection is what objects of one kind in one namespace have in common.
type collection struct {
	kind      *view.Kind
	namespace string
	recent    *recent
}

// traits are what is known of the metadata that an object does not hold decoded.
type traits uint8

const (
	// What is in raw is the first member of its name in the JSON, and needs no
	// unquoting.
	labelsInRaw traits = 1 << iota
	annotationsInRaw
	generateNameInRaw
	annotations
	generateName
	finalizers
)

func (t traits) any(of traits) bool { return t&of != 0 }

// Weight is about how many bytes the whole object takes.
func (d *deferred) Weight() int { return int(d.weight) }

// Decoded decodes the object unless somebody has it.
func (d *deferred) Decoded() metav1.Object {
	known := d.whole.Load()
	if whole := known.object(); whole != nil {
		return whole
	}
	o, err := piece{raw: []byte(d.raw)}.decode(*d.of.kind)
	if err != nil {
		panic(err) // a programming error: it decoded before
	}
	d.lend(o.Obj)
	next := referTo(o.Obj)
	for !d.whole.CompareAndSwap(known, next) {
		known = d.whole.Load()
		if whole := known.object(); whole != nil {
			return whole // of somebody who asked at the same time
		}
	}
	d.of.recent.keep(o.Obj, d.Weight())
	return o.Obj
}

// lend lets the whole object have the metadata that is here, which others share.
func (d *deferred) lend(whole metav1.Object) {
	typed, ok := whole.(metav1.ObjectMetaAccessor)
	if !ok {
		return
	}
	meta := typed.GetObjectMeta().(*metav1.ObjectMeta)
	meta.Namespace, meta.Name, meta.UID, meta.OwnerReferences = d.of.namespace, d.name, d.uid, d.owners
	if d.labels != nil {
		meta.Labels = d.labels
	}
}

// metadata decodes all metadata. No question about metadata asks for managed fields.
func (d *deferred) metadata() metav1.ObjectMeta {
	var o struct {
		metav1.ObjectMeta `json:"metadata"`
	}
	if err := utiljson.Unmarshal([]byte(d.raw), &o); err != nil {
		panic(err) // a programming error: it decoded before
	}
	o.ManagedFields = nil
	return o.ObjectMeta
}

func (d *deferred) GetNamespace() string                          { return d.of.namespace }
func (d *deferred) GetName() string                               { return d.name }
func (d *deferred) GetUID() types.UID                             { return d.uid }
func (d *deferred) GetOwnerReferences() []metav1.OwnerReference   { return d.owners }
func (d *deferred) GetDeletionTimestamp() *metav1.Time            { return d.deleted }
func (d *deferred) GetManagedFields() []metav1.ManagedFieldsEntry { return nil }
func (d *deferred) GetResourceVersion() string                    { return d.metadata().ResourceVersion }
func (d *deferred) GetGeneration() int64                          { return d.metadata().Generation }
func (d *deferred) GetCreationTimestamp() metav1.Time             { return d.metadata().CreationTimestamp }
func (d *deferred) GetSelfLink() string {
	m := d.metadata()
	return m.GetSelfLink()
}
func (d *deferred) GetDeletionGracePeriodSeconds() *int64 {
	return d.metadata().DeletionGracePeriodSeconds
}

func (d *deferred) GetLabels() map[string]string {
	if d.has.any(labelsInRaw) {
		found, _ := textsOf(d.raw, "labels")
		return found
	}
	return d.labels
}

func (d *deferred) GetAnnotations() map[string]string {
	switch {
	case d.has.any(annotationsInRaw):
		found, _ := textsOf(d.raw, "annotations")
		return found
	case d.has.any(annotations):
		return d.metadata().Annotations
	}
	return nil
}

func (d *deferred) GetGenerateName() string {
	switch {
	case d.has.any(generateNameInRaw):
		found, _ := textOf(d.raw, "generateName")
		return found
	case d.has.any(generateName):
		return d.metadata().GenerateName
	}
	return ""
}

func (d *deferred) GetFinalizers() []string {
	if d.has.any(finalizers) {
		return d.metadata().Finalizers
	}
	return nil
}

// unwritten are the methods of a metav1.Object that a View's objects don't have:
// who wants to change one changes a copy of the whole.
type unwritten struct{}

const notWritten = "objects of a View are not written to: change a view.Copy"

func (unwritten) SetNamespace(string)                          { panic(notWritten) }
func (unwritten) SetName(string)                               { panic(notWritten) }
func (unwritten) SetGenerateName(string)                       { panic(notWritten) }
func (unwritten) SetUID(types.UID)                             { panic(notWritten) }
func (unwritten) SetResourceVersion(string)                    { panic(notWritten) }
func (unwritten) SetGeneration(int64)                          { panic(notWritten) }
func (unwritten) SetSelfLink(string)                           { panic(notWritten) }
func (unwritten) SetCreationTimestamp(metav1.Time)             { panic(notWritten) }
func (unwritten) SetDeletionTimestamp(*metav1.Time)            { panic(notWritten) }
func (unwritten) SetDeletionGracePeriodSeconds(*int64)         { panic(notWritten) }
func (unwritten) SetLabels(map[string]string)                  { panic(notWritten) }
func (unwritten) SetAnnotations(map[string]string)             { panic(notWritten) }
func (unwritten) SetFinalizers([]string)                       { panic(notWritten) }
func (unwritten) SetOwnerReferences([]metav1.OwnerReference)   { panic(notWritten) }
func (unwritten) SetManagedFields([]metav1.ManagedFieldsEntry) { panic(notWritten) }
