package scale

import (
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/pubcontrol"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
)

// scaleIn is the last step of Scale: pods of older revisions go first, as many
// as scaleDownNumOldRevision says, then updated ones; of those chosen, ready
// pods only as far as deleteReadyLimit goes (choosePodsToDelete and Scale,
// sync/cloneset_scale.go, v1.9.1).
func (s *scaling) scaleIn(d core.Diffs) {
	old, fresh := s.split()
	cutOld := min(d.ScaleDownNumOldRevision, d.ScaleDownNum)
	stages := []*stage{s.newStage(old, cutOld, "not updated"), s.newStage(fresh, d.ScaleDownNum-cutOld, "updated")}
	going := s.victims(stages, d.DeleteReadyLimit)
	going.held = decision.Ruled(rules.ScaleInLimited, decision.F(rules.KeyScaleDownNum, d.ScaleDownNum), decision.F(rules.KeyReady, going.ready),
		decision.F(rules.KeyDeleteReadyLimit, d.DeleteReadyLimit), decision.F(rules.KeyLeft, going.ready-d.DeleteReadyLimit))
	if going.ready > d.DeleteReadyLimit {
		s.Limit(rules.ScaleInLimited, going.held.Facts...)
		s.leave(going.ready-d.DeleteReadyLimit, s.Pods, false)
	}
	s.Chance.ScaleIn(going.least == 0 && len(going.tosses) > 0)
	p, ok := s.mayDelete(going.pods, going.turns...)
	if !ok {
		return
	}
	going.pass(stages, p)
	for _, st := range stages {
		s.showRanking(st, going)
		for i, item := range st.order.Items {
			m := st.items[item].PodState
			switch f := going.fate[m]; {
			case f.always:
				s.Outcome.Scaled(s.deletePod(m, st.why(s, i), nil))
			case f.sometimes:
				c := going.tosses[m]
				s.Outcome.Scaled(s.deletePod(m, going.tied(c), c))
			}
		}
	}
}

// split groups the pods by GroupUpdateAndNotUpdatePods.
func (s *scaling) split() (old, fresh []*core.PodState) {
	for _, m := range s.Pods {
		if m.Counted {
			fresh = append(fresh, m)
		} else {
			old = append(old, m)
		}
	}
	return old, fresh
}

// fate is whether a Pod is deleted in every order that the controller's cache may
// return, or in some.
type fate struct{ always, sometimes bool }

// victims are the fates of all pods of a scale-in.
type victims struct {
	fate map[*core.PodState]fate
	// tosses are what chance decides, by pod: one choice for each stage.
	tosses map[*core.PodState]*decision.Choice
	// ready counts the ready pods among those chosen, before the limit.
	ready int
	// least is how many go at least.
	least int
	// pods are those that go in some order, turns in which, as far as budgets
	// are asked.
	pods  []*core.PodState
	turns []turn
	// held is why those stay that were chosen and do not go.
	held decision.Ruling
	// by is the budget that forbids some of them, nil for none; barred are those.
	by     *pubcontrol.Budget
	barred map[*core.PodState]bool
}

// pass keeps those that budgets let through.
func (v *victims) pass(stages []*stage, p passage) {
	if p.by == nil {
		return
	}
	v.by = p.by
	kept, parts := map[*core.PodState]fate{}, slices.Clone(v.turns[:p.whole])
	for _, t := range parts {
		for _, m := range t.pods {
			kept[m] = v.fate[m]
		}
	}
	if p.k > 0 {
		last := turn{pods: p.some, most: p.k, least: p.k}
		if p.loose {
			last.least = 0
		}
		parts = append(parts, last)
		for _, m := range p.some {
			kept[m] = fate{sometimes: true}
		}
	}
	v.barred = map[*core.PodState]bool{}
	for m, f := range v.fate {
		v.barred[m] = f.sometimes && !kept[m].sometimes
	}
	v.fate = kept
	v.toss(stages, parts)
}

// stays says why a pod that was chosen does not go.
func (v *victims) stays(m *core.PodState) decision.Ruling {
	if v.barred[m] {
		return decision.Ruled(rules.BudgetForbids, v.by.Facts(v.by.Left())...)
	}
	return v.held
}

// tied says why chance decides.
func (v victims) tied(c *decision.Choice) decision.Ruling {
	facts := []decision.Fact{decision.F(decision.KeyK, c.K), decision.F(decision.KeyN, c.N), decision.F(rules.KeyLoose, c.AtMost)}
	for _, other := range v.tosses {
		if other != c {
			facts = append(facts, decision.F(rules.KeyAmong, c.Of))
			break
		}
	}
	if v.by != nil {
		return decision.Ruled(rules.BudgetLetsSome, append(facts, decision.F(rules.KeyBudget, v.by.Name))...)
	}
	return decision.Ruled(rules.TiedForDeletion, facts...)
}

// victims plays the choice through for several orders of what ties, and keeps
// what holds in all of them.
func (s *scaling) victims(stages []*stage, limit int) victims {
	v := victims{fate: map[*core.PodState]fate{}}
	var orders [][]turn
	for i, ties := range tieOrders {
		c := counter{limit: limit}
		for _, st := range stages {
			st.arrange(ties)
			before := len(c.turns)
			c.run(st)
			st.count(i == 0, c.turns[before:])
		}
		v.merge(i == 0, &c)
		orders = append(orders, c.turns)
		if !anyTied(stages) {
			break
		}
	}
	var parts []turn
	for _, st := range stages {
		st.arrange(tieOrders[0])
		st.shareFates(v.fate)
		part := turn{least: st.least, most: st.most}
		for _, t := range st.items {
			if v.fate[t.PodState].sometimes {
				part.pods = append(part.pods, t.PodState)
			}
		}
		parts, v.pods = append(parts, part), append(v.pods, part.pods...)
	}
	v.toss(stages, parts)
	if s.Budgets.AnyGuarded(v.pods) {
		v.turns = complete(common(orders), v.pods)
	}
	return v
}

// merge takes the outcome of one more order.
func (v *victims) merge(first bool, c *counter) {
	for m, f := range c.fate {
		if !first {
			f.always = f.always && v.fate[m].always
			f.sometimes = f.sometimes || v.fate[m].sometimes
		}
		v.fate[m] = f
	}
	least, _ := sum(c.turns)
	if first || least < v.least {
		v.least = least
	}
	v.ready = max(v.ready, c.chosenReady)
}

// count takes how many pods of the stage are deleted in one more order.
func (st *stage) count(first bool, turns []turn) {
	least, most := sum(turns)
	if first {
		st.least, st.most = least, most
		return
	}
	st.least, st.most = min(st.least, least), max(st.most, most)
}

// toss makes of each stage one choice, and one of all where a part of the pods
// reaches from one stage into another.
func (v *victims) toss(stages []*stage, parts []turn) {
	among, joint := map[*core.PodState]string{}, false
	for _, st := range stages {
		for _, t := range st.items {
			among[t.PodState] = st.among
		}
	}
	for _, p := range parts {
		joint = joint || slices.ContainsFunc(p.pods, func(m *core.PodState) bool { return among[m] != among[p.pods[0]] })
	}
	of := map[string]*decision.Choice{}
	v.tosses = map[*core.PodState]*decision.Choice{}
	for _, p := range parts {
		for _, m := range p.pods {
			group := among[m]
			if joint {
				group = "not updated and updated"
			}
			if of[group] == nil {
				of[group] = &decision.Choice{Of: group}
			}
			v.tosses[m] = of[group]
		}
		if len(p.pods) > 0 {
			p.addTo(v.tosses[p.pods[0]], v.fate)
		}
	}
	for m, c := range v.tosses {
		if c.N == 0 || v.fate[m].always {
			delete(v.tosses, m)
		}
	}
}

// addTo adds to a choice what of the turn's pods is not certain.
func (t turn) addTo(c *decision.Choice, fates map[*core.PodState]fate) {
	c.K += t.most
	c.AtMost = c.AtMost || t.least < t.most
	for _, m := range t.pods {
		if fates[m].always {
			c.K--
		} else {
			c.N++
		}
	}
}

func anyTied(stages []*stage) bool {
	for _, st := range stages {
		if st.ranker != nil && st.ranker.Tied() {
			return true
		}
	}
	return false
}

// counter goes through blocks of pods in the order of their deletion. Inside a
// block the order is not deterministic; between low and high ready pods came before it.
type counter struct {
	limit, low, high, chosenReady int
	fate                          map[*core.PodState]fate
	turns                         []turn
}

func (c *counter) run(st *stage) {
	if c.fate == nil {
		c.fate = map[*core.PodState]fate{}
	}
	for _, b := range st.blocks() {
		c.block(st, b.items, b.take)
	}
}

// block decides on the members of one block, of which take are chosen.
func (c *counter) block(st *stage, items []int, take int) {
	ready, next := 0, turn{}
	for _, i := range items {
		if st.items[i].ReadyNow {
			ready++
		}
	}
	all := take == len(items)
	unready := len(items) - ready
	low, high := max(0, take-unready), min(ready, take) // ready ones among the chosen
	for _, i := range items {
		m := st.items[i].PodState
		f := fate{always: all, sometimes: take > 0}
		if m.ReadyNow {
			f.always = f.always && c.high+high <= c.limit
			f.sometimes = f.sometimes && c.low < c.limit
		}
		if c.fate[m] = f; f.sometimes {
			next.pods = append(next.pods, m)
		}
	}
	// Unready pods go in any case, ready ones only within the limit.
	next.most = take - low + max(0, min(low, c.limit-c.low))
	next.least = take - high + max(0, min(high, c.limit-c.high))
	if next.most > 0 {
		c.turns = append(c.turns, next)
	}
	c.low, c.high, c.chosenReady = c.low+low, c.high+high, c.chosenReady+high
}
