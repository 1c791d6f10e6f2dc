package decision

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Do adds actions.
//
//go:noinline
func (d *Decision) Do(all ...Action) {
	if n := len(d.Actions); n >= 256 && n+len(all) > cap(d.Actions) { // append grows by a quarter from here on, and copies more often
		d.Actions = slices.Grow(d.Actions, max(n, len(all)))
	}
	d.Actions = append(d.Actions, all...)
}

// Latest returns the action that was added last.
func (d *Decision) Latest() *Action { return &d.Actions[len(d.Actions)-1] }

// Counting adds to what the arithmetic of replicas is of.
func (d *Decision) Counting(of ...Fact) { d.Count.Of = append(d.Count.Of, of...) }

// Find adds what the surroundings say. Like F, it is called too often to stand in line.
//
//go:noinline
func (d *Decision) Find(all ...Evidence) { d.Evidence = append(d.Evidence, all...) }

// FindFirst puts what the surroundings say before all else that they do.
func (d *Decision) FindFirst(e Evidence) { d.Evidence = slices.Insert(d.Evidence, 0, e) }

// Limit adds a ruling about the arithmetic, once where it is given again.
func (d *Decision) Limit(r Ruling) {
	if n := len(d.Limits); n == 0 || !reflect.DeepEqual(d.Limits[n-1], r) {
		d.Limits = append(d.Limits, r)
	}
}

// Reason adds why a rollout does what it does.
func (d *Decision) Reason(why Ruling) { d.Reasons = append(d.Reasons, Reason{Ruling: why}) }

// Hook notes that a lifecycle hook holds a Pod.
//
//go:noinline // it is called at many places
func (d *Decision) Hook(h Hooked) { d.Hooked = append(d.Hooked, h) }

// DeleteLater counts a Pod that a later sync deletes without any change, with so many claims
// that are deleted after it.
func (d *Decision) DeleteLater(claims int) {
	d.Later.PodsDeleted++
	d.Later.ClaimsDeleted += claims
}

// CreateLater counts Pods that later syncs create without any change.
func (d *Decision) CreateLater(pods int) { d.Later.PodsCreated += pods }

// RecreateLater counts a Pod that a later sync of a rollout deletes, with so many claims that are
// deleted with it, for another one in its place.
func (d *Decision) RecreateLater(claims int) {
	d.Rolling.PodsDeleted++
	d.Rolling.PodsRecreated++
	d.Rolling.ClaimsDeleted += claims
}

// DiscardLater counts a Pod beyond the desired ones that a later sync of a rollout deletes, with
// so many claims.
func (d *Decision) DiscardLater(claims int) {
	d.Rolling.PodsDeleted++
	d.Rolling.ClaimsDeleted += claims
}

// Hang counts what is deleted once a lifecycle hook releases Pods.
func (d *Decision) Hang(t Toll) { d.Hanging.plus(t) }

// Roll counts the new Pods that later syncs of a rollout create, and the old ones that they delete.
func (d *Decision) Roll(created, deleted int) {
	d.Rolling.PodsCreated, d.Rolling.PodsDeleted = created, deleted
}

// RollOn takes what later syncs of a rollout do from the last one that follows at once.
func (d *Decision) RollOn(last *Decision) { d.Rolling = last.Rolling }

// HoldDeletion notes that a Pod is deleted without any change, and why not yet.
func (d *Decision) HoldDeletion(pod, why string) {
	if d.DeletionHeld == nil {
		d.DeletionHeld = map[string]string{}
	}
	d.DeletionHeld[pod] = why
}

// Place notes the node of a Pod, empty for none.
func (d *Decision) Place(pod, node string) {
	if d.Placed == nil {
		d.Placed = map[string]string{}
	}
	d.Placed[pod] = node
}

// HoldChoice notes that a later sync may choose a Pod for deletion without any change, and
// why not yet.
func (d *Decision) HoldChoice(pod, why string) {
	if d.ChoiceHeld == nil {
		d.ChoiceHeld = map[string]string{}
	}
	d.ChoiceHeld[pod] = why
}

// TakeNames notes what has the names of objects that are refused for that.
func (d *Decision) TakeNames(by []Ref) { d.NamedAlike = by }

// Hold notes that the deletion for which an action marks a Pod may be held up.
func (d *Decision) Hold(action int) { d.Actions[action].Held = true }

// Refuse notes that a disruption budget refuses what is due.
//
//go:noinline // it is called at many places
func (d *Decision) Refuse(r Refusal) { d.Refusals = append(d.Refusals, r) }

// Rank adds an order of deletion, behind those of the sync's earlier choices.
func (d *Decision) Rank(r *Ranking) {
	if d.Ranking == nil {
		d.Ranking = r
	} else {
		d.MoreRankings = append(d.MoreRankings, r)
	}
}

// ExpectClaims takes room for so many verdicts.
func (d *Decision) ExpectClaims(n int) { d.Claims = make([]Claim, 0, n) }

// Claim adds the verdict on an object that the controller looks at.
func (d *Decision) Claim(c Claim) { d.Claims = append(d.Claims, c) }

// ClaimBy adds how the controller claims.
func (d *Decision) ClaimBy(r Ruling) { d.Claiming = append(d.Claiming, r) }

// Update adds the verdict on a Pod in a rollout, and returns it.
func (d *Decision) Update(u Update) *Update {
	d.Updates = append(d.Updates, u)
	return &d.Updates[len(d.Updates)-1]
}

// Follow adds what another controller does next.
func (d *Decision) Follow(e Effect) {
	d.Follows = append(d.Follows, e)
	d.Pending = d.Pending || e.Due
	d.BelowRefused = slices.ContainsFunc(d.Follows, func(e Effect) bool { return e.Refused }) &&
		!slices.ContainsFunc(d.Follows, func(e Effect) bool { return !e.Refused && e.Summary.Create > 0 })
}

// Retry adds when another controller's next sync comes.
func (d *Decision) Retry(r Retry) { d.Retries = append(d.Retries, r) }

// Look sets what the sync comes to for the work queue.
func (d *Decision) Look(n Next) {
	d.NextSync, d.Requeue, d.After, d.MayFail = n.Ruling, n.Requeue, n.After, n.MayFail
}

// Next is what brings an object back into the queue.
type Next struct {
	Ruling
	// Requeue is why the key is queued again at once.
	Requeue Requeue
	// After is after how long the key is queued again by itself, 0 for not.
	After time.Duration
	// MayFail: the sync fails if what it creates is refused, which is not known.
	MayFail bool
}

// noteRetries adds to what brings the object back that a sync which may fail is
// repeated: the rate limiter of the work queue has a longest delay (client-go
// util/workqueue DefaultTypedControllerRateLimiter).
func (d *Decision) noteRetries() {
	if d.MayFail && d.Requeue == NoRequeue && slices.ContainsFunc(d.Actions, func(a Action) bool { return a.Verb == Create }) {
		d.NextSync.Message += "; if creations are refused, the queue's back-off repeats the sync, after 16m40s at most"
	}
}

// Sooner adds to what brings the object of a Decision back what may come before, and phrases it
// anew. It is no method, which every struct that embeds the Decision would have.
func Sooner(d *Decision, put func(*Ruling), facts ...Fact) {
	d.NextSync.Facts = append(d.NextSync.Facts, facts...)
	put(&d.NextSync)
}

// Fail makes the sync one that ends in an error.
func (d *Decision) Fail() { d.Requeue = RequeueFailed }

// Await says what has to come before the next sync.
func (d *Decision) Await(what string) { d.NextSync.Message = what + d.NextSync.Message }

// Assume notes the change that a plan is about.
func (d *Decision) Assume(changes []Change) { d.WhatIf = changes }

// AssumeManifest says which manifest makes the changes that are refused: its file and line.
func (d *Decision) AssumeManifest(at string) { d.Manifest = at }

// Rescale says that an autoscaler sets another number of replicas; the first one counts.
func (d *Decision) Rescale(change string) { d.Rescaled = cmp.Or(d.Rescaled, change) }

// Disperse leaves of what is assumed of several objects, in the plans of all of them, what
// is about the plan's own object or about none of them, and counts the others.
func Disperse(plans []*Decision) {
	planned := make(map[Ref]bool, len(plans))
	for _, d := range plans {
		planned[d.Target.identity()] = true
	}
	for _, d := range plans {
		var own []Change
		elsewhere := map[Ref]bool{}
		for _, c := range d.WhatIf {
			if o := c.Object.identity(); planned[o] && o != d.Target.identity() {
				elsewhere[o] = true
			} else {
				own = append(own, c)
			}
		}
		d.WhatIf, d.WhatIfElsewhere = own, len(elsewhere)
	}
}

// Summarize counts the actions, and says whether there are any.
// What other controllers do anyway counts for the latter.
func (d *Decision) Summarize() {
	d.Summary = d.summary()
	d.Pending = len(d.Actions) > 0 || slices.ContainsFunc(d.Follows, func(e Effect) bool { return e.Due })
}

// Phrase puts the Decision into words, and counts what was not counted yet.
func (d *Decision) Phrase(rules Catalogue, answer func(*Decision) string) {
	if counted := (Summary{Total: d.Summary.Total}) != d.Summary; !counted || !d.Pending {
		d.Summarize()
	}
	rules.Phrase(d)
	d.Answer = answer(d)
}

// Sum counts the Total of all that the Decision holds, and of each that follows.
func (d *Decision) Sum() { d.Summary.Total = d.total() }

// Stand sets the state of the target.
func (d *Decision) Stand(s Standing) { d.Standing = s }

// Simulate adds what the rounds after this sync do. What later syncs do is among them, as
// far as nothing blocks it.
func (d *Decision) Simulate(t *Timeline) {
	d.Timeline = t
	if t == nil {
		return
	}
	d.Later = Toll{}
	orders := append(slices.Clone(d.MoreRankings), d.Ranking)
	for i := range d.Follows {
		d.Follows[i].Later = Toll{}
		orders = append(orders, d.Follows[i].Ranking)
	}
	if t.End.Outcome == Blocked {
		d.neverLater(orders)
	}
}

// neverLater takes back from rankings what later syncs are said to delete, and no round does.
func (d *Decision) neverLater(orders []*Ranking) {
	fates := d.fates()
	for _, o := range orders {
		if o == nil {
			continue
		}
		for i := range o.Rows {
			if row := &o.Rows[i]; fates.of(row.Object).Fate == Safe {
				row.Lasts("")
			}
		}
	}
}

// DropEvidenceOf drops what an object says.
func (d *Decision) DropEvidenceOf(source Ref) {
	d.Evidence = slices.DeleteFunc(d.Evidence, func(e Evidence) bool { return e.Source.identity() == source.identity() })
}

// AddCaveat notes a limit of the answer, once.
//
//go:noinline
func (d *Decision) AddCaveat(code, message string) { d.Warn(Caveat{Code: code, Message: message}) }

// FollowUpUnknown is the code of a caveat that what another controller does next is not known.
const FollowUpUnknown = "FollowUpUnknown"

// Undone is the code of a caveat that the garbage collector undoes what is done next. A cause
// of the state says it as well, where an answer shows causes.
const Undone = "Collected"

// AddDoubt adds a caveat that keeps what is possible from being certain.
func (d *Decision) AddDoubt(code, message string) {
	d.Unknown = true
	d.AddCaveat(code, message)
}

// WarnFirst puts caveats before all others.
func (d *Decision) WarnFirst(cs ...Caveat) { d.Caveats = append(cs, d.Caveats...) }

// Warn adds a caveat, once.
//
//go:noinline
func (d *Decision) Warn(c Caveat) {
	if !c.In(d.Caveats) {
		d.Caveats = append(d.Caveats, c)
	}
}

// AddUnread notes something that was not read and could change the answer.
func (d *Decision) AddUnread(code, message string) {
	i := slices.IndexFunc(d.Caveats, func(c Caveat) bool { return c.Code == code && c.Message == message })
	if i < 0 {
		i = len(d.Caveats)
		d.AddCaveat(code, message)
	}
	d.Caveats[i].Partial = true
	d.MarkPartial()
}

// MarkPartial says that something was not read that could change the answer.
func (d *Decision) MarkPartial() {
	if d.Partial {
		return
	}
	d.Partial, d.Answer = true, d.Answer+PartialAnswer
	if d.Headline != "" {
		d.Headline += PartialAnswer
	}
}

// Doubt makes possible what is certain, because all of it depends on something
// that may not happen: the caveat says on what.
func (d *Decision) Doubt(why Caveat) {
	d.Doubted = true
	d.AddCaveat(why.Code, why.Message)
	for i := range d.Actions {
		d.Actions[i].Doubt()
	}
	for i := range d.Updates {
		d.Updates[i].Doubt()
	}
	s := &d.Summary
	s.DeletePossible, s.PossibleAmong, s.DeleteCertain = s.DeletePossible+s.DeleteCertain, s.PossibleAmong+s.DeleteCertain, 0
}

// KeepsAt adds where the Pods are that stay.
func (d *Decision) KeepsAt(s *Stay) { d.Stay = s }

// Keeps adds what becomes of Pods that are to be kept to the answer.
func (d *Decision) Keeps(all []Spared) {
	d.Keep = all
	names := map[Fate][]string{}
	var said []string
	for _, k := range all {
		if k.Going {
			said = append(said, fmt.Sprintf(" %s is being deleted already.", k.Pod.Name))
			continue
		}
		names[k.Fate] = append(names[k.Fate], k.Pod.Name)
	}
	for _, f := range []struct {
		fate Fate
		text string
	}{{Doomed, "Would delete"}, {AtRisk, "May delete"}, {Safe, "Keeps"}} {
		if n := names[f.fate]; len(n) > 0 {
			said = append(said, fmt.Sprintf(" %s %s.", f.text, strings.Join(n, ", ")))
		}
	}
	d.Answer += strings.Join(said, "")
	if d.Timeline != nil {
		d.Timeline.AddAnswer(strings.Join(said, ""))
	}
}
