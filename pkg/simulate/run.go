package simulate

import (
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// The bounds of one simulation. Work is counted in pods looked at, over all
// syncs: what takes long is deciding about many pods many times.
const (
	mostRounds = 1000
	mostWork   = 1_000_000
	// strayWork is what a pod counts for that was made and is not the set's own:
	// it is looked at, too, and was let go.
	strayWork = 10
	// mostCreated bounds the pods that one simulation makes, and so its memory.
	mostCreated = 10_000
	// idle is how many timers in a row may change nothing.
	idle = 2
)

type run struct {
	sync  Controller
	o     Options
	model *cluster.Model
	tl    *decision.Timeline
	res   *Result
	last  *Sync
	// open tells that the counts of the last round are still to be taken.
	open bool
	// depends is the number of the round in which chance first decided, and
	// -1 before.
	depends int
	// uneven: the counts depend on what chance picks.
	uneven      bool
	syncs, work int
	fruitless   int
	settled     bool
}

// Run simulates. Errors are those of the controller's decisions, and that of a
// target of which more than mostCreated pods would have to be made.
func Run(v *view.View, sync Controller, o Options) (*Result, error) {
	r := &run{sync: sync, o: o, model: cluster.New(v, o.Features), tl: &decision.Timeline{Rounds: []decision.Round{}}, res: &Result{}, depends: -1}
	r.tl.Start = v.Now()
	for {
		missing, err := r.step()
		if err != nil || missing {
			return r.res, err
		}
		over, err := r.over()
		if err != nil {
			return r.res, err
		}
		if over {
			break
		}
	}
	r.finish()
	return r.res, nil
}

// step decides once, on the model cluster as it is now.
func (r *run) step() (missing bool, err error) {
	s, reader, err := r.ask(r.sync, r.syncs == 0)
	if err != nil || reader.Provisional() {
		return reader.Provisional(), err
	}
	r.syncs++
	// A set whose new pods are not its own makes them without end.
	strays := max(0, r.tl.Totals.Create-r.tl.Totals.Delete-s.Wanted)
	r.work += len(s.Pods) + strayWork*strays + 1
	r.last = s
	if r.syncs == 1 {
		r.res.First = s.Decision
		if missing, err := r.begin(s); err != nil || missing {
			return missing, err
		}
	}
	if r.o.Below != nil {
		if missing, err := r.descend(s); err != nil || missing {
			return missing, err
		}
	}
	r.observe(s)
	return false, nil
}

// ask lets a controller sync on the model cluster as it is now. What its first sync
// reads is kept, and what a later one reads that is missing.
func (r *run) ask(sync Controller, first bool) (*Sync, *view.Reader, error) {
	reader := r.model.View().Reader()
	s, err := sync(reader)
	if first || err != nil || reader.Provisional() {
		r.res.Readers = append(r.res.Readers, reader)
	}
	return s, reader, err
}

// begin starts the clock.
func (r *run) begin(s *Sync) (missing bool, err error) {
	if r.o.Below != nil {
		if missing, err := r.prepare(s); err != nil || missing {
			return missing, err
		}
	}
	r.tl.Counts = countsOf(s)
	r.learn(s)
	s.Begin(r.model)
	return false, nil
}

// observe takes the counts at this moment.
func (r *run) observe(s *Sync) {
	c := countsOf(s)
	if r.open {
		r.tl.Rounds[len(r.tl.Rounds)-1].Counts = c
		r.open = false
	}
	if c.Unavailable > r.tl.Peak.Unavailable || r.syncs == 1 {
		r.tl.Peak = decision.Peak{Unavailable: c.Unavailable, Clock: r.clock()}
	}
	if r.syncs == 1 || !sameCounts(c, r.tl.End.Counts) {
		r.tl.End.Clock, r.fruitless = r.clock(), 0
	}
	r.tl.End.Counts = c
	r.caveats(s.Decision)
}

// sameCounts leaves out those on their way out: what they do changes nothing.
func sameCounts(a, b decision.Counts) bool {
	if a.Wanted != b.Wanted || a.Pods != b.Pods || a.Ready != b.Ready || a.Available != b.Available || len(a.Revisions) != len(b.Revisions) {
		return false
	}
	for i := range a.Revisions {
		if a.Revisions[i] != b.Revisions[i] {
			return false
		}
	}
	return true
}

// over acts on the last sync, or lets time pass; it tells when neither leads
// any further.
func (r *run) over() (bool, error) {
	s := r.last
	if s.chain != nil {
		return r.overChain(s.chain), nil
	}
	picked, chance := pick(s.Decision.Actions)
	if r.cut(picked) {
		return true, nil
	}
	if err := r.tooMany(picked); err != nil {
		return false, err
	}
	if len(picked) > 0 {
		done, _ := s.commit(r.model, picked)
		r.model.Settle()
		for i := range done {
			done[i].Message = s.Say(done[i].Ruling)
		}
		r.round(done, chance, chance && uneven(s.Decision.Actions, s.Pods))
		r.settled = false
		return false, nil
	}
	if len(s.Writes) > 0 && !r.settled {
		r.settled = true // the controller may go by what it wrote, but needs to look only once
		_, _ = s.commit(r.model, nil)
		r.model.Settle()
		if s.Looks {
			return false, nil
		}
	}
	return !r.wait(), nil
}

// overChain puts what a pass of the chain did on record, or lets time pass.
func (r *run) overChain(c *chain) bool {
	switch {
	case r.cut(c.done):
		return true
	case len(c.done) > 0:
		r.round(c.done, c.chance, c.uneven)
		return false
	case c.changed:
		return false // another controller may act on it
	}
	return !r.wait()
}

// round puts what happened on record. Where that is uneven, the counts hang on what
// chance picked.
func (r *run) round(done []decision.Action, chance, uneven bool) {
	s := r.last
	done = r.places(done)
	if !r.merges() {
		r.tl.Rounds = append(r.tl.Rounds, decision.Round{Clock: r.clock(), Depends: r.depends >= 0})
	}
	round := &r.tl.Rounds[len(r.tl.Rounds)-1]
	round.Actions = append(round.Actions, done...)
	if s.counts(done) && round.Number == 0 {
		r.tl.Totals.Rounds++
		round.Number = r.tl.Totals.Rounds
	}
	s.total(&r.tl.Totals, done)
	r.tl.End.Clock = r.clock()
	r.open, r.fruitless = true, 0
	if chance && r.depends < 0 {
		r.depends = round.Number
		r.chance(*round)
	}
	if uneven && !r.uneven {
		r.uneven = true
		r.model.Note(decision.Ruled(CountsByChance, decision.F("round", round.Number), decision.F("clock", round.Clock)))
	}
}

// wait lets time pass until the next event or the controller's own timer.
func (r *run) wait() bool {
	at, ok := r.model.Next()
	if after, timed := r.last.timer(); timed && (!ok || r.model.Now().Add(after).Before(at)) && r.fruitless < idle {
		at, ok = r.model.Now().Add(after), true
	}
	if !ok {
		return false
	}
	r.settled = false
	if !r.model.Advance(at) {
		r.fruitless++
	}
	return true
}

// clock is the time since the start, to the hundredth of a second: what comes
// below is how the syncs are timed.
func (r *run) clock() string {
	return r.model.Instant().Sub(r.model.Start()).Round(10 * time.Millisecond).String()
}

// counts tells whether a sync is one of the numbered rounds.
func (s *Sync) counts(actions []decision.Action) bool {
	for _, a := range actions {
		if !s.minor(a) {
			return true
		}
	}
	return false
}

func (s *Sync) minor(a decision.Action) bool { return s.Minor != nil && s.Minor(a) }
