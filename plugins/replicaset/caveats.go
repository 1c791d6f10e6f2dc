package replicaset

import (
	"errors"
	"fmt"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// caveats says what limits the answer: what was assumed, what could not be
// read, and what nobody outside the controller can know.
func (s *sync) caveats() {
	if s.profile.Caveat != "" {
		s.caveat("VersionNotKnown", s.profile.Caveat)
	}
	for _, n := range s.r.Notes() {
		s.caveat(n.Code, n.Message)
	}
	s.contested()
	s.invalidCosts()
	for _, read := range s.r.Asked() {
		if read.Err != nil && !read.Required() {
			s.caveat(unreadCode(read.Err), fmt.Sprintf("%v: %s", read.Err, read.Without))
		}
	}
}

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

// contested warns that counts assume this set wins every orphan it may adopt.
func (s *sync) contested() {
	var pods []string
	for _, a := range s.d.Actions {
		if a.Verb == decision.Adopt && a.Certainty == decision.Possible {
			pods = append(pods, a.Object.Name)
		}
	}
	if len(pods) > 0 {
		s.caveat("ContestedAdoption", fmt.Sprintf(
			"another controller may adopt %s first; the counts assume that this one does", strings.Join(pods, ", ")))
	}
}

// invalidCosts names deletion costs that count as 0 because they do not parse.
func (s *sync) invalidCosts() {
	if !s.behaviour.cost {
		return
	}
	for _, p := range s.claims.active {
		if _, valid := deletionCost(p); !valid {
			s.caveat("InvalidDeletionCost", fmt.Sprintf(
				"pod/%s: deletion cost %q is no integer from -2147483648 to 2147483647 without plus sign or leading zeros; it counts as 0",
				p.Name, p.Annotations["controller.kubernetes.io/pod-deletion-cost"]))
		}
	}
}

func list(names []string) string { return strings.Join(names, ", ") }
