package cloneset

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

// rivals are the controllers that may adopt Pods before this sync does.
type rivals struct {
	// lost are the Pods that they adopt first, in one of the courses that the sync
	// compares with its own, which are courses.
	lost    ownership.Lost
	courses []*sync
}

// adopt makes an adoption possible that another controller may make first. The
// Pod then keeps its reference to this set, which ignores it (claimObject of
// pkg/util/refmanager, v1.9.1).
func (s *sync) adopt(pod *corev1.Pod, v ownership.Verdict) {
	s.claims.active = append(s.claims.active, pod)
	names, n := ownership.PodRivals(s.Reader, s.Set.GetUID(), pod)
	if n > 0 {
		v.Ruling = decision.Ruled(ownership.AdoptContested, decision.F("selector", s.Set.Selector.String()), decision.F("rivals", names))
		s.claims.contested = append(s.claims.contested, pod)
	}
	s.verdict(pod, v.Hold, v.Ruling)
	if s.own(decision.Adopt, pod, v) && n > 0 {
		a := &s.claims.actions[len(s.claims.actions)-1]
		a.Certainty, a.Choice = decision.Possible, &decision.Choice{K: 1, N: n + 1}
	}
}

// contest takes back what is certain only because this set adopts Pods that
// others may adopt first. The sync is decided again for each choice of others
// that come first.
func (s *sync) contest() {
	if len(s.claims.contested) == 0 || s.Reader.Provisional() {
		return
	}
	losses, all := ownership.PodLosses(s.Reader, s.Set.GetNamespace(), s.Set.GetUID(), s.claims.contested)
	for _, lost := range losses {
		o := s.without(lost)
		s.rivals.courses = append(s.rivals.courses, o)
		s.compareActions(o, all)
		s.compareRankings(o)
		s.compareUpdates(o)
		s.compareStatus(o)
	}
	s.Decision.MarkPossibleKeys()
}

// without is the sync had others adopted the lost Pods.
func (s *sync) without(lost ownership.Lost) *sync {
	o := begin(s.Reader, s.Kubernetes, s.Kruise, s.Set, s.Given)
	o.rivals.lost = lost
	o.run()
	o.summarize()
	return o
}

// compareActions makes possible what another course does not do, or does only
// by chance.
func (s *sync) compareActions(o *sync, all bool) {
	for i := range s.Decision.Actions {
		a := &s.Decision.Actions[i]
		same := func(b decision.Action) bool {
			return b.Verb == a.Verb && b.Object == a.Object && b.Count >= a.Count && b.Certainty == a.Certainty && sameChoice(a.Choice, b.Choice) && a.Into == b.Into
		}
		settled := a.Verb == decision.Release || a.Verb == decision.Adopt // before anything hangs on the Pods
		switch {
		case settled || all && slices.ContainsFunc(o.Decision.Actions, same):
		case a.Choice != nil:
			a.Choice.AtMost = true
		default:
			a.Certainty = decision.Possible
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
func (s *sync) compareRankings(o *sync) {
	certain, possible := map[decision.Ref]bool{}, map[decision.Ref]bool{}
	for _, a := range s.Decision.Actions {
		certain[a.Object] = certain[a.Object] || a.Verb != decision.Adopt && a.Certainty == decision.Certain
	}
	for _, a := range o.Decision.Actions {
		possible[a.Object] = possible[a.Object] || a.Verb == decision.Delete || a.StartsDeletion
	}
	for _, ranking := range append([]*decision.Ranking{s.Decision.Ranking}, s.Decision.MoreRankings...) {
		for i := 0; ranking != nil && i < len(ranking.Rows); i++ {
			row := &ranking.Rows[i]
			if row.Fate == decision.Doomed && !certain[row.Object] || row.Fate == decision.Safe && possible[row.Object] {
				row.Fate = decision.AtRisk
			}
		}
	}
}

// compareUpdates marks the Pods whose update goes otherwise in another course.
func (s *sync) compareUpdates(o *sync) {
	other := map[decision.Ref]decision.Update{}
	for _, u := range o.Decision.Updates {
		other[u.Object] = u
	}
	for i := range s.Decision.Updates {
		u := &s.Decision.Updates[i]
		if then, ok := other[u.Object]; !ok || then.Course != u.Course || then.Certainty != u.Certainty {
			u.Certainty = decision.Possible
		}
	}
}

// compareStatus marks the status fields that another course writes otherwise.
func (s *sync) compareStatus(o *sync) {
	other := map[string]string{}
	for _, f := range o.Decision.Status.Fields {
		other[f.Field] = f.Next
	}
	for i := range s.Decision.Status.Fields {
		f := &s.Decision.Status.Fields[i]
		if next, ok := other[f.Field]; !ok || next != f.Next {
			f.Certainty = decision.Possible
		}
	}
}

// contested warns that counts assume this set wins every Pod that others may
// adopt, and says what it does when it wins none.
func (s *sync) contested() {
	if len(s.rivals.courses) == 0 {
		return
	}
	bare := slices.MaxFunc(s.rivals.courses, func(a, b *sync) int { return cmp.Compare(a.rivals.lost.Len(), b.rivals.lost.Len()) })
	will, may := answer.Phrases(bare.Decision)
	would := "does nothing"
	if all := append(will, may...); len(all) > 0 {
		would = "would " + strings.Join(all, ", ")
	}
	s.Decision.AddCaveat("ContestedAdoption", fmt.Sprintf("another controller may adopt %s first; the counts assume that this one does; without any of them it %s",
		ownership.NamesOf(s.claims.contested), would))
}
