package cloneset

import (
	"errors"
	"fmt"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// caveats says what limits the answer: what was assumed, what is not modelled,
// and what could not be read.
func (s *sync) caveats() {
	if s.kruise.Caveat != "" {
		s.caveat("VersionNotKnown", s.kruise.Caveat)
	}
	for _, n := range s.r.Notes() {
		s.caveat(n.Code, n.Message)
	}
	s.notModelled()
	for _, read := range s.r.Asked() {
		if read.Err != nil && !read.Required() {
			s.caveat(unreadCode(read.Err), fmt.Sprintf("%v: %s", read.Err, read.Without))
		}
	}
}

// notModelled names what this set uses and the answer leaves out.
func (s *sync) notModelled() {
	updates := s.d.Summary.Update + s.d.Summary.Recreate
	if s.behaviour.budgets && updates > 0 {
		s.caveat("BudgetNotModelled", "gate PodUnavailableBudgetUpdateGate is on: a PodUnavailableBudget may hold back any of these updates, and with it those behind it")
	}
	if s.d.Summary.Create > 0 {
		s.caveat("AdmissionNotModelled", "whether a quota or a webhook refuses the new pods is not looked at")
	}
	if s.revisions.update != nil && strings.HasSuffix(s.revisions.update.name, "-"+unknown) {
		s.caveat("RevisionNameUnknown", "the name of the new revision can't be foretold from outside")
	}
	for _, a := range s.d.Actions {
		if a.Verb == decision.Create && a.Choice != nil {
			s.caveat("CreationOrderUnknown", "a name that is still taken may come anywhere among the new ones, whose IDs are random: if it comes first, no pod is created, and the sync updates pods instead")
		}
	}
	if s.mayUpdate {
		s.caveat("ScaleInByChance", "chance decides whether any pod is deleted in this sync: if none is, it updates pods instead, which is not shown")
	}
	if s.manyExpected {
		s.caveat("ExpectationByChance", "the sync ends with the first pod, in the order of the controller's cache, whose new version it has not seen: which one, and so when it looks again, is chance")
	}
	if s.mayFail {
		s.caveat("RefusalByChance", "chance decides whether a pod comes first that is refused: the sync then fails there, and does nothing to those behind it")
	}
	if s.unsureStatus {
		s.caveat("StatusByChance", "status counts a pod whose readiness gate this sync opens as ready only if it is also marked for recreation, which chance decides")
	}
	if s.isLoose() {
		s.caveat("TiesScattered", "pods tie that scatterStrategy tells apart: in which order pods are updated can't be told")
	}
}

func (s *sync) isLoose() bool { return s.queue.loose && s.d.Summary.Update+s.d.Summary.Recreate > 0 }

func (s *sync) caveat(code, message string) {
	for _, c := range s.d.Caveats {
		if c.Code == code && c.Message == message {
			return
		}
	}
	s.d.Caveats = append(s.d.Caveats, decision.Caveat{Code: code, Message: message})
}

func unreadCode(err error) string {
	var absent *view.NotInInput
	if errors.As(err, &absent) {
		return "NotInInput"
	}
	return "NotRead"
}
