package statefulset

import (
	"fmt"
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
)

// oldest is the first release, 1.29, of which StatefulSets are modelled.
const oldest = 29

// caveats says what limits the answer.
func (s *reconcile) caveats() {
	if s.profile.Caveat != "" {
		s.out.AddCaveat(decision.VersionNotKnown, s.profile.Caveat)
	}
	if s.profile.Kubernetes.Minor < oldest {
		s.out.AddUnread("OldRelease", fmt.Sprintf("StatefulSets are modelled from Kubernetes 1.29 on, and not of %s", s.profile.Kubernetes))
	}
	s.unsupported()
	if names := s.claimsFreed(); len(names) > 0 {
		s.out.AddCaveat("ClaimsRemoved", "PVCs that are being deleted are removed once their Pods are gone; Pods created again get new PVCs, without the data: "+format.Some(names[:min(most, len(names))], len(names)))
	}
	for _, n := range s.r.Notes() {
		s.out.Warn(decision.Caveat(n).Whole())
	}
	if len(s.claims.contested) > 0 {
		s.out.AddCaveat("ContestedAdoption", fmt.Sprintf("another controller may adopt %s first; the counts assume that this one does", ownership.NamesOf(s.claims.contested)))
	}
	for _, why := range admission.Caveats(s.admits.doubts) {
		s.out.AddCaveat(admission.InDoubt, why)
	}
	if h := &s.history; h.update != nil && h.unnamed() {
		s.out.AddCaveat("NameUnknown", s.whyUnnamed())
	}
	if s.doubtful {
		s.out.AddDoubt("RevisionUnknown", "whether Pods are of another revision than the update revision is not known: they are deleted to be updated only if they are")
	}
	s.doubleOrdinals()
	for _, n := range s.r.Gaps() {
		s.out.Warn(decision.Caveat(n).Whole())
	}
}

// unsupported warns of what the spec asks for and this release, or its gates, do not know.
func (s *reconcile) unsupported() {
	if s.isRecreate() && !s.behaviour.knowsRecreate {
		s.out.AddCaveat("StrategyUnknown", fmt.Sprintf("the API server of Kubernetes %s refuses the strategy Recreate, which is of 1.37 and later", s.profile.Kubernetes))
	}
	updates := s.history.update != nil && !s.onDelete() && slices.ContainsFunc(s.targets(), s.old)
	if updates && !s.behaviour.maxUnavailable && maxUnavailable(s.set) > 1 {
		s.out.AddCaveat("MaxUnavailableNotRead", fmt.Sprintf("spec.updateStrategy.rollingUpdate.maxUnavailable is not read: the feature gate %s is off, and one Pod is updated at a time", maxUnavailableGate))
	}
}

// whyUnnamed says why the name of the update revision is not known.
func (s *reconcile) whyUnnamed() string {
	if s.history.unread {
		return "the name of the update revision is not known: the ControllerRevisions were not read, and the spec changed since status was written"
	}
	return fmt.Sprintf("the name of the new revision ends in a hash that only the controller manager can compute from the template as it has it; it is written %s here", unknownHash)
}

// doubleOrdinals warns of Pods that may share an ordinal with another one.
func (s *reconcile) doubleOrdinals() {
	warn := s.out.AddCaveat
	if s.claims.doubled {
		warn = s.out.AddDoubt
	}
	for _, p := range s.claims.withZeros() {
		warn("OrdinalShared", fmt.Sprintf("%s has the ordinal of %s: where both exist, which of them the controller looks at is not deterministic", p.Name, podName(s.set, ordinalOf(p.Name))))
	}
}
