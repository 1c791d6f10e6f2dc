package html_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render/html"
)

// sections is a Decision in which each section of an answer has a word of its own.
func sections() *decision.Decision {
	ref := func(kind, name string) decision.Ref { return decision.Ref{Kind: kind, Namespace: "shop", Name: name} }
	said := func(word string) decision.Ruling { return decision.Ruling{Rule: "R", Message: word} }
	d := &decision.Decision{
		Target: ref("Deployment", "web"), Answer: "the-answer.",
		Actions:  []decision.Action{{Verb: decision.Delete, Object: ref("Pod", "p"), Count: 1, Certainty: decision.Certain, Ruling: said("the-action")}},
		Sets:     []decision.Set{{Object: ref("ReplicaSet", "the-set"), Role: decision.New}},
		Updates:  []decision.Update{{Object: ref("Pod", "u"), State: decision.Waiting, Ruling: said("the-update")}},
		Reasons:  []decision.Reason{{Question: "so", Ruling: said("the-reason")}},
		WhatIf:   []decision.Change{{Object: ref("Deployment", "web"), Path: "the-change", From: "1", To: "2"}},
		Evidence: []decision.Evidence{{Source: ref("Event", "e"), Ruling: said("the-evidence")}},
		Modelled: decision.Modelled{Controller: "the-model", Version: "1.37"},
		Caveats:  []decision.Caveat{{Code: "C", Message: "the-caveat", Partial: true}},
		Pending:  true,
	}
	d.Summary.DeleteCertain = 1
	s := decision.Standing{State: decision.StateBlocked, Headline: "the-state."}
	s.Add(decision.Cause{Object: ref("Lease", "l"), Message: "the-blocker", Blocked: true})
	s.Add(decision.Cause{Object: ref("Pod", "p"), Message: "the-pod", Blocked: true, Pod: &decision.PodColumns{Created: time.Unix(0, 0)}})
	d.Stand(s)
	return d
}

// asItIs takes the what-if from a Decision: explain has none.
func asItIs(d *decision.Decision) *decision.Decision {
	d.WhatIf = nil
	return d
}

// rounds lets a Decision go on for a round.
func rounds(d *decision.Decision) *decision.Decision {
	d.Timeline = &decision.Timeline{Answer: "the-answer.", Cost: "the-cost.", Rounds: []decision.Round{{Number: 1, Actions: []decision.Action{
		{Verb: decision.Delete, Object: decision.Ref{Kind: "Pod", Namespace: "shop", Name: "the-round"}, Certainty: decision.Certain},
	}}}}
	return d
}

// TestOrderOfText: a page has its sections in the order of the text for people.
func TestOrderOfText(t *testing.T) {
	words := []string{"the-state", "the-answer", "the-blocker", "the-pod", "the-cost", "the-round", "the-action", "the-set", "the-update", "the-reason", "the-change", "the-evidence", "the-model", "the-caveat"}
	for name, tt := range map[string]struct {
		d     *decision.Decision
		text  func(*strings.Builder, *decision.Decision) error
		plans bool
		least int
	}{
		"explain": {asItIs(sections()), func(b *strings.Builder, d *decision.Decision) error { return render.Explain(b, d, render.Options{}) }, false, 10},
		"plan":    {sections(), func(b *strings.Builder, d *decision.Decision) error { return render.Plan(b, d, render.Options{}) }, true, 9},
		"rounds":  {rounds(sections()), func(b *strings.Builder, d *decision.Decision) error { return render.Plan(b, d, render.Options{}) }, true, 8},
	} {
		t.Run(name, func(t *testing.T) {
			var text, page strings.Builder
			if err := tt.text(&text, tt.d); err != nil {
				t.Fatal(err)
			}
			if err := html.Decisions(&page, []*decision.Decision{tt.d}, nil, html.About{Plans: tt.plans}); err != nil {
				t.Fatal(err)
			}
			_, main, _ := strings.Cut(page.String(), "<main>")
			both := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !strings.Contains(text.String(), w) || !strings.Contains(main, w) })
			if len(both) < tt.least {
				t.Fatalf("only %v in both of\n%s\n%s", both, text.String(), main)
			}
			if diff := cmp.Diff(order(text.String(), both), order(main, both)); diff != "" {
				t.Errorf("text and page differ: %s", diff)
			}
		})
	}
}

// order is words in the order in which a text has them first.
func order(text string, words []string) string {
	words = slices.SortedFunc(slices.Values(words), func(a, b string) int { return strings.Index(text, a) - strings.Index(text, b) })
	return fmt.Sprint(words)
}
