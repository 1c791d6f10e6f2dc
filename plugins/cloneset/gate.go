package cloneset

import (
	"maps"
	"slices"
	"time"

	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/wording"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
)

// gate says whether the sync gets past its scale expectations; while it does
// not, nothing happens at all, not even a status update
// (cloneset_controller.go doReconcile, v1.9.1).
func (s *sync) gate() bool {
	r := s.given.Scale
	s.d.Gate = decision.Gate{Basis: "computed"}
	switch {
	case s.set.Invalid != nil:
		s.d.Gate.Ruling = decision.Ruled(rules.SelectorInvalid, decision.At("error", s.set.Invalid.Error(), "spec.selector"))
	case r == nil || len(r.Creates)+len(r.Deletes) == 0:
		s.d.Gate.Open, s.d.Gate.Ruling = true, decision.Ruled(rules.NoExpectations)
	default:
		s.scaleExpected(r)
		return false
	}
	if !s.d.Gate.Open {
		s.d.NextSync = decision.Ruled(rules.NextOnPodEvent)
	}
	return s.d.Gate.Open
}

func (s *sync) scaleExpected(r *ScaleRecord) {
	waited := time.Duration(0)
	if !r.Since.IsZero() {
		waited = s.now.Sub(r.Since)
	}
	facts := []decision.Fact{
		decision.F("creates", wording.List(r.Creates)), decision.F("deletes", wording.List(r.Deletes)),
		decision.F("waited", waited.String()), decision.F("left", (timeout - waited).String()),
	}
	switch {
	case waited < timeout:
		s.waits(decision.Ruled(rules.ScaleExpected, facts...), timeout-waited)
	case s.behaviour.DropExpired:
		s.waits(decision.Ruled(rules.ScaleExpectationDropped, facts...), 10*time.Second)
	default:
		s.waits(decision.Ruled(rules.ScaleExpectedForever, facts...), 0)
	}
}

// versionsSeen says whether the sync gets past its resource version
// expectations, in the order of the pods.
func (s *sync) versionsSeen() bool {
	first, found := time.Duration(0), ""
	for _, m := range s.pods {
		since, expected := s.given.Versions[m.Name]
		if !expected || m.Adopted { // an adoption brings the newest version
			continue
		}
		switch waited := s.now.Sub(since); {
		case found == "":
			first, found = waited, m.Name
		case waited != first:
			s.chance.expectsMany()
		}
	}
	if found == "" {
		return true
	}
	facts := []decision.Fact{decision.F("pod", found), decision.F("waited", first.String()), decision.F("left", (timeout - first).String())}
	if first >= timeout {
		s.waits(decision.Ruled(rules.VersionExpectedForever, facts...), 0)
	} else {
		s.waits(decision.Ruled(rules.VersionExpected, facts...), timeout-first)
	}
	return false
}

// waits closes the gate for an expectation, which is looked at again after a while,
// 0 for not.
func (s *sync) waits(why decision.Ruling, after time.Duration) {
	s.d.Gate = decision.Gate{Basis: "computed", Ruling: why}
	s.d.After, s.d.NextSync = after, decision.Ruled(rules.NextOnPodEvent)
	if after > 0 {
		s.d.NextSync = decision.Ruled(rules.ExpectationCheck, decision.F("after", after.String()))
	}
}

// record is what the simulated controller expects to see after this sync.
type record struct {
	creates  int
	claims   int
	deletes  []string
	possible []string
	// shares counts the possible ones of each choice.
	shares   map[*decision.Choice]int
	versions map[string]bool
	// dropped: creations and deletions are expected for the timeout at most.
	dropped bool
}

// perhaps records the deletion of an object that chance decides.
func (r *record) perhaps(key string, share *decision.Choice) {
	if r.shares == nil {
		r.shares = map[*decision.Choice]int{}
	}
	r.possible = append(r.possible, key)
	r.shares[share]++
}

// most is how many of the possible deletions there are at most, where all pods of
// a choice have as many claims.
func (r *record) most() int {
	n := 0
	for share, possible := range r.shares {
		each := (possible + share.N - 1) / share.N
		n += min(possible, share.K*each)
	}
	return n
}

func (r *record) version(name string) {
	if r.versions == nil {
		r.versions = map[string]bool{}
	}
	r.versions[name] = true
}

// show is the record as printed, nil for an empty one.
func (r *record) show() *decision.Expectation {
	if r.creates+r.claims+len(r.deletes)+len(r.possible)+len(r.versions) == 0 {
		return nil
	}
	e := &decision.Expectation{
		Adds: int64(r.creates + r.claims), Dels: int64(len(r.deletes) + r.most()),
		DeleteKeys: r.deletes, PossibleKeys: r.possible,
		Versions: slices.Sorted(maps.Keys(r.versions)),
		Forever:  true,
	}
	if r.dropped && len(r.versions) == 0 {
		e.Forever, e.ExpiresIn = false, ptr.To(decision.Span(timeout))
	}
	return e
}
