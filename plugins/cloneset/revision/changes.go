package revision

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/inplace"
)

// Changes tells how revisions differ from the one that Pods are moved to.
type Changes struct {
	release inplace.Release
	// claimsCount: other volume claim templates need new Pods (gate
	// RecreatePodWhenChangeVCTInCloneSetGate), unless updates are in place only.
	claimsCount bool
	// found are the comparisons that were made, by the older revision.
	found map[string]inplace.Change
}

// NewChanges returns those of a set under a release, with no comparison made yet.
func NewChanges(b core.Behaviour, set *api.Set) Changes {
	return Changes{
		release:     b.Release,
		claimsCount: b.RecreateOnClaims && set.Spec.UpdateStrategy.Type != api.InPlaceOnly,
		found:       map[string]inplace.Change{},
	}
}

// Between returns how the templates of two revisions differ, found once.
func (c Changes) Between(from, to *Revision) inplace.Change {
	if from == nil {
		return c.release.Compare(nil, &to.Template)
	}
	if cached, ok := c.found[from.Name]; ok {
		return cached
	}
	change := c.release.Compare(&from.Template, &to.Template)
	if c.claimsCount && from.Template.Fields != nil && to.Template.Fields != nil && from.OtherClaims(to) {
		change = inplace.Change{Forbidden: "volumeClaimTemplates", Op: "replace"}
	}
	c.found[from.Name] = change
	return change
}

// OtherClaims reports whether two revisions have different volume claim templates, told
// by their hashes; where one has none, that is not known.
func (r *Revision) OtherClaims(to *Revision) bool {
	return r.hasClaimHash && to.hasClaimHash && r.claimHash != to.claimHash
}
