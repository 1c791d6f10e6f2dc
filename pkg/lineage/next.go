package lineage

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// next notes what is about to happen to the references of a node.
func (w *walker) next(n *Node) {
	o, exists := w.objects[types.UID(n.Object.UID)]
	if !exists {
		return
	}
	n.Next = w.claim(o)
	if ruling, acts := Collect(o.Object, w.linksOf(o)); n.Next == nil && acts {
		n.Next = &ruling
	}
	if n.Next == nil {
		n.Next = w.orphaned(o)
	}
}

// orphaned is what becomes of an object once an owner that is being deleted has orphaned it,
// nil where none does.
func (w *walker) orphaned(o object) *decision.Ruling {
	links := w.linksOf(o)
	i := slices.IndexFunc(links, func(l Link) bool { return l.Rule == OwnerOrphans })
	if i < 0 {
		return nil
	}
	ruling := decision.Ruled(OrphanedNext, decision.F(keyOwner, links[i].Owner.String()))
	rest := object{o.kind, ownership.Freed(o.Object, types.UID(links[i].Owner.UID))}
	if by := w.afterwards(rest, links[i].Owner, w.checker.makerOf(links[i].owner)); by != nil {
		ruling.Facts = append(ruling.Facts, by.Facts...)
	}
	return &ruling
}

// afterwards says who adopts what an owner has orphaned: another controller, or one that maker
// may make in the place of the owner. It is nil where none does.
func (w *walker) afterwards(orphan object, owner decision.Ref, maker *Link) *decision.Ruling {
	if metav1.GetControllerOfNoCopy(orphan.Object) != nil || len(ownership.ClaimerKinds(w.r, orphan.kind)) == 0 {
		return nil
	}
	if by := w.adoption(orphan, types.UID(owner.UID)); by != nil {
		return by
	}
	return remade(w.r, orphan.kind, orphan.Object, owner, maker, w.claimantsOf(orphan).Of(types.UID(owner.UID)), w.ended)
}

// claim is the release or adoption that is due for an object, nil for none.
func (w *walker) claim(o object) *decision.Ruling {
	if len(ownership.ClaimerKinds(w.r, o.kind)) == 0 {
		return nil
	}
	if ref := metav1.GetControllerOfNoCopy(o.Object); ref != nil {
		c := w.controllerOf(o, ref)
		if c == nil {
			return nil
		}
		if v := c.Claim(o.Object, w.ended); v.Decision == decision.ToRelease {
			ruling := v.Ruling
			ruling.Facts = append(ruling.Facts, decision.F(keyController, c.Ref.String()))
			if by := w.adoption(object{o.kind, ownership.Freed(o.Object, ref.UID)}, ""); by != nil {
				ruling.Facts = append(ruling.Facts, decision.F(keyAdopters, by.Facts.Str(keyController)+by.Facts.Str(keyControllers)))
			}
			return &ruling
		}
		return nil
	}
	return w.adoption(o, "")
}

// controllerOf is the controller that an object refers to, nil where it claims no
// such objects. No other can release the object.
func (w *walker) controllerOf(o object, ref *metav1.OwnerReference) *ownership.Controller {
	for _, l := range w.linksOf(o) {
		if kind, err := Held(l.Owner.APIVersion, l.Owner.Kind); l.Controller && l.owner != nil && err == nil {
			key := o.kind.GroupKind().String() + "/" + l.Owner.UID
			if _, known := w.controllers[key]; !known {
				w.controllers[key] = ownership.ClaimantNamed(w.r, o.kind, kind, l.Owner.Namespace, l.Owner.Name, w.ByName)
			}
			return w.controllers[key]
		}
	}
	return w.claimantsOf(o).Of(ref.UID)
}

// adoption is what the controllers that match an object without a controller
// make of it, without the one whose UID is except. It is nil where none adopts.
func (w *walker) adoption(o object, except types.UID) *decision.Ruling {
	rivals := w.claimantsOf(o).Rivals(o.Object, except, w.ended)
	var names []string
	for _, c := range rivals.First {
		if c.Claim(o.Object, w.ended).Decision == decision.ToAdopt {
			names = append(names, c.Ref.String())
		}
	}
	var ruling decision.Ruling
	switch rivals.Adopting {
	case 0:
		return nil
	case 1:
		ruling = decision.Ruled(AdoptedNext, decision.F(keyController, names[0]))
	default:
		ruling = decision.Ruled(AdoptedByOneOf, decision.F(keyControllers, format.OneOf(names, rivals.Adopting)))
	}
	return &ruling
}

// claimantsOf reads the controllers that may claim objects like o.
func (w *walker) claimantsOf(o object) *ownership.Claimants {
	key := o.kind.GroupKind().String() + "/" + o.GetNamespace()
	if w.claimants[key] == nil {
		w.claimants[key] = ownership.ClaimantsOf(w.r, o.kind, o.GetNamespace(), w.ByName)
	}
	return w.claimants[key]
}

func (w *walker) ended(obj metav1.Object) bool {
	need := view.Need{Kind: view.Pods, Namespace: obj.GetNamespace(), Name: obj.GetName(), IfMissing: "whether the Pod has ended is not known"}
	pod, ok := view.Get[*corev1.Pod](w.r, need)
	return ok && view.Ended(pod)
}
