package replicaset

import (
	"strings"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ranking"
)

// compareAcrossCut tells, for each pod whose fate is certain, what decided it
// against its nearest neighbour of another fate.
func (t *target) compareAcrossCut(items []traits, by comparator, order ranking.Order, out *decision.Ranking) {
	firstKept, lastGoing := 0, 0
	for i := range out.Rows {
		fate := out.Rows[i].Fate
		if fate == decision.Doomed {
			firstKept = i + 1
		}
		if fate != decision.Safe {
			lastGoing = i
		}
	}
	told := comparisons{}
	for i := range out.Rows {
		neighbour := firstKept
		switch out.Rows[i].Fate {
		case decision.AtRisk:
			continue
		case decision.Safe:
			neighbour = lastGoing
		}
		a, b := &items[order.Items[i]], &items[order.Items[neighbour]]
		res := by.compare(a, b)
		if res.Sign < 0 != (out.Rows[i].Fate == decision.Doomed) || res.Sign == 0 {
			out.Rows[i].DecidedBy = t.listed(a, b, res.Sign)
			continue
		}
		out.Rows[i].DecidedBy = t.compare(a, b, by, res, told)
	}
}

// listed says what puts a before or behind b where no criterion does: the order
// of the list, or that every order of it leads to the same.
func (t *target) listed(a, b *traits, sign int) *decision.Comparison {
	rule := SameFromEveryList
	if sign == 0 && a.part != b.part {
		rule = OwnedFirst
	}
	return &decision.Comparison{Versus: b.ref, Ruling: decision.Ruled(rule,
		decision.F(decision.KeyAdopted, a.part > b.part), decision.F(decision.KeyVersus, t.short(b.ref.Name)))}
}

// comparisons are those that are told of several Pods alike.
type comparisons map[comparison]*decision.Comparison

// comparison is what they are told of: how the Pod and another one differ.
type comparison struct {
	versus       string
	res          ranking.Result
	mine, theirs string
}

// compare says what puts a before or behind b.
func (t *target) compare(a, b *traits, by comparator, res ranking.Result, told comparisons) *decision.Comparison {
	c := &by.criteria[res.Step]
	key := comparison{versus: b.ref.Name, res: res}
	switch {
	case res.Inside:
		key.mine, key.theirs = unlike(a.ref.UID, b.ref.UID)
	case c.ages != nil:
		key.mine, key.theirs = c.ages(a, b)
	default:
		key.mine, key.theirs = c.show(a), c.show(b)
	}
	if told[key] == nil {
		rule, op := c.ID, "<"
		if res.Inside {
			rule = c.insideID
		}
		if (res.Sign > 0) != c.descending {
			op = ">"
		}
		told[key] = &decision.Comparison{Versus: b.ref, Ruling: decision.Ruled(rule,
			decision.F(decision.KeyColumn, c.column), decision.F(decision.KeyValue, key.mine), decision.F(decision.KeyOp, op),
			decision.F(decision.KeyOther, key.theirs), decision.F(decision.KeyVersus, t.short(b.ref.Name)))}
	}
	return told[key]
}

// undecided are the pods of which k are deleted, among the whole block that the
// cut goes through.
type undecided struct {
	pods, among []int
	k           int
	exact       bool
}

// undetermined explains why pods have no order.
func (t *target) undetermined(items []traits, by comparator, u undecided) *decision.Ruling {
	facts := []decision.Fact{
		decision.F(decision.KeyK, u.k), decision.F(decision.KeyN, len(u.pods)),
		decision.F(keyOldest, oldest(items, u.pods)), decision.F(keyYoungest, youngest(items, u.pods)),
		decision.F(keyExact, u.exact),
	}
	if ranking.Tied(items, by.steps, u.pods) {
		r := decision.Ruled(TiedForDeletion, facts...)
		return &r
	}
	w := ranking.Witness(items, by.steps, u.among)
	for i := range w {
		a, b := &items[w[i]], &items[w[(i+1)%len(w)]]
		facts = append(facts, decision.Derived(keyBefore, t.short(a.ref.Name), by.stepName(a, b), decision.F(keyAfter, t.short(b.ref.Name))))
	}
	r := decision.Ruled(CyclicOrder, facts...)
	return &r
}

// short drops the set's own name from a pod's, where the rest tells it apart.
func (t *target) short(pod string) string {
	if rest, ok := strings.CutPrefix(pod, t.set.Name+"-"); ok && rest != "" {
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
