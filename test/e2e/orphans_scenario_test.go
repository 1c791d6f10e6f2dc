package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/orphans"
)

// orphanScenario is a cluster of which `orphans` predicts what becomes of
// objects without a settled owner.
type orphanScenario struct {
	name string
	// setup runs while the controllers act, change while they are held.
	setup, change func(*world)
	// finds says of some objects which rule they come under: "pod/a AdoptOrphan".
	finds []string
	// then are beginnings of consequences that must be told.
	then []string
}

func runOrphanScenarios(t *testing.T, scenarios []orphanScenario) {
	for _, s := range scenarios {
		t.Run(s.name, s.run)
	}
}

func (s orphanScenario) run(t *testing.T) {
	w := newWorld(t, t.Name())
	if s.setup != nil {
		w.check(env.kcm.release(t.Context()))
		s.setup(w)
	}
	w.check(env.kcm.hold(t.Context(), killed))
	s.change(w)
	rep := w.orphans()
	s.checkFinds(w, rep)
	before := w.population()
	w.holdTo(predictOrphans(rep, before), before)
}

func (w *world) orphans() *orphans.Report {
	w.Helper()
	var d struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		orphans.Report
	}
	w.check(strictly(w.run(false, "orphans", "-o", "json"), &d))
	return &d.Report
}

// strictly reads JSON all of whose fields are known.
func strictly(text string, into any) error {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("%w in:\n%s", err, text)
	}
	return nil
}

func (s orphanScenario) checkFinds(w *world, rep *orphans.Report) {
	w.Helper()
	var found, then []string
	for _, f := range rep.Findings {
		found = append(found, f.Object.String()+" "+f.Rule)
		for _, c := range f.Then {
			then = append(then, c.Controller.String()+" "+c.Message)
		}
	}
	for _, want := range s.finds {
		if !slices.Contains(found, want) {
			w.Errorf("%q is not among what was found: %q", want, found)
		}
	}
	for _, want := range s.then {
		if !slices.ContainsFunc(then, func(c string) bool { return strings.HasPrefix(c, want) }) {
			w.Errorf("%q is not among the consequences: %q", want, then)
		}
	}
	for _, c := range rep.Caveats {
		w.Errorf("an administrator meets a caveat: %v", c)
	}
}
