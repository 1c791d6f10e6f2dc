package orphans

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// owned judges an object that refers to a controller.
func (f *finder) owned(k view.Kind, obj metav1.Object, links []lineage.Link) (Finding, bool) {
	ref := metav1.GetControllerOfNoCopy(obj)
	i := slices.IndexFunc(links, func(l lineage.Link) bool { return l.Controller })
	c := f.claimantsOf(k).Of(ref.UID)
	switch controller := links[i]; {
	case isMirror(obj):
		return byDesign(MirrorPod, decision.F(keyNode, ref.Name)), false
	case c != nil && controller.Rule == lineage.KindNotServed: // controllers don't look at the API version
	case controller.State == lineage.Unread && foreign(ref):
		return byDesign(OperatorOwned, ownedBy(ref)...), false
	case controller.State == lineage.Unread:
		return Finding{Group: Unverified, Ruling: ownerRuling(controller), Links: links}, false
	case lineage.InState(links, lineage.Dangling, lineage.Unsettled):
		return dangling(obj, links), false
	case controller.State == lineage.Waiting && lineage.InState(links, lineage.Solid), controller.Rule == lineage.OwnerOrphans && obj.GetDeletionTimestamp() == nil:
		found := Finding{Group: Uncontrolled, Ruling: ownerRuling(controller), Links: links, Collector: collector(obj, links)}
		orphan := f.freed(k, obj, &found)
		if by := f.checker.Remade(k, orphan, controller, c, func(metav1.Object) bool { return f.ended(obj) }); by != nil && controller.Rule == lineage.OwnerOrphans && len(adopting(found.Candidates)) == 0 {
			found.Facts = append(found.Facts, by.Facts...)
		}
		return found, false
	case controller.State == lineage.Waiting:
		return Finding{Group: ByDesign, Ruling: decision.Ruled(GoesWithOwner, ownedBy(ref)[0]), Links: links, Collector: collector(obj, links)}, false
	}
	if c != nil {
		if v := c.Claim(obj, f.ended); v.Decision == decision.ToRelease {
			found := Finding{Group: Released, Ruling: v.Ruling, Links: links, Patch: v.Patch}
			f.freed(k, obj, &found)
			return found, false
		}
	}
	switch {
	case ref.Kind == "Node" && ref.APIVersion == "v1":
		return byDesign(NodeOwned, ownedBy(ref)...), false
	case foreign(ref) && c == nil:
		return byDesign(OperatorOwned, ownedBy(ref)...), false
	}
	return f.unused(k, obj, ref)
}

// kept tells of a pod or a ReplicaSet, without more ado, that it has the owner
// it names and stays with it, as nearly all do. It is false where that takes a
// closer look.
func (f *finder) kept(k view.Kind, obj metav1.Object) bool {
	refs := obj.GetOwnerReferences()
	if len(refs) != 1 || k.Kind != view.Pods.Kind && k.Kind != view.ReplicaSets.Kind {
		return false
	}
	c := f.claimantsOf(k).Of(refs[0].UID)
	return c != nil && !c.Deleting && c.Keeps(obj, refs[0]) && !isMirror(obj)
}

// freed notes what the others make of an object that loses its controller.
func (f *finder) freed(k view.Kind, obj metav1.Object, found *Finding) (orphan metav1.Object) {
	owner := metav1.GetControllerOfNoCopy(obj).UID
	orphan = ownership.Freed(obj, owner)
	next := f.contest(k, orphan, owner, func(metav1.Object) bool { return f.ended(obj) })
	found.Candidates, found.More = next.candidates, next.more()
	return orphan
}

func ownedBy(ref *metav1.OwnerReference) []decision.Fact {
	return []decision.Fact{
		decision.At(keyOwner, decision.Ref{Kind: ref.Kind, Name: ref.Name}.String(), "metadata.ownerReferences"),
		decision.F(keyKind, ref.Kind), decision.F(keyAPIVersion, ref.APIVersion),
	}
}

// foreign tells a controller of a kind that no View holds: an operator's own.
func foreign(ref *metav1.OwnerReference) bool {
	_, err := lineage.Held(ref.APIVersion, ref.Kind)
	return err != nil
}

func isMirror(obj metav1.Object) bool {
	_, mirror := obj.GetAnnotations()[corev1.MirrorPodAnnotationKey]
	return mirror
}

//go:noinline // it is called at many places
func byDesign(rule string, facts ...decision.Fact) Finding {
	return Finding{Group: ByDesign, Ruling: decision.Ruled(rule, facts...)}
}

// dangling is the finding of references that lead nowhere: that of the
// controller, else the first one.
func dangling(obj metav1.Object, links []lineage.Link) Finding {
	broken := func(l lineage.Link) bool { return l.State == lineage.Dangling || l.State == lineage.Unsettled }
	i := slices.IndexFunc(links, func(l lineage.Link) bool { return l.Controller && broken(l) })
	if i < 0 {
		i = slices.IndexFunc(links, broken)
	}
	return Finding{Group: Dangling, Ruling: ownerRuling(links[i]), Links: links, Collector: collector(obj, links)}
}

// ownerRuling is a link's ruling with the owner's name.
func ownerRuling(l lineage.Link) decision.Ruling {
	return decision.Ruled(l.Rule, append(slices.Clone(l.Facts), decision.F(keyOwner, l.Owner.String()))...)
}

//go:noinline // it is called at many places
func collector(obj metav1.Object, links []lineage.Link) *decision.Ruling {
	if ruling, acts := lineage.Collect(obj, links); acts {
		return &ruling
	}
	return nil
}
