package cloneset

import (
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/inplace"
)

// changes are comparisons with the target, by the older revision.
type changes map[string]inplace.Change

func (c changes) keep(from string, change inplace.Change) { c[from] = change }

// inPlaceChange is how the templates of two revisions differ, found once.
func (s *sync) inPlaceChange(from, to *revision) inplace.Change {
	if from == nil {
		return s.behaviour.Compare(nil, &to.template)
	}
	if cached, ok := s.changes[from.name]; ok {
		return cached
	}
	c := s.behaviour.Compare(&from.template, &to.template)
	if from.template.Fields != nil && to.template.Fields != nil && s.claimsForbid(from, to) {
		c = inplace.Change{Forbidden: "volumeClaimTemplates", Op: "replace"}
	}
	s.changes.keep(from.name, c)
	return c
}

// claimsForbid: with gate RecreatePodWhenChangeVCTInCloneSetGate, a change of
// the volume claim templates, told by their hashes, needs new pods.
func (s *sync) claimsForbid(from, to *revision) bool {
	return s.behaviour.RecreateOnClaims && s.set.Spec.UpdateStrategy.Type != api.InPlaceOnly &&
		from.hasClaimHash && to.hasClaimHash && from.claimHash != to.claimHash
}

// keepsVolumes reports whether pods are updated in place whose claims are of
// other templates: without gate RecreatePodWhenChangeVCTInCloneSetGate, and with
// InPlaceOnly, a change of these recreates no pod (kruise#1536).
func (s *sync) keepsVolumes() bool {
	to := s.revisions.update
	return slices.ContainsFunc(s.d.Actions, func(a decision.Action) bool {
		m := s.member(a.Object.Name)
		if a.Verb != decision.UpdateInPlace || m == nil {
			return false
		}
		from := s.revisions.of(m)
		return from != nil && from.hasClaimHash && to.hasClaimHash && from.claimHash != to.claimHash
	})
}
