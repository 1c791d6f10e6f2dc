package bundle

import (
	"hash/maphash"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// maxShared bounds how many sets of labels, and how many lists of owners, are
// looked for among the objects that were read before.
const maxShared = 1 << 14

// deferrer makes deferred objects, which share what they have in common.
type deferrer struct {
	arena arena
	// last is what the object before had.
	last struct {
		of     *collection
		labels map[string]string
		owners []metav1.OwnerReference
	}
	// labels are sets by their hash, owners lists by the first UID.
	seed   maphash.Seed
	labels map[uint64]map[string]string
	owners map[types.UID][]metav1.OwnerReference
	flags  map[bool]*bool
	recent *recent
}

func newDeferrer() deferrer {
	f := deferrer{
		seed: maphash.MakeSeed(), labels: map[uint64]map[string]string{}, owners: map[types.UID][]metav1.OwnerReference{},
		recent: &recent{}, flags: map[bool]*bool{true: new(true), false: new(false)},
	}
	f.last.of = &collection{}
	return f
}

// deferred is obj, which was decoded from raw, without most of it. What has
// metadata of another form stays as it is.
func (f *deferrer) deferred(kind *view.Kind, obj metav1.Object, raw []byte) metav1.Object {
	var meta struct {
		metav1.ObjectMeta `json:"metadata"`
	}
	if typed, ok := obj.(metav1.ObjectMetaAccessor); ok {
		meta.ObjectMeta = *typed.GetObjectMeta().(*metav1.ObjectMeta)
	} else if utiljson.Unmarshal(raw, &meta) != nil {
		return obj
	}
	d := &deferred{weight: uint32(weight(raw)), raw: f.arena.keep(raw), of: f.collection(kind, meta.Namespace), deleted: meta.DeletionTimestamp}
	d.name, d.uid = part(d.raw, meta.Name), types.UID(part(d.raw, string(meta.UID)))
	d.owners = f.shareOwners(meta.OwnerReferences, d.raw)
	f.label(d, meta.Labels)
	d.has |= traitsOf(&meta.ObjectMeta, d.raw)
	f.last.of, f.last.owners = d.of, d.owners
	return d
}

func (f *deferrer) collection(kind *view.Kind, namespace string) *collection {
	if last := f.last.of; last.kind == kind && last.namespace == namespace {
		return last
	}
	return &collection{kind, namespace, f.recent}
}

// label gives d its labels: those of another object, where there is an equal set
// of few, or those of its JSON.
func (f *deferrer) label(d *deferred, set map[string]string) {
	if maps.Equal(set, f.last.labels) {
		d.labels = f.last.labels
		return
	}
	f.last.labels = set
	hash := f.hash(set)
	switch held, have := f.labels[hash]; {
	case have && maps.Equal(set, held):
		d.labels, f.last.labels = held, held
	case !have && len(f.labels) < maxShared:
		d.labels, f.labels[hash] = set, set
	case inRaw(d.raw, "labels", set):
		d.has |= labelsInRaw
	default:
		d.labels = set
	}
}

// hash is the same for equal sets, in whatever order.
func (f *deferrer) hash(set map[string]string) uint64 {
	var sum uint64
	for key, value := range set {
		sum += maphash.String(f.seed, key)*3 + maphash.String(f.seed, value)
	}
	return sum
}

// shareOwners are the references of another object where it has equal ones.
func (f *deferrer) shareOwners(refs []metav1.OwnerReference, raw string) []metav1.OwnerReference {
	if len(refs) == 0 {
		return nil
	}
	if slices.EqualFunc(refs, f.last.owners, view.SameReference) {
		return f.last.owners
	}
	held, have := f.owners[refs[0].UID]
	if have && slices.EqualFunc(refs, held, view.SameReference) {
		return held
	}
	for i := range refs {
		f.shareReference(&refs[i], raw)
	}
	if !have && len(f.owners) < maxShared {
		f.owners[refs[0].UID] = refs
	}
	return refs
}

// shareReference lets a reference have what it can of the one before it and of its
// object's JSON.
func (f *deferrer) shareReference(ref *metav1.OwnerReference, raw string) {
	ref.APIVersion, ref.Kind = part(raw, ref.APIVersion), part(raw, ref.Kind)
	ref.Name, ref.UID = part(raw, ref.Name), types.UID(part(raw, string(ref.UID)))
	for _, flag := range []**bool{&ref.Controller, &ref.BlockOwnerDeletion} {
		if *flag != nil {
			*flag = f.flags[**flag]
		}
	}
}

// traitsOf says which metadata there is beside what is held decoded.
func traitsOf(meta *metav1.ObjectMeta, raw string) (has traits) {
	if len(meta.Annotations) > 0 {
		has |= annotations
		if inRaw(raw, "annotations", meta.Annotations) {
			has |= annotationsInRaw
		}
	}
	if meta.GenerateName != "" {
		has |= generateName
		if found, ok := textOf(raw, "generateName"); ok && found == meta.GenerateName {
			has |= generateNameInRaw
		}
	}
	if len(meta.Finalizers) > 0 {
		has |= finalizers
	}
	return has
}

// inRaw reports whether textsOf finds a set in compact JSON.
func inRaw(raw, name string, set map[string]string) bool {
	found, ok := textsOf(raw, name)
	return ok && maps.Equal(found, set)
}
