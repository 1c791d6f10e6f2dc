package orphans

import (
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/selectorindex"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// orphan judges an object without a controller.
func (f *finder) orphan(k view.Kind, obj metav1.Object, links []lineage.Link) (Finding, bool) {
	if isMirror(obj) {
		return byDesign(MirrorPod, decision.F(keyNode, "a node")), false
	}
	contest := f.contest(k, obj, "", f.ended)
	if contest.adopting == 0 {
		contest.abroad(f.claimantsOf(k).Abroad(obj))
	}
	found := Finding{Candidates: contest.candidates, More: contest.more(), Links: links}
	switch {
	case contest.adopting > 0:
		found.Collector = collector(obj, links)
		contest.adopt(&found)
	case lineage.InState(links, lineage.Dangling, lineage.Unsettled):
		found = dangling(obj, links)
	case len(links) > 0:
		return f.uncontrolled(k, obj, found)
	case len(contest.candidates) > 0:
		found.Group, found.Ruling = Nobodys, refusal(contest.candidates)
	default:
		return f.unmatched(k, obj)
	}
	return found, false
}

// refusal is why the first candidate does not adopt; the others are with it.
func refusal(candidates []Candidate) decision.Ruling {
	c := candidates[0]
	return decision.Ruled(c.Rule, append(slices.Clone(c.Facts), decision.F(keyController, c.Controller.String()))...)
}

// uncontrolled judges an object that exists for owners none of which controls
// it. Volumes and revisions are often owned so.
func (f *finder) uncontrolled(k view.Kind, obj metav1.Object, found Finding) (Finding, bool) {
	if lineage.InState(found.Links, lineage.Unread) {
		found.Group, found.Ruling = Unverified, ownerRuling(found.Links[0])
		return found, false
	}
	found.Group, found.Collector = Uncontrolled, collector(obj, found.Links)
	orphans := func(l lineage.Link) bool { return l.Rule == lineage.OwnerOrphans }
	if i := slices.IndexFunc(found.Links, orphans); i >= 0 && obj.GetDeletionTimestamp() == nil {
		found.Ruling = ownerRuling(found.Links[i])
		return found, false
	}
	if k.Kind == view.PersistentVolumeClaims.Kind {
		return f.beyondReplicas(obj)
	}
	found.Ruling = decision.Ruled(NoController, decision.F(keyOwners, len(found.Links)), decision.F(keyOwner, found.Links[0].Owner.String()))
	return found, false
}

// unmatched judges an object that refers to nobody and that no selector matches.
func (f *finder) unmatched(k view.Kind, obj metav1.Object) (Finding, bool) {
	if kinds := f.forbiddenClaimers(k); kinds != "" {
		return Finding{Group: Unverified, Ruling: decision.Ruled(ClaimersNotRead, decision.F(keyKinds, kinds))}, false
	}
	if c, rule := f.nearest(k, obj); c != nil {
		facts := append(c.Mismatch(obj), decision.F(keyController, c.Ref.String()))
		return Finding{Group: Nobodys, Ruling: decision.Ruled(rule, facts...)}, false
	}
	switch k.Kind {
	case view.Pods.Kind:
		return f.unclaimedPod(obj), false
	case view.ReplicaSets.Kind:
		return f.unclaimedSet(obj), false
	case view.ControllerRevisions.Kind:
		return f.leftBy(ofRevisions, k, UnclaimedRevision), false
	}
	return f.beyondReplicas(obj)
}

// forbiddenClaimers names the kinds of controllers that this user may not read
// and that might adopt objects of a kind.
func (f *finder) forbiddenClaimers(k view.Kind) string {
	var kinds []string
	for _, read := range f.claimantsOf(k).Unread() {
		if apierrors.IsForbidden(read.Err) && (f.Installed == nil || read.Kind.Typed() || f.Installed(read.Kind)) {
			kinds = append(kinds, read.Kind.GroupResource())
		}
	}
	return strings.Join(kinds, ", ")
}

// nearest is the controller that the object seems to be meant for: the one
// whose name it was generated from, else one that misses a single term.
func (f *finder) nearest(k view.Kind, obj metav1.Object) (*ownership.Controller, string) {
	claimants := f.claimantsOf(k)
	if base, ok := strings.CutSuffix(obj.GetGenerateName(), "-"); ok {
		for _, c := range claimants.Named(obj.GetNamespace(), base) {
			if len(selectorindex.Missed(c.Selector, labels.Set(obj.GetLabels()))) > 0 {
				return c, ReleasedBefore
			}
		}
	}
	if near := claimants.Near(obj); len(near) > 0 {
		return near[0], NearMiss
	}
	return nil, ""
}
