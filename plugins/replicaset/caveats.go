package replicaset

import (
	"fmt"
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// caveats says what limits the answer: what was assumed, what could not be
// read, and what nobody outside the controller can know.
func (s *sync) caveats() {
	if s.profile.Caveat != "" {
		s.d.AddCaveat("VersionNotKnown", s.profile.Caveat)
	}
	for _, n := range s.r.Notes() {
		s.d.AddCaveat(n.Code, n.Message)
	}
	s.contested()
	s.invalidCosts()
	for _, n := range s.r.Gaps() {
		s.d.AddCaveat(n.Code, n.Message)
	}
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
		s.d.AddCaveat("ContestedAdoption", fmt.Sprintf(
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
			s.d.AddCaveat("InvalidDeletionCost", fmt.Sprintf(
				"pod/%s: deletion cost %q is no integer from -2147483648 to 2147483647 without plus sign or leading zeros; it counts as 0",
				p.Name, p.Annotations["controller.kubernetes.io/pod-deletion-cost"]))
		}
	}
}
