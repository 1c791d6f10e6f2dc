package simulate

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
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
	// idle is how many timers in a row may change nothing, for each key.
	idle = 2
	// mostAtOnce bounds the syncs of one instant: a controller whose every sync
	// makes the next one necessary comes to no end.
	mostAtOnce = 10_000
)

type run struct {
	o      Options
	target view.Target
	model  *cluster.Model
	// seen is what the caches of the controllers show: the model itself, if they are
	// not behind. coming counts the changes that they will show later.
	seen   *cluster.Model
	coming int
	actors []*actor
	queue  *schedule
	tl     *decision.Timeline
	res    *Result
	// last are the latest syncs.
	last map[slot]*Sync
	// now are the syncs of the latest survey; nil before one.
	now map[slot]*Sync
	// begun is the target's first sync, until it is committed.
	begun *Sync
	// open tells that the counts of the last round are still to be taken.
	open bool
	// depends is the number of the round in which chance first decided, and
	// -1 before.
	depends int
	// choices tell the Pods of the start apart that are not chosen from together.
	choices map[string]string
	// refused says what refused creations before the first round, retried what refused those
	// that are only to be tried again; refusing are those whose creations are refused in the
	// rounds.
	refused, retried string
	refusing         map[slot]bool
	// short says what refused creations in the rounds.
	short map[slot]string
	// adopts: the first syncs adopt. What they adopt was available before: the start is no
	// peak.
	adopts bool
	// syncs counts all of them, atOnce those of this instant.
	syncs, atOnce, work int
	fruitless           int
	// late is true when the target's last sync reported a deadline that has passed.
	late bool
	// timers are what the syncs say of the next one that set the timers which wait.
	timers map[slot]decision.Ruling
	// ripens: the back-off of a sync that fails is taken to bring the next one just in time.
	ripens bool
}

// Run simulates what actors do about a target, whose own controller is the first of
// them. Errors are those of the controllers' decisions, and that of a target of which
// more than mostCreated pods would have to be made.
func Run(v *view.View, target view.Target, actors []Actor, o Options) (*Result, error) {
	r := newRun(v, target, actors, o)
	r.tl.Start = v.Now()
	switch err := r.loop(); {
	case errors.Is(err, errMissing):
		return r.res, nil
	case err != nil:
		return r.res, err
	}
	r.finish()
	return r.res, nil
}

func newRun(v *view.View, target view.Target, actors []Actor, o Options) *run {
	r := &run{
		o: o, target: target, model: cluster.New(v, admission.FeaturesOf(o.Profile.Kubernetes)), last: map[slot]*Sync{}, refusing: map[slot]bool{}, short: map[slot]string{}, timers: map[slot]decision.Ruling{}, choices: map[string]string{},
		tl: &decision.Timeline{Rounds: []decision.Round{}}, res: &Result{}, depends: -1,
	}
	r.seen = r.model
	if r.lags() {
		r.seen = r.model.Cache()
	}
	r.queue = newSchedule(r.model.Now)
	r.queue.retries = func() bool { return r.coming > 0 }
	for i, a := range actors {
		r.actors = append(r.actors, r.employ(a, i))
	}
	return r
}

// errMissing ends a simulation for which something is to be read first.
var errMissing = errors.New("something is missing yet")

// loop goes from the first sync to the last.
func (r *run) loop() error {
	if err := r.begin(); err != nil {
		return err
	}
	for {
		k, due := r.queue.get(r.model.Now())
		if !due && !r.wait() {
			return r.conclude()
		}
		if !due {
			if err := r.look(); err != nil {
				return err
			}
			continue
		}
		if over, err := r.sync(k); err != nil || over {
			return err
		}
	}
}

// begin takes stock before the clock starts: of the target, and of what it scales.
func (r *run) begin() error {
	var all []*Sync
	for _, k := range r.keys() {
		s, err := r.ask(k)
		if err != nil {
			return err
		}
		r.among(s)
		r.refused = cmp.Or(r.refused, s.Refused)
		if !r.seen.View().WhatIf() { // a change brings its controller back at once
			r.retried = cmp.Or(r.retried, s.Retried)
		}
		if all = append(all, s); len(all) == 1 {
			r.begun = s
		} else {
			r.res.Scaled = append(r.res.Scaled, s.Decision)
		}
	}
	if err := r.look(); err != nil {
		return err
	}
	r.adopts, r.late = slices.ContainsFunc(all, adopts), r.begun.Overdue != nil
	r.observe(r.standing())
	r.tl.Counts = r.tl.End.Counts
	r.tl.ReadyAfter = r.learn(all)
	for _, s := range all {
		if s.Begin != nil {
			s.Begin(r.model)
		}
	}
	for i, k := range r.keys() {
		if r.queue.add(k, 0); all[i].Waits > 0 {
			r.queue.add(k, all[i].Waits)
		}
	}
	return nil
}

func adopts(s *Sync) bool {
	return slices.ContainsFunc(s.Decision.Actions, func(a decision.Action) bool { return a.Verb == decision.Adopt })
}

// ask lets a controller sync on the model cluster as it is now, or as its cache shows it.
func (r *run) ask(k slot) (*Sync, error) {
	a := r.actors[k.actor]
	step := a.Step
	if r.lags() {
		step = a.recall
	}
	s, err := r.step(k, step, r.reader(k, r.seen))
	if err == nil {
		r.last[k] = s
	}
	return s, err
}

// reader reads a model's cluster. The first decision of a controller is shown, those of
// its later rounds are not.
func (r *run) reader(k slot, m *cluster.Model) *view.Reader {
	reader := m.View().Reader()
	if r.last[k] != nil {
		return reader.Briefly()
	}
	return reader
}

// step lets a controller sync on what a reader reads. What its first sync reads is
// kept, and what a later one reads that is missing.
func (r *run) step(k slot, step Step, reader *view.Reader) (*Sync, error) {
	s, err := step(reader, r.actors[k.actor].target(k.key))
	if r.last[k] == nil || err != nil || reader.Provisional() {
		r.res.Readers = append(r.res.Readers, reader)
	}
	switch {
	case err != nil:
		return nil, err
	case reader.Provisional():
		return nil, errMissing
	}
	if r.res.First == nil {
		r.res.First = s.Decision
	}
	return r.refuse(k, s), nil
}

// refuse is the sync as the API server answers it, where that can't be asked: what
// refused its creations so far refuses them again, unless Pods that are gone since may
// have made room.
func (r *run) refuse(k slot, s *Sync) *Sync {
	switch {
	case s.Again == nil || !s.Blocks && !r.refusing[k]:
		return s
	case s.Fits && r.model.Freed():
		r.refused = cmp.Or(r.refused, s.Refused)
		delete(r.refusing, k)
		return s
	}
	r.refusing[k] = true
	return s.Again
}

// sync lets a controller sync once, and commits what comes of it. The first is that of
// the target's own, which has begun.
func (r *run) sync(k slot) (over bool, err error) {
	if !r.there(k) {
		return false, nil
	}
	timer, timed := r.timers[k]
	timed = timed && r.queue.timed
	s := r.begun
	if r.begun = nil; s == nil {
		if s, err = r.ask(k); err != nil {
			return false, err
		}
	}
	r.syncs, r.atOnce = r.syncs+1, r.atOnce+1
	r.work += len(s.Pods) + strayWork*r.strays() + 1
	r.caveats(s.Decision)
	if !r.lags() && !r.queue.due(r.model.Now()) {
		r.observe(r.standing())
	}
	if r.withheld(k, s) {
		why := s.Decision.Gate.Ruling
		s.phrase(&why)
		r.stopped(s.Decision.Target, why)
	}
	actions := s.Decision.Actions
	if r.o.order != nil {
		actions = r.o.order(slices.Clone(actions))
	}
	picked, chance := pick(actions)
	if r.cut(s, picked) {
		return true, nil
	}
	if err := r.tooMany(picked); err != nil {
		return false, err
	}
	if k == r.own() {
		r.overdue(s)
	}
	r.tl.Totals.Choose(s.Decision)
	if done := r.commit(k, s, picked); len(done) > 0 {
		r.round(s, done, chance, chance && s.uneven(r.model))
		if timed {
			s.phrase(&timer)
			r.byTimer(s, done, timer.Message)
		}
		return false, r.look()
	}
	return false, nil
}

// commit makes happen what a sync writes, and lets the controllers hear of it.
func (r *run) commit(k slot, s *Sync, picked []decision.Action) []decision.Action {
	a := r.actors[k.actor]
	left := s.unpicked(picked)
	cut := r.outdated(s, left)
	d := s.written(left)
	if cut != nil {
		d.Fail()
		r.stopped(d.Target, said(WriteOutdated, decision.F(keyError, cut.Error())))
	}
	done := s.commit(r.model, picked, left)
	r.roomLater(k, s, done)
	if d.Gate.Open || !r.lags() {
		a.core.Memory.Expect(a.target(k.key), d, r.justBefore)
	}
	r.model.Settle()
	for i := range done {
		s.phrase(&done[i].Ruling)
	}
	r.hear(k, s.Looks || len(picked) > 0)
	a.core.Synced(k.key, d.Requeue, d.After)
	if e := r.queue.in[place{k, true}]; d.After > 0 && e != nil && e.due.Equal(r.model.Now().Add(d.After)) {
		r.timers[k] = d.NextSync
	}
	if s.Ripens > 0 {
		r.queue.add(k, s.Ripens)
		r.ripens = true
	}
	return done
}

// observe takes the counts at this moment.
func (r *run) observe(s *Sync) {
	c := countsOf(s)
	if r.open {
		r.tl.Rounds[len(r.tl.Rounds)-1].Counts = c
		r.open = false
	}
	if begins := r.adopts && len(r.tl.Rounds) == 0; c.Unavailable > r.tl.Peak.Unavailable && !begins {
		r.tl.Peak.Unavailable, r.tl.Peak.Clock = c.Unavailable, r.clock()
	}
	if len(r.tl.Rounds) > 0 {
		r.tl.Peak.Later = max(r.tl.Peak.Later, c.Unavailable)
	}
	if !sameCounts(c, r.tl.End.Counts) {
		r.tl.End.Clock, r.fruitless = r.clock(), 0
	}
	r.tl.End.Counts = c
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

// round puts on record what a sync did. Where that is uneven, the counts hang on
// what chance picked.
func (r *run) round(s *Sync, done []decision.Action, chance, uneven bool) {
	r.besideNew(s, done)
	done = r.places(s, done)
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
	r.res.shed += s.sheds(done)
	r.foresee(s)
	r.tl.End.Clock = r.clock()
	r.open, r.fruitless = true, 0
	if s.Again == nil { // else, what may refuse these creations is played through
		r.refused = cmp.Or(r.refused, s.Refused)
	}
	if chance && r.depends < 0 {
		r.depends = round.Number
		r.chance(*round, s.Decision.Depends())
	}
	if r.refused != "" && r.tl.Totals.Create > 0 {
		r.model.Note(decision.Ruled(CreationsAccepted, decision.F(keyRound, round.Number), decision.F(decision.KeyRefused, r.refused)))
	}
	if r.retried != "" && r.tl.Totals.Create > 0 {
		r.model.Note(decision.Ruled(RetriedAtOnce, decision.F(decision.KeyRefused, r.retried)))
	}
	if uneven && !r.tl.Uneven {
		r.tl.Uneven = true
		r.model.Note(decision.Ruled(CountsByChance, decision.F(keyRound, round.Number), decision.F(keyClock, round.Clock.String())))
	}
}

// byTimer says that nothing but a timer brings a round, or what is scaled for it.
func (r *run) byTimer(s *Sync, done []decision.Action, asked string) {
	round := r.tl.Totals.Rounds
	scales := false
	for i := range done {
		scales = scales || done[i].Verb == decision.Scale
	}
	if scales && !r.numbered() { // it is that of the Pods which follow
		round++
	}
	if scales || s.counts(done) {
		r.model.Note(decision.Ruled(RoundByTimer, decision.F(keyRound, round), decision.F(keyReason, asked)))
	}
}

// roomLater says of creations that were refused before that the back-off may bring them
// later, where it is not the Pods of the same controller that make room: an event of these
// would end it.
func (r *run) roomLater(k slot, s *Sync, done []decision.Action) {
	if len(r.actors) == 1 {
		return
	}
	creates := slices.ContainsFunc(done, func(a decision.Action) bool { return a.Verb == decision.Create })
	if why := r.short[k]; creates && why != "" {
		r.model.Note(decision.Ruled(RoomLater, decision.F(decision.KeyRefused, why)))
	}
	if i := slices.IndexFunc(s.Writes, func(w cluster.Write) bool { return w.Verb == cluster.Create && w.Err != nil }); i >= 0 {
		r.short[k] = s.Writes[i].Err.Error()
	}
}

// merges reports whether what happens now is part of the last round: several
// controllers act one after the other in one instant.
func (r *run) merges() bool {
	n := len(r.tl.Rounds)
	return len(r.actors) > 1 && n > 0 && r.tl.Rounds[n-1].Clock == r.clock()
}

// numbered reports whether what happens now is part of a round that has its number.
func (r *run) numbered() bool { return r.merges() && r.tl.Rounds[len(r.tl.Rounds)-1].Number > 0 }

// wait lets time pass until the next event or the first key that is due.
func (r *run) wait() bool {
	at, ok := r.model.Next()
	if due, timed := r.queue.next(); timed && (!ok || due.Before(at)) && (r.coming > 0 || r.fruitless < idle*len(r.last)) {
		at, ok = due, true
	}
	if !ok {
		return false
	}
	r.atOnce = 0
	if !r.model.Advance(at) && r.coming == 0 {
		r.fruitless++
	}
	r.hear(slot{actor: -1}, true)
	return true
}

// clock is the time since the start, to the hundredth of a second: what comes
// below is how the syncs are timed.
func (r *run) clock() decision.Span {
	return decision.Span(r.model.Instant().Sub(r.model.Start()).Round(10 * time.Millisecond))
}

// counts reports whether a sync is one of the numbered rounds.
func (s *Sync) counts(actions []decision.Action) bool {
	for _, a := range actions {
		if !s.minor(a) {
			return true
		}
	}
	return false
}

func (s *Sync) minor(a decision.Action) bool { return s.Minor != nil && s.Minor(a) }
