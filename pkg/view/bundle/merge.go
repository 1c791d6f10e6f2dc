package bundle

import (
	"fmt"

	apiequality "k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/resourceversion"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// key identifies an object across files.
type key struct {
	kind            schema.GroupKind
	namespace, name string
}

// objects holds each object once, in the order of the files.
type objects struct {
	all   []Object
	byKey map[key]int
	// differing counts the objects that were there twice and not the same;
	// example tells one of them.
	differing int
	example   string
}

func newObjects() objects { return objects{byKey: map[key]int{}} }

func (os *objects) none() bool { return len(os.all) == 0 }

// add keeps the newer one of two states of an object.
func (os *objects) add(o Object) {
	k := key{o.Kind.GroupKind(), o.Obj.GetNamespace(), o.Obj.GetName()}
	i, have := os.byKey[k]
	if !have {
		os.byKey[k] = len(os.all)
		os.all = append(os.all, o)
		return
	}
	old := os.all[i]
	if !apiequality.Semantic.DeepEqual(old.Obj, o.Obj) {
		if os.differing++; os.differing == 1 {
			os.example = fmt.Sprintf("%s at %s and %s", o.ref(), old.place(), o.place())
		}
	}
	if !newer(old.Obj, o.Obj) {
		os.all[i] = o
	}
}

// newer tells whether a has a higher resourceVersion than b. Versions that
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

// holds tells whether the named object of a need is there in enough detail.
func (os *objects) holds(n view.Need) bool {
	i, have := os.byKey[key{n.Kind.GroupKind(), n.Namespace, n.Name}]
	return have && (n.Detail == view.Metadata || full(os.all[i].Obj))
}

// full tells a whole object from its bare metadata.
func full(obj metav1.Object) bool {
	_, partial := obj.(*metav1.PartialObjectMetadata)
	return !partial
}
