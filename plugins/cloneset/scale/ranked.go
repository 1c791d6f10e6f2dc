package scale

import (
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ranking"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/order"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
)

// why says what put the pod at place i before the cut: the first step that
// tells it from the first pod that stays.
func (st *stage) why(s *scaling, i int) decision.Ruling {
	if st.cut == len(st.items) {
		return decision.Ruled(rules.AllOfGroup, decision.F(rules.KeyAmong, st.among), decision.F(decision.KeyN, len(st.items)))
	}
	return s.compare(st, i, st.cut).Ruling
}

// compare says what puts the pod at place i before or behind the one at j.
func (s *scaling) compare(st *stage, i, j int) *decision.Comparison {
	a, b := &st.items[st.order.Items[i]], &st.items[st.order.Items[j]]
	res := ranking.Compare(order.Plain(st.criteria), a, b)
	versus := decision.F(decision.KeyVersus, s.short(b.Ref.Name))
	if res.Step < 0 {
		return &decision.Comparison{Versus: b.Ref, Ruling: decision.Ruled(rules.TiedForDeletion, versus)}
	}
	c, op := st.criteria[res.Step], "<"
	if (res.Sign > 0) != c.Descending {
		op = ">"
	}
	mine, theirs := c.Values(a, b)
	return &decision.Comparison{Versus: b.Ref, Ruling: decision.Ruled(c.ID, decision.F(decision.KeyColumn, c.Column),
		decision.F(decision.KeyValue, mine), decision.F(decision.KeyOp, op), decision.F(decision.KeyOther, theirs), versus)}
}

// short drops the set's own name from a pod's.
func (s *scaling) short(pod string) string {
	if rest, ok := strings.CutPrefix(pod, s.Set.GetName()+"-"); ok && rest != "" {
		return rest
	}
	return pod
}

// showRanking puts the order of one group on record.
func (s *scaling) showRanking(st *stage, going victims) {
	if st.ranker == nil {
		return
	}
	out := &decision.Ranking{Among: st.among, Cut: st.cut}
	for _, c := range st.criteria {
		out.Criteria = append(out.Criteria, decision.Criterion{Rule: c.ID, Column: c.Column})
	}
	for n, b := range st.order.Blocks() {
		for i := b.Start; i < b.End; i++ {
			out.Rows = append(out.Rows, s.rankedRow(st, i, n+1, going))
		}
	}
	for _, t := range st.items {
		if c := going.tosses[t.PodState]; c != nil {
			r := going.tied(c)
			out.Undetermined = &r
			break
		}
	}
	s.Decision.Rank(out)
}

func (s *scaling) rankedRow(st *stage, i, block int, going victims) decision.Ranked {
	t := &st.items[st.order.Items[i]]
	row := decision.Ranked{Object: t.Ref, Node: t.Pod.Spec.NodeName, Fate: decision.Safe, Block: block}
	for _, c := range st.criteria {
		row.Values = append(row.Values, c.Show(t))
	}
	switch f := going.fate[t.PodState]; {
	case f.always:
		row.Fate, row.DecidedBy = decision.Doomed, s.compare(st, i, st.cut)
	case f.sometimes:
		row.Fate = decision.AtRisk
	case i >= st.cut:
		row.DecidedBy = s.compare(st, i, st.cut-1)
	default:
		row.DecidedBy = &decision.Comparison{Versus: t.Ref, Ruling: going.stays(t.PodState)}
	}
	return row
}
