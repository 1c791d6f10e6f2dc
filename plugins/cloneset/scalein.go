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
	if s.scaleErr = s.noneDeleted(going.pods()); s.scaleErr != nil {
		return
	}
	for _, st := range stages {
		s.showRanking(st, going)
		for i, item := range st.order.Items {
			m := st.items[item].member
			switch f := going.fate[m]; {
			case f.always:
				s.scaling = s.deletePod(m, st.why(s, i), nil) || s.scaling
			case f.sometimes:
				s.scaling = s.deletePod(m, decision.Ruled(TiedInScaleIn, decision.F("k", going.k), decision.F("n", going.n)), &decision.Choice{K: going.k, N: going.n}) || s.scaling
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
	// held is why those stay that were chosen and do not go.
	held decision.Ruling
}

// pods are those that go in some order.
func (v victims) pods() []*member {
	var all []*member
	for m, f := range v.fate {
		if f.sometimes {
			all = append(all, m)
		}
	}
	return all
}

// victims plays the choice through for several orders of what ties, and keeps
// what holds in all of them.
func (s *sync) victims(stages []*stage, limit int) victims {
	v := victims{fate: map[*member]fate{}}
	total := 0
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
		total = max(total, c.going)
		if i == 0 || c.least < v.least {
			v.least = c.least
		}
		v.ready = max(v.ready, c.chosenReady)
		if !anyTied(stages) {
			break
		}
	}
	for _, st := range stages {
		st.arrange(tieOrders[0])
		st.shareFates(v.fate)
	}
	for _, f := range v.fate {
		switch {
		case f.always:
			total--
		case f.sometimes:
			v.n++
		}
	}
	v.k = total
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
	limit, low, high int
	// going is how many go at most, least how many at least: unready pods go in
	// any case, ready ones only within the limit.
	going, least, chosenReady int
	fate                      map[*member]fate
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
	ready := 0
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
		c.fate[m] = f
	}
	c.chosenReady += high
	c.going += take - low + max(0, min(low, c.limit-c.low))
	c.least += take - high + max(0, min(high, c.limit-c.high))
	c.low, c.high = c.low+low, c.high+high
}
