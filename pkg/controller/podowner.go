package controller

import (
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// climb follows the controllers above the Pod, as long as each scales the one below.
func (p *podReport) climb() {
	var below metav1.Object = p.pod
	for ref := p.first(); ref != nil; ref = metav1.GetControllerOfNoCopy(below) {
		owner := decision.Ref{APIVersion: ref.APIVersion, Kind: ref.Kind, Namespace: p.pod.Namespace, Name: ref.Name, UID: string(ref.UID)}
		p.out.Owners = append([]decision.Ref{owner}, p.out.Owners...)
		c, k, modelled := p.all.ForRef(owner)
		if !modelled {
			p.beyond(below, owner)
			return
		}
		need := view.Need{Kind: k, Namespace: p.pod.Namespace, Name: ref.Name, Detail: view.Full, IfMissing: "what its controller makes of the Pod is not known"}
		obj, found := view.Get[metav1.Object](p.r, need)
		scales := len(p.chain) == 0 || slices.ContainsFunc(c.Scales, func(below view.Kind) bool { return below.GroupKind() == p.chain[len(p.chain)-1].Kind.GroupKind() })
		if !found || obj.GetUID() != ref.UID {
			p.lost(below, owner, k, p.r.Err(need), found)
			return
		}
		p.deleting(below, owner, obj)
		if !scales {
			return
		}
		p.chain = append(p.chain, link{c, Target{Kind: k, Namespace: p.pod.Namespace, Name: ref.Name}, obj})
		below = obj
	}
}

// deleting says what becomes of an object of the chain, or the Pod, while its controller is
// being deleted.
func (p *podReport) deleting(below metav1.Object, owner decision.Ref, now metav1.Object) {
	switch {
	case below.GetDeletionTimestamp() != nil:
	case p.cause == nil && lineage.DeletesDependents(now):
		code, message := foregroundOf(owner)
		p.dangling(below, code, message)
	case len(p.chain) == 0 && lineage.Orphaning(now):
		p.orphaner = owner.String()
		if ruling, _ := lineage.Collect(below, lineage.NewChecker(p.r).Links(below)); ruling.Rule == lineage.OrphanedOrCollected {
			lineage.Rules.Put(&ruling)
			p.out.Deletion = &decision.PodDeletion{Now: decision.AtRisk, Message: ruling.Message}
		}
	}
}

// first is the controller of the Pod, or the only one that may adopt it: whether it does is
// for its sync to say. Those of ReplicaSets leave Pods alone that have ended
// (controller_utils.go FilterActivePods, v1.37.1).
func (p *podReport) first() *metav1.OwnerReference {
	ref := metav1.GetControllerOfNoCopy(p.pod)
	if ref != nil || p.pod.DeletionTimestamp != nil || view.Ended(p.pod) {
		return ref
	}
	adopters, n := p.adopting(p.pod)
	switch {
	case n > 1:
		p.adopters = format.OneOf(names(adopters), n)
		return nil
	case n != 1:
		p.alike = ownership.AdoptersOf(p.r, view.Pods, p.pod.Namespace).Named(p.pod)
		return nil
	}
	one := adopters[0]
	if _, _, modelled := p.all.ForRef(one); !modelled {
		p.adopters = one.String()
		return nil
	}
	p.orphan = true
	return &metav1.OwnerReference{APIVersion: one.APIVersion, Kind: one.Kind, Name: one.Name, UID: types.UID(one.UID), Controller: new(true)}
}

// adopting are the first of those that would adopt the Pod as an orphan, and how many there
// are, as far as they were read.
func (p *podReport) adopting(orphan metav1.Object) (first []decision.Ref, n int) {
	first, n = ownership.AdoptersOf(p.r, view.Pods, p.pod.Namespace).Adopting(orphan).First()
	for _, gap := range p.r.Gaps() {
		if gap.Partial {
			p.out.Caveats = append(p.out.Caveats, decision.Caveat{Code: gap.Code, Message: gap.Message, Partial: true})
		}
	}
	return first, n
}

// released says who adopts the Pod once it is released, empty where none that was read does.
func (p *podReport) released() string {
	if view.Ended(p.pod) {
		return ""
	}
	orphan := p.pod.DeepCopy()
	orphan.OwnerReferences = nil
	if then := thenAdopted(p.adopting(orphan)); then != "" {
		return then
	}
	if remade := p.remade(orphan); remade != "" {
		return ", then " + remade
	}
	return ""
}

// remade says who may make another controller that adopts the Pod, once its own, which is
// being deleted, has orphaned it; empty for none.
func (p *podReport) remade(orphan metav1.Object) string {
	owners := lineage.NewChecker(p.r)
	for _, l := range owners.Links(p.pod) {
		kind, err := lineage.HeldIn(p.r.View)(l.Owner.APIVersion, l.Owner.Kind)
		if l.Rule != lineage.OwnerOrphans || !l.Controller || err != nil {
			continue
		}
		of := ownership.ClaimantNamed(p.r, view.Pods, kind, l.Owner.Namespace, l.Owner.Name, true)
		if ruling := owners.Remade(view.Pods, orphan, l, of, func(metav1.Object) bool { return false }); ruling != nil {
			return lineage.Remakes(ruling.Facts)
		}
	}
	return ""
}

// holdsName looks for the controller that can't create a Pod of its own since this one has
// its name.
func (p *podReport) holdsName() error {
	for _, ref := range p.alike {
		c, k, modelled := p.all.ForRef(ref)
		if !modelled {
			continue
		}
		r := p.v.Reader()
		p.used = append(p.used, r)
		d, err := c.Run(r, p.profile, Target{Kind: k, Namespace: ref.Namespace, Name: ref.Name}, nil)
		if err != nil || r.Provisional() {
			return err
		}
		for _, c := range d.Causes() {
			if c.Object.Kind == p.out.Target.Kind && c.Object.Name == p.pod.Name && c.Stops {
				what := ref.String() + " can't create its own " + p.pod.Name
				c.Call(what, what+": "+c.Message, c.Next)
				p.holds = &c
			}
		}
	}
	return nil
}

func names(refs []decision.Ref) []string {
	all := make([]string, len(refs))
	for i, ref := range refs {
		all[i] = ref.String()
	}
	return all
}

// left forgets the one that might have adopted the Pod, and does not.
func (p *podReport) left() {
	p.chain, p.cause, p.collected = nil, nil, false
	p.out.Owners, p.out.Claim, p.out.Deletion, p.out.Modelled = nil, nil, nil, decision.Modelled{}
}

// adoption says who adopts the Pod, and whether it is deleted then, or who releases it;
// empty for nobody.
func (p *podReport) adoption() string {
	d := p.out.Deletion
	switch {
	case p.adopters != "":
		return p.adopters + " adopts it"
	case p.orphaner != "" && d != nil:
		return orphanedBy(p.orphaner) + ", and it may be deleted"
	case p.orphaner != "":
		return orphanedBy(p.orphaner) + p.released()
	case p.claimed(decision.ToRelease):
		return p.chain[0].ref() + " releases it" + p.released()
	case !p.claimed(decision.ToAdopt):
		return ""
	case d != nil && d.Now == decision.Doomed:
		return p.chain[0].ref() + " adopts it, and it is deleted"
	case d != nil && d.Now == decision.AtRisk:
		return p.chain[0].ref() + " adopts it, and it may be deleted"
	}
	return p.chain[0].ref() + " adopts it"
}

// ref names the object of a link.
func (l link) ref() string { return ownership.RefTo(l.Kind, l.obj).String() }

// beyond looks for a controller that is not modelled.
func (p *podReport) beyond(below metav1.Object, owner decision.Ref) {
	k, err := lineage.HeldIn(p.r.View)(owner.APIVersion, owner.Kind)
	if err != nil {
		return // nothing is known of it
	}
	need := view.Need{Kind: k, Namespace: p.pod.Namespace, Name: owner.Name, IfMissing: "whether the garbage collector deletes the Pod is not known"}
	if !k.Namespaced {
		need.Namespace = ""
	}
	obj, found := view.Get[metav1.Object](p.r, need)
	switch err := p.r.Err(need); {
	case p.missing():
	case err != nil:
		p.out.Caveats = append(p.out.Caveats, decision.Caveat{Code: "OwnerNotRead", Message: fmt.Sprintf("whether %s exists is not known: %v", owner, err)})
	case !found || string(obj.GetUID()) != owner.UID:
		p.lost(below, owner, k, nil, found)
	default:
		p.deleting(below, owner, obj)
	}
}

// absentOwner looks among the owners of a Pod without a controller for one that is not there.
func (p *podReport) absentOwner() {
	links := lineage.NewChecker(p.r).Links(p.pod)
	for i := range links {
		switch l := &links[i]; l.State {
		case lineage.Dangling:
			if k, err := lineage.HeldIn(p.r.View)(l.Owner.APIVersion, l.Owner.Kind); err == nil {
				p.lost(p.pod, l.Owner, k, nil, l.Rule == lineage.OwnerReplaced)
			}
			return
		case lineage.Waiting:
			code, message := foregroundOf(l.Owner)
			p.dangling(p.pod, code, message)
		}
	}
}

// lost says what is not there of the chain: nothing is known of what counts the Pod,
// or the garbage collector acts on what is below.
func (p *podReport) lost(below metav1.Object, owner decision.Ref, k view.Kind, err error, found bool) {
	switch {
	case p.missing(): // the owner may be among what is read next
	case err != nil:
		p.unread(fmt.Sprintf("what %s makes of the Pod is not known: %v", owner, err))
	default:
		code, message := stale(owner, found)
		p.dangling(below, code, message)
		if c, ok := takenAbsent(p.r, k, owner); ok && !found {
			p.out.Caveats = append(p.out.Caveats, c)
			p.unlessUnsaved(owner)
		}
	}
}

// unlessUnsaved limits what the garbage collector does to the case that files do not just
// lack an owner.
func (p *podReport) unlessUnsaved(owner decision.Ref) {
	if !p.collected {
		return
	}
	p.cause.Unless(leftOut(owner))
	p.out.Deletion = &decision.PodDeletion{Now: decision.AtRisk, Message: p.cause.Message}
}

func (p *podReport) unread(message string) {
	p.unknown = len(p.chain) == 0
	p.out.Caveats = append(p.out.Caveats, decision.Caveat{Code: "OwnerNotRead", Partial: true, Message: message})
}

// dangling says what the garbage collector does about an object of the chain, or the
// Pod, whose controller is not there. Its other owners keep it, if there are any.
func (p *podReport) dangling(below metav1.Object, code, message string) {
	ruling, acts := lineage.Collect(below, lineage.NewChecker(p.r).Links(below))
	c := decision.Cause{Object: p.out.Target, Reason: code, Evidence: "metadata.ownerReferences"}
	switch {
	case acts && ruling.Rule == lineage.Collected && (len(p.chain) == 0 || !slices.Contains(below.GetFinalizers(), metav1.FinalizerOrphanDependents)):
		c.Label = "the garbage collector deletes it"
		c.Message = message + ": the garbage collector deletes "
		if len(p.chain) > 0 {
			c.Message += p.out.Owners[1].String() + ", and with it "
		}
		c.Message += "the Pod"
		p.cause, p.collected = &c, true
		p.out.Deletion = &decision.PodDeletion{Now: decision.Doomed, Message: c.Message}
	case acts && ruling.Rule == lineage.ReferenceDropped:
		p.out.Caveats = append(p.out.Caveats, decision.Caveat{Code: code, Message: message + ": the garbage collector drops the reference; another owner keeps the object"})
	default:
		p.unknown = len(p.chain) == 0
		p.out.Caveats = append(p.out.Caveats, decision.Caveat{Code: code, Message: message + ": whether the garbage collector deletes what refers to it depends on its other owners"})
	}
}
