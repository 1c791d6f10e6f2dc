package deployment

import (
	"fmt"
	"reflect"
	"slices"

	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// contest takes back what is certain only because this Deployment adopts
// ReplicaSets that others may adopt first. The sync is decided again for each
// choice of others that come first.
func (s *sync) contest(t view.Target) (courses []*sync, listed bool, err error) {
	if len(s.claims.contested) == 0 || s.r.Provisional() {
		return nil, false, nil
	}
	losses, all := ownership.Losses(s.r, view.ReplicaSets, s.d.UID, s.claims.contested)
	for _, lost := range losses {
		other, err := begin(s.r, s.profile, t, s.given, lost)
		if err != nil {
			return nil, false, err
		}
		s.compare(other, all)
		courses = append(courses, other)
	}
	return courses, all, nil
}

// compare makes possible what another course does not do, or does otherwise.
func (s *sync) compare(other *sync, all bool) {
	for i := range s.out.Actions {
		a := &s.out.Actions[i]
		same := func(o decision.Action) bool {
			return o.Verb == a.Verb && o.Object == a.Object && ptr.Equal(o.From, a.From) && ptr.Equal(o.To, a.To) &&
				(a.Verb != decision.Modify || reflect.DeepEqual(o.Ruling, a.Ruling)) // what is written
		}
		if !all && a.Verb != decision.Release || !slices.ContainsFunc(other.out.Actions, same) {
			a.Doubt()
		}
	}
}

// contestedFields marks the status fields that another course writes otherwise.
func (s *sync) contestedFields(fields []decision.FieldChange) []decision.FieldChange {
	for _, other := range s.courses {
		theirs := other.statusFields(other.finalStatus())
		for i, f := range fields {
			same := func(o decision.FieldChange) bool { return o.Field == f.Field && o.Next == f.Next }
			if !s.listed || !slices.ContainsFunc(theirs, same) {
				fields[i].Certainty = decision.Possible
			}
		}
	}
	return fields
}

// contested warns that the answer assumes an adoption.
func (s *sync) contested() {
	if c := s.adoptedFirst(); c != nil {
		s.out.AddCaveat(c.Code, c.Message)
	}
}

// adoptedFirst is the caveat that others may adopt ReplicaSets first, nil where
// none may.
func (s *sync) adoptedFirst() *decision.Caveat {
	if len(s.claims.contested) == 0 {
		return nil
	}
	return &decision.Caveat{Code: "ContestedAdoption", Message: fmt.Sprintf(
		"another controller may adopt %s first; what is said assumes that this one does", ownership.NamesOf(s.claims.contested))}
}
