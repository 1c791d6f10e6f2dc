package bundle

import (
	"cmp"
	"fmt"
	"slices"

	apiequality "k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/resourceversion"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// found is an object with the place it was found at, which is kept for messages.
type found struct {
	Obj  metav1.Object
	kind *view.Kind
	File string
	Line int32
}

func (f found) ref() string { return ref(f.kind.Kind, f.Obj.GetNamespace(), f.Obj.GetName()) }

func (f found) place() string { return fmt.Sprintf("%s:%d", f.File, f.Line) }

// objects holds the objects of all files, once settled each once.
type objects struct {
	// all are in the order of the files; ordered are those of each kind by
	// namespace and name.
	all     []found
	ordered map[schema.GroupKind]ordered
	// differing counts the objects that were there twice and not the same;
	// example tells one of them.
	differing int
	example   string
}

// ordered are the objects of a kind by namespace and name.
type ordered struct {
	kind view.Kind
	objs []metav1.Object
}

func (os *objects) none() bool { return len(os.all) == 0 }

func (os *objects) add(kind *view.Kind, o Object) {
	os.all = append(os.all, found{o.Obj, kind, o.File, int32(o.Line)})
}

// settle orders the objects and leaves each in once.
func (os *objects) settle() {
	byName := make([]int, len(os.all))
	for i := range byName {
		byName[i] = i
	}
	slices.SortStableFunc(byName, func(i, j int) int { return compareFound(os.all[i], os.all[j]) })
	os.ordered = map[schema.GroupKind]ordered{}
	for len(byName) > 0 {
		n := 1
		for n < len(byName) && compareFound(os.all[byName[0]], os.all[byName[n]]) == 0 {
			n++
		}
		os.keep(os.choose(byName[:n]))
		byName = byName[n:]
	}
	os.all = slices.DeleteFunc(os.all, func(f found) bool { return f.Obj == nil })
}

func (os *objects) keep(f found) {
	gk := f.kind.GroupKind()
	os.ordered[gk] = ordered{*f.kind, append(os.ordered[gk].objs, f.Obj)}
}

// choose leaves in the newest of the states of one object.
func (os *objects) choose(states []int) found {
	best := states[0]
	for _, i := range states[1:] {
		old, o := os.all[best], os.all[i]
		if !same(old.Obj, o.Obj) {
			if os.differing++; os.differing == 1 {
				os.example = fmt.Sprintf("%s at %s and %s", o.ref(), old.place(), o.place())
			}
		}
		if newer(old.Obj, o.Obj) {
			os.all[i].Obj = nil
		} else {
			os.all[best].Obj = nil
			best = i
		}
	}
	return os.all[best]
}

func compareFound(a, b found) int {
	return cmp.Or(cmp.Compare(a.kind.Kind, b.kind.Kind), cmp.Compare(a.kind.Group, b.kind.Group), compareNames(a.Obj, b.Obj))
}

func compareNames(a, b metav1.Object) int {
	return cmp.Or(cmp.Compare(a.GetNamespace(), b.GetNamespace()), cmp.Compare(a.GetName(), b.GetName()))
}

// same reports whether two objects are equal.
func same(a, b metav1.Object) bool {
	if a, ok := a.(*deferred); ok {
		if b, ok := b.(*deferred); ok && a.raw == b.raw {
			return true
		}
	}
	return apiequality.Semantic.DeepEqual(view.Decoded(a), view.Decoded(b))
}

// newer reports whether a has a higher resourceVersion than b. Versions that
// cannot be compared are equal.
func newer(a, b metav1.Object) bool {
	order, err := resourceversion.CompareResourceVersion(a.GetResourceVersion(), b.GetResourceVersion())
	return err == nil && order > 0
}

// notes says which objects were there in more than one state.
func (os *objects) notes() []view.Note {
	if os.differing == 0 {
		return nil
	}
	count := "1 object is"
	if os.differing > 1 {
		count = fmt.Sprintf("%d objects are", os.differing)
	}
	return []view.Note{{Code: "Duplicates", Message: fmt.Sprintf(
		"%s in the input in different states, such as %s; the highest resourceVersion counts, else the last", count, os.example)}}
}

// holds reports whether the named object of a need is there in enough detail.
func (os *objects) holds(n view.Need) bool {
	objs := os.ordered[n.Kind.GroupKind()].objs
	i, have := slices.BinarySearchFunc(objs, &metav1.ObjectMeta{Namespace: n.Namespace, Name: n.Name},
		func(a metav1.Object, b *metav1.ObjectMeta) int { return compareNames(a, b) })
	return have && (n.Detail == view.Metadata || full(objs[i]))
}

// full tells a whole object from its bare metadata.
func full(obj metav1.Object) bool {
	_, partial := obj.(*metav1.PartialObjectMetadata)
	return !partial
}
