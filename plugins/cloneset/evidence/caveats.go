package evidence

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/contest"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
)

// Caveats says what limits the answer: what was assumed, what is not modelled,
// and what could not be read.
func Caveats(run *reconcile.Run, courses []contest.Course, contested []*corev1.Pod) {
	s := looking{run}
	if s.Kruise.Caveat != "" {
		s.Decision.AddCaveat(decision.VersionNotKnown, s.Kruise.Caveat)
	}
	for _, n := range s.Reader.Notes() {
		s.Decision.Warn(decision.Caveat(n).Whole())
	}
	if len(courses) > 0 {
		s.Decision.AddCaveat(contest.Caveat(courses, contested))
	}
	s.notModelled()
	for _, n := range s.Reader.Gaps() {
		s.Decision.Warn(decision.Caveat(n).Whole())
	}
}

// notModelled names what this set uses and the answer leaves out.
func (s looking) notModelled() {
	if s.keepsVolumes() {
		s.Decision.AddCaveat("VolumesStay", "volumeClaimTemplates have changed since: Pods that are updated in place keep the volume claims they have")
	}
	if s.Decision.Summary.Create > 0 {
		s.Decision.AddCaveat("AdmissionNotModelled", "whether a webhook refuses or changes the new Pods is not looked at")
		for _, why := range admission.Caveats(s.Chance.Doubts) {
			s.Decision.AddCaveat(admission.InDoubt, why)
		}
		if len(s.Chance.Doubts) > 0 {
			s.Decision.AddCaveat("RefusedFirst", "if the API server refuses the first Pod, none is created, and the sync updates Pods instead")
		}
	}
	if s.Revisions.Unnamed() {
		s.unnamed()
	}
	if s.Behaviour.ReadsMinor && s.Decision.Summary.Update > 0 {
		s.Decision.AddCaveat("MinorVersionPanics", "Kruise 1.9.0 panics at each update in place if the API server reports a minor version that is no plain number, such as 33+, and the sync fails there; 1.9.1 does not")
	}
	if s.Chance.NameFirst {
		s.Decision.AddCaveat("CreationOrderUnknown", "a name that is still taken may come anywhere among the new ones, whose IDs are random: if it comes first, no Pod is created, and the sync updates Pods instead")
	}
	if s.Chance.MayUpdate {
		s.Decision.AddCaveat("ScaleInByChance", "it is not deterministic whether any Pod is deleted in this sync: if none is, it updates Pods instead, which is not shown")
	}
	if s.Chance.ManyExpected {
		s.Decision.AddCaveat("ExpectationByChance", "the sync ends with the first Pod, in the order of the controller's cache, whose new version it has not seen: which one, and so when it looks again, is not deterministic")
	}
	if s.Chance.MayFail {
		s.Decision.AddCaveat("RefusalByChance", "it is not deterministic whether a Pod comes first that is refused: the sync then fails there, and does nothing to those behind it")
	}
	if s.Budgets.MayRefuse {
		s.Decision.AddCaveat("BudgetUnsure", "whether a PodUnavailableBudget stops the update, and at which Pod, is not known: Pods tie that ask differently, or what it would say is not known")
	}
	if b := s.Budgets.MayForbid; b != nil {
		s.Decision.AddCaveat("BudgetRefusesDeletion", fmt.Sprintf("Kruise's webhook asks PodUnavailableBudget %s before each deletion of its Pods: it may refuse one, with which the sync fails and leaves those behind it; which, and whether it does, is not known", b.Name))
	}
	for _, b := range s.Budgets.Recounted() {
		s.Decision.AddCaveat("BudgetRecounted", fmt.Sprintf("the status of PodUnavailableBudget %s is of %d replicas; here it is counted for %d, as its controller does once it sees them: until then Kruise's webhook goes by the old one, and a sync that it refuses is tried again", b.Name, b.Recounted, s.Set.Desired()))
	}
	if s.Chance.UnsureStatus {
		s.Decision.AddCaveat("StatusByChance", "status counts a Pod whose readiness gate this sync opens as ready only if it is also marked for recreation, which is not deterministic, and with it whether status is written")
	}
	if s.isLoose() {
		s.Decision.AddCaveat("TiesScattered", "Pods tie that scatterStrategy tells apart: in which order Pods are updated is not known")
	}
}

// unnamed says why the name of the update revision is not known. Where the revisions were
// not read, Pods that may be of it already count for what is done about either revision.
func (s looking) unnamed() {
	why := "the name of the new revision ends in a hash that only the kruise-manager's own version can compute"
	if s.Revisions.Unread {
		why = "which revision the template is of is not known: status tells of an earlier one at most"
	}
	s.Decision.AddCaveat("RevisionNameUnknown", why)
	if s.Revisions.Unread && s.Decision.Rollout.Doubted {
		s.doubtRevisions()
	}
}

// doubtRevisions makes possible what depends on which Pods are of the update revision: all
// but claims, and creations that neither surge nor partition adds to.
func (s looking) doubtRevisions() {
	for i := range s.Decision.Actions {
		switch a := &s.Decision.Actions[i]; {
		case a.Verb == decision.Adopt, a.Verb == decision.Release:
		case a.Verb == decision.Create && s.Limits.MaxSurge == 0 && s.Limits.Partition == 0:
		default:
			a.Doubt()
		}
	}
	for i := range s.Decision.Updates {
		s.Decision.Updates[i].Doubt()
	}
	s.Decision.Summarize()
}

func (s looking) isLoose() bool {
	return s.Chance.LooseOrder && s.Decision.Summary.Update+s.Decision.Summary.Recreate > 0
}

// keepsVolumes reports whether pods are updated in place whose claims are of
// other templates: without gate RecreatePodWhenChangeVCTInCloneSetGate, and with
// InPlaceOnly, a change of these recreates no pod (kruise#1536).
func (s looking) keepsVolumes() bool {
	to := s.Revisions.Update
	return slices.ContainsFunc(s.Decision.Actions, func(a decision.Action) bool {
		m := s.Pod(a.Object.Name)
		if a.Verb != decision.UpdateInPlace || m == nil {
			return false
		}
		from := s.Revisions.Of(m)
		return from != nil && from.OtherClaims(to)
	})
}

// DoubtRefusal makes possible what a sync does in which no creation is accepted,
// where that is not certain: with one it does nothing else. So is an update in place of
// resources that may be refused.
func DoubtRefusal(s *reconcile.Run) {
	if why := s.Chance.Resize; why != "" {
		s.Decision.Doubt(decision.Caveat{Code: admission.InDoubt, Message: why})
	}
	if len(s.Chance.Doubts) == 0 || s.Decision.Summary.Create > 0 {
		return
	}
	s.Decision.Doubt(decision.Caveat{Code: admission.InDoubt, Message: s.Chance.Doubts[0] + "; what is said assumes that creations are refused"})
}
