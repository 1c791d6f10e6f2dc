package replicaset

import (
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ranking"
)

// compareAcrossCut tells, for each pod whose fate is certain, what decided it
// against its nearest neighbour of another fate.
func (s *sync) compareAcrossCut(items []traits, by comparator, order ranking.Order, out *decision.Ranking) {
	firstKept, lastGoing := 0, 0
	for i, row := range out.Rows {
		if row.Fate == decision.Doomed {
			firstKept = i + 1
		}
		if row.Fate != decision.Safe {
			lastGoing = i
		}
	}
	for i := range out.Rows {
		neighbour := firstKept
		switch out.Rows[i].Fate {
		case decision.AtRisk:
			continue
		case decision.Safe:
			neighbour = lastGoing
		}
		out.Rows[i].DecidedBy = s.compare(&items[order.Items[i]], &items[order.Items[neighbour]], by)
	}
}

// compare says what puts a before or behind b.
func (s *sync) compare(a, b *traits, by comparator) *decision.Comparison {
	res := by.compare(a, b)
	c := by.criteria[res.Step]
	rule, op := c.ID, "<"
	if res.Inside {
		rule = c.insideID
	}
	if (res.Sign > 0) != c.descending {
		op = ">"
	}
	mine, theirs := c.show(a), c.show(b)
	if res.Inside {
		mine, theirs = unlike(a.ref.UID, b.ref.UID)
	}
	return &decision.Comparison{Versus: b.ref, Ruling: decision.Ruled(rule,
		decision.F("column", c.column), decision.F("value", mine), decision.F("op", op),
		decision.F("other", theirs), decision.F("versus", s.short(b.ref.Name)))}
}

// undetermined explains a block that the cut goes through.
func (s *sync) undetermined(items []traits, by comparator, block []int, k int) *decision.Ruling {
	facts := []decision.Fact{
		decision.F("k", k), decision.F("n", len(block)),
		decision.F("oldest", oldest(items, block)), decision.F("youngest", youngest(items, block)),
	}
	if ranking.Tied(items, by.steps, block) {
		r := decision.Ruled(TiedForDeletion, facts...)
		return &r
	}
	w := ranking.Witness(items, by.steps, block)
	for i := range w {
		a, b := &items[w[i]], &items[w[(i+1)%len(w)]]
		facts = append(facts, decision.Fact{Name: "before", Value: s.short(a.ref.Name), Op: by.stepName(a, b), Of: decision.Facts{decision.F("after", s.short(b.ref.Name))}})
	}
	r := decision.Ruled(CyclicOrder, facts...)
	return &r
}

// short drops the set's own name from a pod's, where the rest tells it apart.
func (s *sync) short(pod string) string {
	if rest, ok := strings.CutPrefix(pod, s.set.Name+"-"); ok && rest != "" {
		return rest
	}
	return pod
}

// unlike shortens two UIDs to the blocks in which they first differ.
func unlike(a, b string) (string, string) {
	as, bs := strings.Split(a, "-"), strings.Split(b, "-")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return as[i], bs[i]
		}
	}
	return a, b
}

// stepName is the column that tells a from b, empty for a tie.
func (c comparator) stepName(a, b *traits) string {
	res := c.compare(a, b)
	switch {
	case res.Inside:
		return "UID"
	case res.Step < 0:
		return ""
	}
	return c.criteria[res.Step].column
}
