package cloneset

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/orphans"
)

// foretold lists what the manager is said to do to objects that are there.
func (s *told) foretold() []string {
	deeds := map[string]bool{}
	for _, d := range s.owners {
		deeds[d] = true
	}
	for _, f := range s.report.Findings {
		switch f.Group {
		case orphans.Adopted:
			for _, c := range f.Candidates {
				if c.Adopts {
					deeds[fmt.Sprintf("%s adopted by %s", f.Object, c.Controller)] = true
				}
			}
		case orphans.Released:
			for _, l := range f.Links {
				if l.Controller {
					deeds[fmt.Sprintf("%s released by %s", f.Object, l.Owner)] = true
				}
			}
		case orphans.LeftBehind:
			if f.Rule == orphans.UnusedClaim && f.Facts.Str("disablePVCReuse") == "true" {
				deeds[f.Object.String()+" deleted"] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(deeds))
}

// judgeOwners compares what was done with what was foretold.
func (s *told) judgeOwners(done []string) {
	s.Helper()
	foretold := s.foretold()
	agree := slices.Equal(foretold, done)
	env.report.owners(s.Name(), foretold, done, agree)
	if !agree {
		s.Errorf("%s\nforetold: %q\ndone:     %q", s.report.Answer, foretold, done)
	}
	var found []string
	for _, f := range s.report.Findings {
		found = append(found, f.Object.String()+" "+f.Rule)
	}
	for _, want := range s.finds {
		if !slices.Contains(found, want) {
			s.Errorf("%q is not among what was found: %q", want, found)
		}
	}
	for _, want := range s.deeds {
		if !slices.Contains(foretold, want) {
			s.Errorf("%q was not foretold, but %q", want, foretold)
		}
	}
	if n := unusedClaims(s.report); n != s.left {
		s.Errorf("%d claims were found to be left behind, want %d", n, s.left)
	}
	if s.then != nil {
		s.then(s.world)
	}
}

func unusedClaims(rep *orphans.Report) int {
	n := 0
	for _, f := range rep.Findings {
		if f.Rule == orphans.UnusedClaim {
			n++
		}
	}
	return n
}

// leavesNone: every claim that is there belongs to a pod, and the pods are as
// many as they should be.
func (w *world) leavesNone() { w.leaves(0, 2) }

func (w *world) leavesOne() { w.leaves(1, 1) }

func (w *world) leaves(claims, pods int) {
	w.Helper()
	w.waitFor("the claims", func(context.Context) (bool, error) {
		if n, there := unusedClaims(w.orphans()), len(w.pods()); n != claims || there != pods {
			return false, fmt.Errorf("%d claims are left behind, with %d pods; want %d with %d", n, there, claims, pods)
		}
		return true, nil
	})
}
