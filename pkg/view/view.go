package view

import (
	"slices"
	"sort"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/utils/ptr"
)

// View is an immutable set of objects at one instant.
type View struct {
	now time.Time
	// read is what ReadAt returns, zero for now.
	read     time.Time
	stores   map[schema.GroupKind]*store
	coverage map[schema.GroupKind][]Read
	// closed Views were told what was read; open ones hold whatever their
	// files held, and take a kind as read when an object of it is there.
	closed bool
	// fromFiles: it holds what files happened to hold, though it is closed.
	fromFiles bool
	// hypothetical Views hold objects that are not in the cluster; whatIf ones
	// were asked for by a user.
	hypothetical, whatIf bool
	// closely: the question is about one object.
	closely bool
	// under is the View that was read, of one with objects laid over it.
	under *View
	// demands are of other objects of the change that is laid over it.
	demands []Demand
	notes   []Note
	derived *derived
	carried carried
}

// Read is a Need that was tried. Err is nil when its objects are in the View.
type Read struct {
	Need
	Err error
}

// Note is a remark of the View's source that belongs on every answer, such as
// where now was taken from.
type Note struct {
	Code    string
	Message string
	// Partial is true for what was not read and could change the answer.
	Partial bool
	// Absent is the kind of which the input holds no object, for a note about that alone,
	// and Effect what is not known without it.
	Absent, Effect string
	// Explains: that could only explain the answer, not change it.
	Explains bool
}

// LeftOut stands in a snapshot for the value of an annotation that is not kept.
const LeftOut = "left out"

// Now is the instant that ages are measured at.
func (v *View) Now() time.Time { return v.now }

// Hypothetical reports whether objects were laid over what was read: by a what-if,
// or by what a controller is predicted to write.
func (v *View) Hypothetical() bool { return v.hypothetical }

// WhatIf reports whether a user asked what would follow from a change.
func (v *View) WhatIf() bool { return v.whatIf }

// AsWhatIf is the View as that of a what-if. Those that are made from it are as well.
func (v *View) AsWhatIf() *View {
	over := *v
	over.whatIf = true
	return &over
}

// Closely reports whether the question is about one object, so that it is worth a read
// that of many would cost too much.
func (v *View) Closely() bool { return v.closely }

// LookedAtClosely is the View for a question about one object.
func (v *View) LookedAtClosely() *View {
	over := *v
	over.closely = true
	return &over
}

// Vouches reports whether the source said that it read the kind. Plain files hold
// what they happen to hold, unless an empty list says that there is no more.
//
//go:noinline // it is called at many places
func (v *View) Vouches(k Kind) bool {
	return v.closed || len(v.coverage[k.GroupKind()]) > 0
}

// FromFiles reports whether the source holds what files happened to hold, as a snapshot of
// them does.
func (v *View) FromFiles() bool { return !v.closed || v.fromFiles }

// Absent reports whether the one object of a need is not there though its kind was read.
// That is certain unless files hold others, which may lack it.
func (v *View) Absent(need Need) (absent, certain bool) {
	_, held := v.Held(need.Kind, need.Namespace, need.Name)
	return need.Name != "" && !held && v.Knows(need), v.Vouches(need.Kind) && !v.fromFiles
}

// Notes are the source's remarks.
func (v *View) Notes() []Note { return v.notes }

// Builder collects objects for a View. It is not safe for concurrent use.
type Builder struct{ v *View }

// NewBuilder starts a View that knows exactly what was read into it; see Reads.
func NewBuilder(now time.Time) *Builder {
	return &Builder{&View{now: now.UTC(), closed: true, stores: map[schema.GroupKind]*store{}, coverage: map[schema.GroupKind][]Read{}, derived: newDerived()}}
}

// NewOpenBuilder starts a View over files of unknown completeness.
func NewOpenBuilder(now time.Time) *Builder {
	b := NewBuilder(now)
	b.v.closed = false
	return b
}

// Add puts an object into the View. A full object replaces metadata of the
// same object, never the other way round; among full ones the last wins.
func (b *Builder) Add(k Kind, obj metav1.Object) {
	s := b.v.store(k.GroupKind())
	s.kind = k
	s.add(obj)
}

// AddOrdered puts all objects of a kind into the View: each once, ordered by
// namespace and name. It takes less memory than to Add them one by one.
func (b *Builder) AddOrdered(k Kind, objs []metav1.Object) {
	b.v.stores[k.GroupKind()] = &store{kind: k, ordered: objs}
}

// Reads records that need was tried, with the error it met, if any.
func (b *Builder) Reads(need Need, err error) {
	gk := need.Kind.GroupKind()
	b.v.coverage[gk] = append(b.v.coverage[gk], Read{need, err})
}

// Note adds a remark for every answer.
func (b *Builder) Note(code, message string) {
	b.v.notes = append(b.v.notes, Note{Code: code, Message: message})
}

// FromFiles says that what was read are files, which may lack objects.
func (b *Builder) FromFiles(is bool) { b.v.fromFiles = is }

// View freezes what was collected. The Builder must not be used afterwards.
func (b *Builder) View() *View { return b.v }

func (v *View) store(gk schema.GroupKind) *store {
	s, ok := v.stores[gk]
	if !ok {
		s = newStore()
		v.stores[gk] = s
	}
	return s
}

// With lays objects over the View: each replaces the one of its name or is
// added. The underlying View stays as it is.
//
//go:noinline // it is called at many places
func (v *View) With(k Kind, objs ...metav1.Object) *View {
	return v.Changed(k, objs, nil)
}

// All returns every object of a kind, ordered by namespace and name.
func (v *View) All(k Kind) []metav1.Object { return decoded(v.AllMetadata(k)) }

// AllMetadata is All for those who look at metadata alone.
func (v *View) AllMetadata(k Kind) []metav1.Object {
	s, ok := v.stores[k.GroupKind()]
	if !ok {
		return nil
	}
	return s.index().all
}

// shortNames are those of the kinds of Kubernetes that no View holds whole, which a server
// tells and files do not (ShortNames of pkg/registry/*/storage, v1.37.1).
var shortNames = map[string]string{
	"configmaps": "cm", "endpoints": "ep", "serviceaccounts": "sa", "services": "svc",
	"certificatesigningrequests.certificates.k8s.io": "csr", "cronjobs.batch": "cj",
	"customresourcedefinitions.apiextensions.k8s.io": "crd crds", "ingresses.networking.k8s.io": "ing",
	"networkpolicies.networking.k8s.io": "netpol", "poddisruptionbudgets.policy": "pdb",
	"priorityclasses.scheduling.k8s.io": "pc", "storageclasses.storage.k8s.io": "sc",
}

// Others lists the kinds besides Kinds that the View holds objects of.
func (v *View) Others() []Kind {
	var all []Kind
	for gk, s := range v.stores {
		if !slices.ContainsFunc(Kinds(), func(k Kind) bool { return k.GroupKind() == gk }) && s.size() > 0 {
			k := s.kind
			k.Short = strings.Fields(shortNames[k.GroupResource()])
			all = append(all, k)
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].GroupResource() < all[j].GroupResource() })
	return all
}

// Copy is a deep copy of a whole object; obj itself where its type has none.
func Copy(obj metav1.Object) metav1.Object {
	obj = Decoded(obj)
	o, ok := obj.(runtime.Object)
	if !ok {
		return obj
	}
	c, ok := o.DeepCopyObject().(metav1.Object)
	if !ok {
		return obj
	}
	return c
}

// SameReference reports whether two owner references say the same, as reflect.DeepEqual
// does, and many times as fast.
func SameReference(a, b metav1.OwnerReference) bool {
	return a.UID == b.UID && a.Name == b.Name && a.Kind == b.Kind && a.APIVersion == b.APIVersion &&
		ptr.Equal(a.Controller, b.Controller) && ptr.Equal(a.BlockOwnerDeletion, b.BlockOwnerDeletion)
}

// Meta is obj's metadata, or nil when it has none.
func Meta(obj runtime.Object) metav1.Object {
	m, err := meta.Accessor(obj)
	if err != nil {
		return nil
	}
	return m
}
