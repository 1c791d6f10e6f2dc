package cloneset

import (
	"fmt"
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// caveats says what limits the answer: what was assumed, what is not modelled,
// and what could not be read.
func (s *sync) caveats() {
	if s.kruise.Caveat != "" {
		s.d.AddCaveat(decision.VersionNotKnown, s.kruise.Caveat)
	}
	for _, n := range s.r.Notes() {
		s.d.AddCaveat(n.Code, n.Message)
	}
	s.contested()
	s.notModelled()
	for _, n := range s.r.Gaps() {
		s.d.AddCaveat(n.Code, n.Message)
	}
}

// notModelled names what this set uses and the answer leaves out.
func (s *sync) notModelled() {
	if s.keepsVolumes() {
		s.d.AddCaveat("VolumesStay", "volumeClaimTemplates have changed since: Pods that are updated in place keep the volume claims they have")
	}
	if s.d.Summary.Create > 0 {
		s.d.AddCaveat("AdmissionNotModelled", "whether a webhook refuses or changes the new Pods is not looked at")
		for _, why := range admission.Caveats(s.chance.doubts) {
			s.d.AddCaveat(admission.InDoubt, why)
		}
		if len(s.chance.doubts) > 0 {
			s.d.AddCaveat("RefusedFirst", "if the API server refuses the first Pod, none is created, and the sync updates Pods instead")
		}
	}
	if s.revisions.Unnamed() {
		s.d.AddCaveat("RevisionNameUnknown", "the name of the new revision can't be predicted from outside")
	}
	if s.behaviour.ReadsMinor && s.d.Summary.Update > 0 {
		s.d.AddCaveat("MinorVersionPanics", "Kruise 1.9.0 panics at each update in place if the API server reports a minor version that is no plain number, such as 33+, and the sync fails there; 1.9.1 does not")
	}
	for _, a := range s.d.Actions {
		if a.Verb == decision.Create && a.Choice != nil {
			s.d.AddCaveat("CreationOrderUnknown", "a name that is still taken may come anywhere among the new ones, whose IDs are random: if it comes first, no Pod is created, and the sync updates Pods instead")
		}
	}
	if s.chance.mayUpdate {
		s.d.AddCaveat("ScaleInByChance", "it is not deterministic whether any Pod is deleted in this sync: if none is, it updates Pods instead, which is not shown")
	}
	if s.chance.manyExpected {
		s.d.AddCaveat("ExpectationByChance", "the sync ends with the first Pod, in the order of the controller's cache, whose new version it has not seen: which one, and so when it looks again, is not deterministic")
	}
	if s.chance.mayFail {
		s.d.AddCaveat("RefusalByChance", "it is not deterministic whether a Pod comes first that is refused: the sync then fails there, and does nothing to those behind it")
	}
	if s.budgets.mayRefuse {
		s.d.AddCaveat("BudgetUnsure", "whether a PodUnavailableBudget stops the update, and at which Pod, is not known: Pods tie that ask differently, or what it would say is not known")
	}
	if b := s.budgets.mayForbid; b != nil {
		s.d.AddCaveat("BudgetRefusesDeletion", fmt.Sprintf("Kruise's webhook asks PodUnavailableBudget %s before each deletion of its Pods: it may refuse one, with which the sync fails and leaves those behind it; which, and whether it does, is not known", b.Name))
	}
	for _, b := range s.budgets.Recounted() {
		s.d.AddCaveat("BudgetRecounted", fmt.Sprintf("the status of PodUnavailableBudget %s is of %d replicas; here it is counted for %d, as its controller does once it sees them: until then Kruise's webhook goes by the old one, and a sync that it refuses is tried again", b.Name, b.Recounted, s.set.Desired()))
	}
	if s.chance.unsureStatus {
		s.d.AddCaveat("StatusByChance", "status counts a Pod whose readiness gate this sync opens as ready only if it is also marked for recreation, which is not deterministic, and with it whether status is written")
	}
	if s.isLoose() {
		s.d.AddCaveat("TiesScattered", "Pods tie that scatterStrategy tells apart: in which order Pods are updated is not known")
	}
}

func (s *sync) isLoose() bool {
	return s.chance.looseOrder && s.d.Summary.Update+s.d.Summary.Recreate > 0
}

// keepsVolumes reports whether pods are updated in place whose claims are of
// other templates: without gate RecreatePodWhenChangeVCTInCloneSetGate, and with
// InPlaceOnly, a change of these recreates no pod (kruise#1536).
func (s *sync) keepsVolumes() bool {
	to := s.revisions.Update
	return slices.ContainsFunc(s.d.Actions, func(a decision.Action) bool {
		m := s.member(a.Object.Name)
		if a.Verb != decision.UpdateInPlace || m == nil {
			return false
		}
		from := s.revisions.Of(m)
		return from != nil && from.OtherClaims(to)
	})
}
