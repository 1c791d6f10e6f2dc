package decision

import "slices"

// Total is what an answer comes to. Where only the number is certain and not which, it
// is possible.
type Total struct {
	// Certain is what happens, if nothing else changes first.
	Certain Toll `json:"certain"`
	// Possible is what may happen besides, or is certain in number only. What a lifecycle hook
	// holds is possible, and so is what rounds after the next sync do, which depends on what
	// happens until then.
	Possible Toll `json:"possible"`
	// Later is what later syncs create and delete besides, one after the other and without any
	// other change, where rounds are not simulated; absent where they do neither. They create
	// Pods as others become available. Of rounds that end blocked, it is what is left to do once
	// that is ended.
	Later Toll `json:"later,omitzero"`
}

// Toll counts Pods and PersistentVolumeClaims.
type Toll struct {
	// PodsCreated counts the Pods that are created.
	PodsCreated int `json:"podsCreated"`
	// PodsDeleted counts the Pods that are deleted, those of podsRecreated among them.
	PodsDeleted int `json:"podsDeleted"`
	// PodsRecreated counts the Pods that are deleted, and in whose place others are created.
	PodsRecreated int `json:"podsRecreated"`
	// PodsUpdated counts the Pods that are updated in place.
	PodsUpdated int `json:"podsUpdated"`
	// ClaimsDeleted counts the PersistentVolumeClaims that are deleted.
	ClaimsDeleted int `json:"claimsDeleted"`
}

// total counts all that the Decision holds.
func (d *Decision) total() Total {
	t := Total{Later: d.Afterwards()}
	t.add(d)
	for i := range d.Follows {
		e := &d.Follows[i]
		follows := &Decision{Actions: e.Actions, Summary: e.Summary, Later: e.Later}
		t.add(follows)
		e.Summary.Total = follows.total()
		t.Later.plus(e.Later)
	}
	if d.Timeline == nil {
		t.Possible.plus(d.Hanging)
	} else {
		t.simulated(d.Timeline.Totals, t.ends(&d.Timeline.End, d.Timeline.Totals.Marked))
	}
	t.Certain.plus(d.Swept.Certain)
	t.Possible.plus(d.Swept.Possible)
	return t
}

// ends is what hangs on lifecycle hooks at the end, each Pod once: those that are marked are
// counted as possible already, and are not among those of later syncs.
func (t *Total) ends(e *End, marked int) (held Toll) {
	held = e.Hanging
	without := func(n *int, pods int) { *n = max(0, *n-pods) }
	without(&t.Later.PodsDeleted, max(0, marked-held.PodsDeleted))
	without(&t.Later.PodsRecreated, max(0, marked-held.PodsDeleted))
	without(&held.PodsDeleted, marked)
	return held
}

// Afterwards is what later syncs create and delete. The rounds have all of it, unless they end
// blocked; a rollout that is blocked, and about which nothing is done, does not go on.
func (d *Decision) Afterwards() Toll {
	t := d.Later
	switch {
	case d.Timeline != nil:
		return d.Timeline.End.Later
	case !d.Stays():
		t.plus(d.Rolling)
	}
	return t
}

//go:noinline // it is called at several places
func (t *Toll) plus(o Toll) {
	t.PodsCreated, t.PodsDeleted, t.PodsRecreated = t.PodsCreated+o.PodsCreated, t.PodsDeleted+o.PodsDeleted, t.PodsRecreated+o.PodsRecreated
	t.PodsUpdated, t.ClaimsDeleted = t.PodsUpdated+o.PodsUpdated, t.ClaimsDeleted+o.ClaimsDeleted
}

func (t *Total) add(d *Decision) {
	for i := range d.Actions {
		a := &d.Actions[i]
		_, shared := a.Pool()
		switch {
		case shared:
		case a.StartsDeletion:
			t.Possible.PodsDeleted += a.Count
			t.Possible.ClaimsDeleted += int(a.Claims)
		case a.Certainty == Certain && !a.Held:
			t.Certain.count(a.Object.Kind, a.Verb, a.Count)
			t.Certain.ClaimsDeleted += len(a.Collects)
		default:
			t.Possible.count(a.Object.Kind, a.Verb, a.Count)
			t.Possible.ClaimsDeleted += len(a.Collects)
		}
	}
	for _, c := range d.Choices() {
		if c.Pool.Kind == podKind {
			t.Possible.count(c.Pool.Kind, c.Gravest(), c.K)
			t.Possible.PodsUpdated += c.updatedInstead()
			if c.starts && c.Gravest() == SetState {
				t.Possible.PodsDeleted += c.K
			}
		}
	}
	// Of claims that go with one of several Pods, the summary knows how many at most.
	t.Possible.ClaimsDeleted = max(t.Possible.ClaimsDeleted, d.Summary.DeleteClaims-t.Certain.ClaimsDeleted)
}

// updatedInstead is how many of the Pods of a choice that are counted as something graver may be
// updated in place.
func (c *OpenChoice) updatedInstead() int {
	if len(c.Verbs) == 1 {
		return 0
	}
	return min(c.updates, c.K)
}

//go:noinline // it is called at several places
func (t *Toll) count(kind string, verb Verb, n int) {
	switch {
	case kind == claimKind && verb == Delete:
		t.ClaimsDeleted += n
	case kind != podKind:
	case verb == Create:
		t.PodsCreated += n
	case verb == Delete:
		t.PodsDeleted += n
	case verb == Recreate:
		t.PodsDeleted, t.PodsRecreated = t.PodsDeleted+n, t.PodsRecreated+n
	case verb == UpdateInPlace:
		t.PodsUpdated += n
	}
}

// simulated calls possible what the rounds come to beyond what is certain, the deletion of
// Pods that they only mark, or that hooks hold at the end, and what another choice of theirs
// deletes.
func (t *Total) simulated(all Totals, held Toll) {
	if all.Marked > 0 {
		t.Certain.PodsDeleted, t.Certain.PodsRecreated = min(t.Certain.PodsDeleted, max(all.Delete, all.Recreate)), min(t.Certain.PodsRecreated, all.Recreate)
		t.Certain.ClaimsDeleted = min(t.Certain.ClaimsDeleted, all.DeleteClaims)
	}
	beyond := func(n, certain int) int { return max(0, n-certain) }
	t.Possible = Toll{
		PodsCreated:   beyond(all.Create, t.Certain.PodsCreated),
		PodsDeleted:   beyond(max(max(all.Delete, all.Recreate)+all.Marked+held.PodsDeleted, all.Most.PodsDeleted), t.Certain.PodsDeleted),
		PodsRecreated: beyond(all.Recreate+all.Marked+held.PodsRecreated, t.Certain.PodsRecreated),
		PodsUpdated:   beyond(all.Update+all.Most.PodsUpdated, t.Certain.PodsUpdated),
		ClaimsDeleted: beyond(max(all.DeleteClaims+held.ClaimsDeleted, all.Most.ClaimsDeleted), t.Certain.ClaimsDeleted),
	}
}

// Gravest is the verb as which a choice is counted whose objects get different
// actions.
//
//go:noinline // it is called at many places
func (c OpenChoice) Gravest() Verb {
	for _, v := range []Verb{Delete, Recreate, UpdateInPlace} {
		if slices.Contains(c.Verbs, v) {
			return v
		}
	}
	return c.Verbs[0]
}

// AllActions are those of the next sync, all that are possible, those that follow
// from it, and those of the rounds after it.
func (d *Decision) AllActions() []Action {
	all := d.atOnce()
	if d.Timeline != nil {
		all = append(all, d.Timeline.actions()...)
	}
	return all
}

// atOnce are the actions of the next sync, and those that follow from it.
func (d *Decision) atOnce() []Action {
	all := slices.Clip(d.Actions)
	for _, e := range d.Follows {
		all = append(all, e.Actions...)
	}
	return all
}

// actions are those of all rounds.
func (t *Timeline) actions() (all []Action) {
	for _, r := range t.Rounds {
		all = append(all, r.Actions...)
	}
	return all
}

// OnlyMarks reports whether no Pod enters another state of its lifecycle, of those for which
// a label or an annotation of it is written.
func (d *Decision) OnlyMarks() bool {
	return !slices.ContainsFunc(d.Actions, func(a Action) bool { return a.Verb == SetState && !a.Marks })
}

// KeepsMarked reports whether what refuses creations or deletions now, or holds them up, keeps
// Pods that are marked to be recreated.
func (d *Decision) KeepsMarked() bool {
	for i := range d.Actions {
		if d.Actions[i].Held {
			return true
		}
	}
	return d.Count.Of.Int(KeyRefused) > 0 ||
		d.Summary.Delete() == 0 && slices.ContainsFunc(d.Refusals, func(r Refusal) bool { return r.Deletions })
}

// Ranks reports whether a controller chooses by an order which Pods are deleted.
func (d *Decision) Ranks() bool {
	return d.Ranking != nil || slices.ContainsFunc(d.Follows, func(e Effect) bool { return e.Ranking != nil })
}
