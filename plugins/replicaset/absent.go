package replicaset

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ranking"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// mostAbsent bounds the absent siblings of which every choice is tried. Of more,
// nothing is said to be certain.
const mostAbsent = 4

// doubtPeers takes back what is certain only if no set that the files lack is a
// sibling. Who controls such a set is not known, nor what it selects; see podsOf.
func (s *sync) doubtPeers(out *decision.Ranking) {
	if !s.hasSiblings() {
		return
	}
	absent := ownership.AbsentControllers(s.r, s.set.kind, view.Pods, s.set.Namespace)
	if len(absent) == 0 {
		return
	}
	fates := map[decision.Ref]decision.Fate{}
	for _, row := range out.Rows {
		fates[row.Object] = row.Fate
	}
	if len(absent) > mostAbsent {
		s.doubtAll(out, fates, absent)
		return
	}
	var matter []ownership.Absent // those with which something changes
	for _, counted := range choices(absent) {
		if s.doubtFates(fates, counted, out) {
			for _, a := range counted {
				if !slices.ContainsFunc(matter, func(m ownership.Absent) bool { return m.Ref == a.Ref }) {
					matter = append(matter, a)
				}
			}
		}
	}
	if len(matter) > 0 {
		s.takeBack(out, fates, matter)
	}
}

// doubtFates ranks again with the Pods of absent siblings counted. It reports
// whether any fate is another.
func (s *sync) doubtFates(fates map[decision.Ref]decision.Fate, absent []ownership.Absent, out *decision.Ranking) (changed bool) {
	items := s.traits(s.peers(absent))
	steps := comparatorOf(s.behaviour, s.now).steps
	order, _ := s.behaviour.cut(items, steps, ranking.Sort(items, steps), out.Cut)
	out.HoldsUntil = earliest(out.HoldsUntil, s.holdsUntil(items, out.Cut, order))
	then := map[decision.Ref]decision.Fate{}
	for _, b := range order.Blocks() {
		for _, i := range order.Items[b.Start:b.End] {
			then[items[i].ref()] = fate(b, out.Cut)
		}
	}
	for _, row := range out.Rows {
		if then[row.Object] != row.Fate {
			fates[row.Object], changed = decision.AtRisk, true
		}
	}
	return changed
}

// doubtAll takes back everything, if Pods of absent siblings are on any node that
// the ranking looks at.
func (s *sync) doubtAll(out *decision.Ranking, fates map[decision.Ref]decision.Fate, absent []ownership.Absent) {
	nodes := map[string]bool{}
	for _, p := range s.claims.active {
		nodes[p.Spec.NodeName] = true
	}
	if !slices.ContainsFunc(s.podsOf(absent), func(p *corev1.Pod) bool { return nodes[p.Spec.NodeName] && isActive(p) }) {
		return
	}
	for ref := range fates {
		fates[ref] = decision.AtRisk
	}
	s.takeBack(out, fates, absent)
}

// takeBack makes possible what is not certain, and says why.
func (s *sync) takeBack(out *decision.Ranking, fates map[decision.Ref]decision.Fate, absent []ownership.Absent) {
	k, n := out.Cut, 0
	for i := range out.Rows {
		row := &out.Rows[i]
		row.Fate = fates[row.Object]
		switch row.Fate {
		case decision.Doomed:
			k--
		case decision.AtRisk:
			n++
		}
	}
	var names []string
	for _, a := range absent[:min(len(absent), format.Most)] {
		names = append(names, a.Ref.String())
		s.r.Lack(view.Need{Kind: s.set.kind, Namespace: s.set.Namespace, Name: a.Ref.Name,
			IfMissing: "whether its Pods count as related, and change the order, is not known"}, ownership.RefTo(view.Pods, a.Objects[0]).String())
	}
	r := decision.Ruled(SiblingUnread, decision.F(decision.KeyK, k), decision.F(decision.KeyN, n), decision.F(keyAbsent, format.Some(names, len(absent))))
	out.Undetermined = &r
}

// choices are all choices of absent siblings.
func choices(absent []ownership.Absent) [][]ownership.Absent {
	var out [][]ownership.Absent
	for choice := 1; choice < 1<<len(absent); choice++ {
		var one []ownership.Absent
		for i := range absent {
			if choice>>i&1 == 1 {
				one = append(one, absent[i])
			}
		}
		out = append(out, one)
	}
	return out
}

// podsOf are the Pods that absent siblings select, each once: those that refer to
// them, and those that have all labels that these have in common.
func (s *sync) podsOf(absent []ownership.Absent) []*corev1.Pod {
	seen := map[types.UID]bool{}
	var pods []*corev1.Pod
	add := func(pod *corev1.Pod) {
		if !seen[pod.UID] {
			seen[pod.UID] = true
			pods = append(pods, pod)
		}
	}
	for _, a := range absent {
		common := labels.Set(a.Objects[0].GetLabels())
		for _, o := range a.Objects {
			common = shared(common, o.GetLabels())
			need := s.podsNeed()
			need.Name = o.GetName()
			if pod, ok := view.Get[*corev1.Pod](s.r, need); ok {
				add(pod)
			}
		}
		if len(common) == 0 {
			continue
		}
		for _, pod := range view.List[*corev1.Pod](s.r, s.podsNeed(), labels.SelectorFromSet(common)) {
			add(pod)
		}
	}
	return pods
}

// shared are the labels that two sets have in common.
func shared(a, b labels.Set) labels.Set {
	out := labels.Set{}
	for key, value := range a {
		if other, ok := b[key]; ok && other == value {
			out[key] = value
		}
	}
	return out
}
