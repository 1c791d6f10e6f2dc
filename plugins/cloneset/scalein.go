package cloneset

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// scaleIn is the last step of Scale: pods of older revisions go first, as many
// as scaleDownNumOldRevision says, then updated ones; of those chosen, ready
// pods only as far as deleteReadyLimit goes (choosePodsToDelete and Scale,
// sync/cloneset_scale.go, v1.9.1).
func (s *sync) scaleIn(d Diffs) {
	old, fresh := s.split()
	cutOld := min(d.ScaleDownNumOldRevision, d.ScaleDownNum)
	stages := []*stage{s.newStage(old, cutOld, "not updated"), s.newStage(fresh, d.ScaleDownNum-cutOld, "updated")}
	going := s.victims(stages, d.DeleteReadyLimit)
	going.held = decision.Ruled(ScaleInLimited, decision.F("scaleDownNum", d.ScaleDownNum), decision.F("ready", going.ready),
		decision.F("deleteReadyLimit", d.DeleteReadyLimit), decision.F("left", going.ready-d.DeleteReadyLimit))
	if going.ready > d.DeleteReadyLimit {
		s.limit(ScaleInLimited, going.held.Facts...)
	}
	s.mayUpdate = going.least == 0 && going.k > 0
	p, ok := s.mayDelete(going.pods, going.turns...)
	if !ok {
		return
	}
	going.pass(p)
	for _, st := range stages {
		s.showRanking(st, going)
		for i, item := range st.order.Items {
			m := st.items[item].member
			switch f := going.fate[m]; {
			case f.always:
				s.scaling = s.deletePod(m, st.why(s, i), nil) || s.scaling
			case f.sometimes:
				s.scaling = s.deletePod(m, going.tied(), &decision.Choice{K: going.k, N: going.n}) || s.scaling
			}
		}
	}
}

// split groups the pods by GroupUpdateAndNotUpdatePods.
func (s *sync) split() (old, fresh []*member) {
	for _, m := range s.pods {
		if m.counted {
			fresh = append(fresh, m)
		} else {
			old = append(old, m)
		}
	}
	return old, fresh
}

// fate tells whether a pod goes in every order that the controller's cache may
// return, or in some.
type fate struct{ always, sometimes bool }

// victims are the fates of all pods of a scale-in.
type victims struct {
	fate map[*member]fate
	// k of n go by chance.
	k, n int
	// ready counts the ready pods among those chosen, before the limit.
	ready int
	// least is how many go at least.
	least int
	// pods are those that go in some order, turns in which, as far as budgets
	// are asked.
	pods  []*member
	turns []turn
	// held is why those stay that were chosen and do not go.
	held decision.Ruling
	// by is the budget that forbids some of them, barred, nil for none; loose
	// tells that k are only at most.
	by     *budget
	barred map[*member]bool
	loose  bool
}

// pass keeps those that budgets let through.
func (v *victims) pass(p passage) {
	if p.by == nil {
		return
	}
	v.by, v.loose, v.k, v.n = p.by, p.loose, p.k, 0
	kept := map[*member]fate{}
	for _, t := range v.turns[:p.whole] {
		v.k += t.most
		for _, m := range t.pods {
			if kept[m] = v.fate[m]; kept[m].always {
				v.k--
			} else {
				v.n++
			}
		}
	}
	if p.k > 0 {
		for _, m := range p.some {
			kept[m] = fate{sometimes: true}
			v.n++
		}
	}
	v.barred = map[*member]bool{}
	for m, f := range v.fate {
		v.barred[m] = f.sometimes && !kept[m].sometimes
	}
	v.fate = kept
}

// stays says why a pod that was chosen does not go.
func (v *victims) stays(m *member) decision.Ruling {
	if v.barred[m] {
		return decision.Ruled(BudgetForbids, budgetFacts(v.by, v.by.left())...)
	}
	return v.held
}

// tied says why chance decides.
func (v victims) tied() decision.Ruling {
	facts := []decision.Fact{decision.F("k", v.k), decision.F("n", v.n)}
	if v.by != nil {
		return decision.Ruled(BudgetLetsSome, append(facts, decision.F("budget", v.by.name), decision.F("loose", v.loose))...)
	}
	return decision.Ruled(TiedInScaleIn, facts...)
}

// victims plays the choice through for several orders of what ties, and keeps
// what holds in all of them.
func (s *sync) victims(stages []*stage, limit int) victims {
	v := victims{fate: map[*member]fate{}}
	var orders [][]turn
	for i, ties := range tieOrders {
		c := counter{limit: limit}
		for _, st := range stages {
			st.arrange(ties)
			c.run(st)
		}
		for m, f := range c.fate {
			if i > 0 {
				f.always = f.always && v.fate[m].always
				f.sometimes = f.sometimes || v.fate[m].sometimes
			}
			v.fate[m] = f
		}
		least, most := sum(c.turns)
		if i == 0 || least < v.least {
			v.least = least
		}
		v.k, v.ready = max(v.k, most), max(v.ready, c.chosenReady)
		orders = append(orders, c.turns)
		if !anyTied(stages) {
			break
		}
	}
	for _, st := range stages {
		st.arrange(tieOrders[0])
		st.shareFates(v.fate)
		for _, t := range st.items {
			switch f := v.fate[t.member]; {
			case f.always:
				v.k--
			case f.sometimes:
				v.n++
			}
			if v.fate[t.member].sometimes {
				v.pods = append(v.pods, t.member)
			}
		}
	}
	if s.anyGuarded(v.pods) {
		v.turns = complete(common(orders), v.pods)
	}
	return v
}

func anyTied(stages []*stage) bool {
	for _, st := range stages {
		if st.ranker != nil && st.ranker.tied {
			return true
		}
	}
	return false
}

// counter goes through blocks of pods in the order of their deletion. Inside a
// block the order is chance; between low and high ready pods came before it.
type counter struct {
	limit, low, high, chosenReady int
	fate                          map[*member]fate
	turns                         []turn
}

func (c *counter) run(st *stage) {
	if c.fate == nil {
		c.fate = map[*member]fate{}
	}
	for _, b := range st.blocks() {
		c.block(st, b.items, b.take)
	}
}

// block decides on the members of one block, of which take are chosen.
func (c *counter) block(st *stage, items []int, take int) {
	ready, next := 0, turn{}
	for _, i := range items {
		if st.items[i].readyNow {
			ready++
		}
	}
	all := take == len(items)
	unready := len(items) - ready
	low, high := max(0, take-unready), min(ready, take) // ready ones among the chosen
	for _, i := range items {
		m := st.items[i].member
		f := fate{always: all, sometimes: take > 0}
		if m.readyNow {
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
