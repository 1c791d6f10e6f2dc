package lineage

import (
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Checker checks owner references against a View.
type Checker struct {
	r     *view.Reader
	kinds Kinds
	// wide is the namespace whose owners are read all at once, nil to read
	// each by its name.
	wide   *string
	tables map[tableKey]*table
}

type tableKey struct {
	kind            schema.GroupKind
	namespace, name string
}

// table holds the objects of one kind.
type table struct {
	err    error
	byName map[types.NamespacedName]metav1.Object
	byUID  map[types.UID]metav1.Object
}

// newChecker reads each owner by its name.
func newChecker(r *view.Reader, kinds Kinds) *Checker {
	return &Checker{r: r, kinds: kinds, tables: map[tableKey]*table{}}
}

// NewChecker does so for owners of the kinds that a View has objects of.
//
//go:noinline // it is called at many places
func NewChecker(r *view.Reader) *Checker { return newChecker(r, HeldIn(r.View)) }

// NewWideChecker reads owners of the kinds that a View holds all at once: those
// of a namespace, or of all.
func NewWideChecker(r *view.Reader, kinds Kinds, namespace string) *Checker {
	c := newChecker(r, kinds)
	c.wide = &namespace
	return c
}

// Links checks every owner reference of obj.
func (c *Checker) Links(obj metav1.Object) []Link {
	var links []Link
	for _, ref := range obj.GetOwnerReferences() {
		links = append(links, c.link(obj, ref))
	}
	return links
}

func (c *Checker) link(obj metav1.Object, ref metav1.OwnerReference) Link {
	l := Link{
		Owner:      decision.Ref{APIVersion: ref.APIVersion, Kind: ref.Kind, Namespace: obj.GetNamespace(), Name: ref.Name, UID: string(ref.UID)},
		Controller: ptr.Deref(ref.Controller, false), Blocks: ptr.Deref(ref.BlockOwnerDeletion, false),
	}
	kind, err := c.kinds(ref.APIVersion, ref.Kind)
	if !kind.Namespaced && err == nil {
		l.Owner.Namespace = ""
	}
	switch {
	case errors.Is(err, ErrNotServed):
		l.State, l.Ruling = Unsettled, decision.Ruled(KindNotServed, decision.F(keyKind, ref.APIVersion+" "+ref.Kind))
	case err != nil:
		l.State, l.Ruling = Unread, decision.Ruled(OwnerNotRead, decision.F(keyError, err.Error()))
	case kind.Namespaced && obj.GetNamespace() == "":
		l.State, l.Ruling = Unsettled, decision.Ruled(NamespacedOwner, decision.F(keyKind, ref.Kind))
	default:
		c.resolve(&l, kind)
	}
	return l
}

// resolve mirrors the second half of isDangling: the owner is looked up by
// name, and its UID compared.
func (c *Checker) resolve(l *Link, kind view.Kind) {
	t := c.lookUp(kind, l.Owner)
	owner := t.byName[types.NamespacedName{Namespace: l.Owner.Namespace, Name: l.Owner.Name}]
	switch {
	case t.err != nil:
		l.State, l.Ruling = Unread, decision.Ruled(OwnerNotRead, decision.F(keyError, t.err.Error()))
	case owner == nil:
		l.State, l.Ruling = Dangling, c.absent(l.Owner, kind, t)
	case string(owner.GetUID()) != l.Owner.UID:
		l.State, l.Ruling = Dangling, decision.Ruled(OwnerReplaced, decision.At(keyHas, string(owner.GetUID()), "metadata.uid"), decision.At(keySays, l.Owner.UID, "metadata.ownerReferences"))
	default:
		found(l, owner)
	}
}

// absent says why an owner is not found. Files may hold some objects of its kind, and not
// all.
func (c *Checker) absent(owner decision.Ref, kind view.Kind, t *table) decision.Ruling {
	if elsewhere := t.byUID[types.UID(owner.UID)]; elsewhere != nil && elsewhere.GetNamespace() != owner.Namespace {
		return decision.Ruled(OwnerElsewhere, decision.F(keyNamespace, elsewhere.GetNamespace()))
	}
	if !c.r.Vouches(kind) {
		return decision.Ruled(OwnerAbsent, decision.F(keyInput, "partial"))
	}
	return decision.Ruled(OwnerAbsent)
}

func found(l *Link, owner metav1.Object) {
	l.owner = owner
	l.OwnerDeleting = owner.GetDeletionTimestamp() != nil
	l.State, l.Ruling = Solid, decision.Ruled(OwnerFound)
	switch {
	case Orphaning(owner):
		l.Ruling = decision.Ruled(OwnerOrphans)
	case DeletesDependents(owner):
		l.State, l.Ruling = Waiting, decision.Ruled(OwnerWaits)
	}
}

// lookUp reads the table that the owner would be in.
func (c *Checker) lookUp(kind view.Kind, owner decision.Ref) *table {
	need := view.Need{Kind: kind, Namespace: owner.Namespace, Name: owner.Name, IfMissing: "whether an owner exists is not known"}
	if c.wide != nil && held(kind) && kind.Namespaced {
		need.Namespace, need.Name = *c.wide, ""
	}
	id := tableKey{kind.GroupKind(), need.Namespace, need.Name}
	if c.tables[id] == nil {
		c.tables[id] = c.read(need)
	}
	if t := c.tables[id]; !view.NotCaptured(t.err) {
		return t
	}
	if obj, held := c.r.Held(kind, owner.Namespace, owner.Name); held { // without the others of its kind
		return newTable([]metav1.Object{obj})
	}
	return c.tables[id]
}

func held(kind view.Kind) bool {
	_, err := Held(kind.GroupVersion().String(), kind.Kind)
	return err == nil
}

func (c *Checker) read(need view.Need) *table {
	if need.Name == "" {
		t := newTable(c.r.Objects(need))
		t.err = c.r.Err(need)
		return t
	}
	obj, err := c.r.Object(need)
	switch {
	case err != nil:
		return &table{err: err}
	case obj == nil:
		return newTable(nil)
	}
	return newTable([]metav1.Object{obj})
}

func newTable(objs []metav1.Object) *table {
	t := &table{}
	t.byName, t.byUID = make(map[types.NamespacedName]metav1.Object, len(objs)), make(map[types.UID]metav1.Object, len(objs))
	for _, obj := range objs {
		t.byName[types.NamespacedName{Namespace: obj.GetNamespace(), Name: obj.GetName()}] = obj
		t.byUID[obj.GetUID()] = obj
	}
	return t
}
