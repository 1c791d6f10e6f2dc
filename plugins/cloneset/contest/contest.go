// Package contest answers: what of a sync holds whoever adopts Pods that several
// controllers may adopt?
package contest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/answer"
)

// Course is the sync had others adopted the lost Pods.
type Course struct {
	Lost     ownership.Lost
	Decision *decision.Decision
}

// TakeBack makes possible what is certain only because this set adopts Pods that
// others may adopt first: what not every course has. all tells that there are no more
// courses.
func TakeBack(d *decision.Decision, courses []Course, all bool) {
	for _, c := range courses {
		compareActions(d, c.Decision, all)
		compareRankings(d, c.Decision)
		compareUpdates(d, c.Decision)
		compareStatus(d, c.Decision)
	}
	d.MarkPossibleKeys()
}

// compareActions makes possible what another course does not do, or does only
// by chance.
func compareActions(d, o *decision.Decision, all bool) {
	for i := range d.Actions {
		a := &d.Actions[i]
		same := func(b decision.Action) bool {
			return b.Verb == a.Verb && b.Object == a.Object && b.Count >= a.Count && b.Certainty == a.Certainty && sameChoice(a.Choice, b.Choice) && a.Into == b.Into
		}
		settled := a.Verb == decision.Release || a.Verb == decision.Adopt // before anything hangs on the Pods
		switch {
		case settled || all && slices.ContainsFunc(o.Actions, same):
		case a.Choice != nil:
			a.Choice.AtMost = true
		default:
			a.Doubt()
		}
	}
}

func sameChoice(a, b *decision.Choice) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.K == b.K && a.N == b.N && a.Of == b.Of && (a.AtMost || !b.AtMost)
}

// compareRankings takes back the fates that another course contradicts.
func compareRankings(d, o *decision.Decision) {
	certain, possible := map[decision.Ref]bool{}, map[decision.Ref]bool{}
	for _, a := range d.Actions {
		certain[a.Object] = certain[a.Object] || a.Verb != decision.Adopt && a.Certainty == decision.Certain
	}
	for _, a := range o.Actions {
		possible[a.Object] = possible[a.Object] || a.Verb == decision.Delete || a.StartsDeletion
	}
	for _, ranking := range append([]*decision.Ranking{d.Ranking}, d.MoreRankings...) {
		for i := 0; ranking != nil && i < len(ranking.Rows); i++ {
			row := &ranking.Rows[i]
			if row.Fate == decision.Doomed && !certain[row.Object] || row.Fate == decision.Safe && possible[row.Object] {
				row.Fate = decision.AtRisk
			}
		}
	}
}

// compareUpdates marks the Pods whose update goes otherwise in another course.
func compareUpdates(d, o *decision.Decision) {
	other := map[decision.Ref]decision.Update{}
	for _, u := range o.Updates {
		other[u.Object] = u
	}
	for i := range d.Updates {
		u := &d.Updates[i]
		if then, ok := other[u.Object]; !ok || then.State != u.State || then.Certainty != u.Certainty {
			u.Doubt()
		}
	}
}

// compareStatus marks the status fields that another course writes otherwise.
func compareStatus(d, o *decision.Decision) {
	other := map[string]string{}
	for _, f := range o.Status.Fields {
		other[f.Field] = f.Next
	}
	for i := range d.Status.Fields {
		f := &d.Status.Fields[i]
		if next, ok := other[f.Field]; !ok || next != f.Next {
			f.Certainty = decision.Possible
		}
	}
}

// Caveat warns that counts assume this set wins every Pod that others may
// adopt, and says what it does when it wins none.
func Caveat(courses []Course, contested []*corev1.Pod) (code, message string) {
	bare := slices.MaxFunc(courses, func(a, b Course) int { return cmp.Compare(a.Lost.Len(), b.Lost.Len()) })
	will, may := answer.Phrases(bare.Decision)
	would := "does nothing"
	if all := slices.Concat(will, may); len(all) > 0 {
		would = "would " + strings.Join(all, ", ")
	}
	return "ContestedAdoption", fmt.Sprintf("another controller may adopt %s first; the counts assume that this one does; without any of them it %s",
		ownership.NamesOf(contested), would)
}
