package ownership

import (
	"cmp"
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Absent is a controller that files lack, and the objects in them that refer to
// it.
type Absent struct {
	Ref     decision.Ref
	Objects []metav1.Object
}

// AbsentControllers are the controllers of a kind to which objects of another
// kind refer in a namespace, and which the files lack. Where the source says what
// it read there are none: what it did not find is not there.
func AbsentControllers(r *view.Reader, k, of view.Kind, namespace string) []Absent {
	if r.Vouches(k) || r.Vouches(of) {
		return nil
	}
	type key struct{ kind, of, namespace string }
	return view.Derived(r.View, key{k.GroupResource(), of.GroupResource(), namespace}, func() []Absent {
		here, named := map[types.UID]bool{}, map[string]bool{}
		for _, o := range r.AllMetadata(k) {
			here[o.GetUID()] = true
			if o.GetNamespace() == namespace {
				named[o.GetName()] = true // what had its name before is gone
			}
		}
		absent := map[types.UID]*Absent{}
		for _, o := range r.AllMetadata(of) {
			ref := metav1.GetControllerOfNoCopy(o)
			if o.GetNamespace() != namespace || ref == nil || ref.Kind != k.Kind || ref.APIVersion != k.GroupVersion().String() || here[ref.UID] || named[ref.Name] {
				continue
			}
			if absent[ref.UID] == nil {
				absent[ref.UID] = &Absent{Ref: decision.Ref{APIVersion: ref.APIVersion, Kind: ref.Kind, Namespace: namespace, Name: ref.Name, UID: string(ref.UID)}}
			}
			absent[ref.UID].Objects = append(absent[ref.UID].Objects, o)
		}
		var all []Absent
		for _, a := range slices.SortedFunc(maps.Values(absent), func(a, b *Absent) int {
			return cmp.Or(cmp.Compare(a.Ref.Name, b.Ref.Name), cmp.Compare(a.Ref.UID, b.Ref.UID))
		}) {
			all = append(all, *a)
		}
		return all
	})
}

// unseenAdopters names the controllers that files lack and that may adopt objects of a kind:
// they have some, and what they select is not known. n is how many there are.
func unseenAdopters(r *view.Reader, of view.Kind, namespace string) (names string, n int) {
	var refs []string
	for _, k := range adopterKinds[of.GroupKind()] {
		if !k.unseen {
			continue
		}
		for _, a := range AbsentControllers(r, k.kind, of, namespace) {
			if n++; n > format.Most {
				continue
			}
			refs = append(refs, a.Ref.String())
			r.Lack(view.Need{Kind: k.kind, Namespace: namespace, Name: a.Ref.Name, IfMissing: "whether it adopts the same " + of.Kind + "s is not known"},
				RefTo(of, a.Objects[0]).String())
		}
	}
	return format.Some(refs, n), n
}
