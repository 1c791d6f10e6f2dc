package cloneset

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/orphans"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
)

// predicted lists what the manager is said to do to objects that are there.
func (s *told) predicted() []string {
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

// judgeOwners compares what was done with what was predicted.
func (s *told) judgeOwners(done []string) {
	s.Helper()
	predicted := s.predicted()
	agree := slices.Equal(predicted, done)
	env.report.owners(s.Name(), predicted, done, agree)
	if !agree {
		s.Errorf("%s\npredicted: %q\ndone:     %q", s.report.Answer, predicted, done)
	}
	var found, follow []string
	for _, f := range s.report.Findings {
		found = append(found, f.Object.String()+" "+f.Rule)
		for _, c := range f.Then {
			follow = append(follow, c.Controller.String()+" "+c.Message)
		}
	}
	for _, want := range s.follow {
		if !slices.ContainsFunc(follow, func(c string) bool { return strings.HasPrefix(c, want) }) {
			s.Errorf("%q is not among the consequences: %q", want, follow)
		}
	}
	for _, want := range s.finds {
		if !slices.Contains(found, want) {
			s.Errorf("%q is not among what was found: %q", want, found)
		}
	}
	for _, want := range s.deeds {
		if !slices.Contains(predicted, want) {
			s.Errorf("%q was not predicted, but %q", want, predicted)
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

// failsAbroad: who asks about all namespaces is told what the UnitedDeployment
// fails on, and so it does.
func (w *world) failsAbroad() {
	w.Helper()
	var rep orphans.Report
	w.run(&rep, "orphans", "-A", "controllerrevisions")
	told := slices.ContainsFunc(rep.Findings, func(f orphans.Finding) bool {
		return f.Object.Name == "abroad" && f.Rule == ownership.FailsAbroad && f.Facts.Str("namespace") == w.namespace
	})
	if !told {
		w.Errorf("nobody tells of it: %s", rep.Answer)
	}
	w.waitFor("the UnitedDeployment to fail", func(ctx context.Context) (bool, error) {
		events, err := env.client.CoreV1().Events(w.namespace).List(ctx, metav1.ListOptions{FieldSelector: "reason=FailedRevisionProvision"})
		return err == nil && len(events.Items) > 0 && strings.Contains(events.Items[0].Message, "cross-namespace"), err
	})
}

// replacesSecond: the pod that was adopted gives way to one of the newest
// revision.
func (w *world) replacesSecond() {
	w.Helper()
	w.waitFor("another "+web+"-1", func(context.Context) (bool, error) {
		for _, p := range w.pods() {
			if p.Name == web+"-1" && p.Labels[appsv1.ControllerRevisionHashLabelKey] != "" {
				return true, nil
			}
		}
		return false, nil
	})
}
