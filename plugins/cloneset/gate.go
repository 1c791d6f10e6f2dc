package cloneset

import (
	"maps"
	"slices"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/wording"
)

// gate says whether the sync gets past its scale expectations; while it does
// not, nothing happens at all, not even a status update
// (cloneset_controller.go doReconcile, v1.9.1).
func (s *sync) gate() bool {
	r := s.given.Scale
	s.d.Gate = decision.Gate{Basis: "computed"}
	switch {
	case s.set.invalid != nil:
		s.d.Gate.Ruling = decision.Ruled(SelectorInvalid, decision.At("error", s.set.invalid.Error(), "spec.selector"))
	case r == nil || len(r.Creates)+len(r.Deletes) == 0:
		s.d.Gate.Open, s.d.Gate.Ruling = true, decision.Ruled(NoExpectations)
	default:
		s.d.Gate.Ruling = s.scaleExpected(r)
	}
	if !s.d.Gate.Open {
		s.d.NextSync = decision.Ruled(NextOnPodEvent)
		s.waitFor(s.d.Gate.Ruling)
	}
	return s.d.Gate.Open
}

func (s *sync) scaleExpected(r *ScaleRecord) decision.Ruling {
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
		return decision.Ruled(ScaleExpected, facts...)
	case s.behaviour.dropExpired:
		return decision.Ruled(ScaleExpectationDropped, facts...)
	default:
		return decision.Ruled(ScaleExpectedForever, facts...)
	}
}

// versionsSeen says whether the sync gets past its resource version
// expectations, in the order of the pods.
func (s *sync) versionsSeen() bool {
	var first *decision.Ruling
	for _, m := range s.pods {
		since, expected := s.given.Versions[m.Name]
		if !expected || m.adopted { // an adoption brings the newest version
			continue
		}
		r := versionExpected(m.Name, s.now.Sub(since))
		if first == nil {
			first = &r
		} else if r.Facts.Str("waited") != first.Facts.Str("waited") {
			s.manyExpected = true
		}
	}
	if first == nil {
		return true
	}
	s.d.Gate = decision.Gate{Basis: "computed", Ruling: *first}
	s.d.NextSync = decision.Ruled(NextOnPodEvent)
	s.waitFor(*first)
	return false
}

func versionExpected(pod string, waited time.Duration) decision.Ruling {
	rule := VersionExpected
	if waited >= timeout {
		rule = VersionExpectedForever
	}
	return decision.Ruled(rule, decision.F("pod", pod), decision.F("waited", waited.String()), decision.F("left", (timeout-waited).String()))
}

// waitFor sets the timer that an expectation leaves.
func (s *sync) waitFor(r decision.Ruling) {
	switch r.Rule {
	case ScaleExpected, VersionExpected:
		s.d.NextSync = decision.Ruled(ExpectationCheck, decision.F("after", r.Facts.Str("left")))
	case ScaleExpectationDropped:
		s.d.NextSync = decision.Ruled(ExpectationCheck, decision.F("after", (10*time.Second).String()))
	}
}

// record is what the embedded run expects to see after this sync.
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
		Age:      "0s", Forever: true,
	}
	if r.dropped && len(r.versions) == 0 {
		e.Forever, e.ExpiresIn = false, timeout.String()
	}
	return e
}
