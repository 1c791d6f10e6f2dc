package decision

import "slices"

// Spared is what becomes of a Pod that is to be kept.
type Spared struct {
	// Pod is the Pod that is to be kept.
	Pod Ref `json:"pod"`
	// Fate is what becomes of it until nothing is left to do.
	Fate Fate `json:"deletion"`
	// Message is why it is deleted; absent where it is not.
	Message string `json:"message,omitempty"`
	// Command makes the same change spare it, and all others with a command; absent where
	// none is needed, or none does.
	Command string `json:"command,omitempty"`
	// CommandAlone makes the same change spare it where it is given for no other Pod; absent
	// where none does, or there is a command for all.
	CommandAlone string `json:"commandAlone,omitempty"`
	// MayStay reports whether a pod-deletion-cost may spare it, and whether it does is not known.
	MayStay bool `json:"-"`
	// Going reports whether it is being deleted already.
	Going bool `json:"-"`
	// Unchosen reports whether a later sync chooses, which this answer does not foresee.
	Unchosen bool `json:"-"`
}

// FateOf returns what becomes of a Pod in all that the decision holds: the next sync,
// what follows from it, and the rounds.
func (d *Decision) FateOf(pod Ref) Spared { return d.fates().of(pod) }

// fates are the deletions that a decision holds, by what they delete.
type fates struct {
	d      *Decision
	atOnce map[Ref][]Action
	rounds map[Ref][]deletions
	// spent are the choices that spends was asked about.
	spent map[string]bool
	// spares are the objects that are chosen from at once with some that the rounds leave: with
	// another choice, any of them may be left.
	spares map[Ref]bool
}

// deletions are those of one object in one round.
type deletions struct {
	depends bool
	actions []Action
}

func (d *Decision) fates() *fates {
	f := &fates{d: d, atOnce: deletionsIn(d.atOnce()), rounds: map[Ref][]deletions{}, spent: map[string]bool{}, spares: map[Ref]bool{}}
	if d.Timeline == nil {
		return f
	}
	for _, r := range d.Timeline.Rounds {
		for object, actions := range deletionsIn(r.Actions) {
			f.rounds[object] = append(f.rounds[object], deletions{r.Depends, actions})
		}
	}
	f.spare(d.Actions)
	for _, e := range d.Follows {
		f.spare(e.Actions)
	}
	return f
}

// spare notes the objects of those choices of one sync that the rounds do not use up.
func (f *fates) spare(actions []Action) {
	left := map[Pool]bool{}
	for i := range actions {
		if of, shares := actions[i].Pool(); shares && len(f.rounds[actions[i].Object.named()]) == 0 {
			left[of] = true
		}
	}
	for i := range actions {
		if of, shares := actions[i].Pool(); shares && left[of] {
			f.spares[actions[i].Object.named()] = true
		}
	}
}

// deletionsIn are the actions that delete, by their objects.
func deletionsIn(actions []Action) map[Ref][]Action {
	all := map[Ref][]Action{}
	for _, a := range actions {
		if a.Deletes() {
			all[a.Object.named()] = append(all[a.Object.named()], a)
		}
	}
	return all
}

// named is the object without what a name leaves open.
func (o Ref) named() Ref { return Ref{Kind: o.Kind, Namespace: o.Namespace, Name: o.Name} }

func (f *fates) of(pod Ref) Spared {
	d, k := f.d, Spared{Pod: pod, Fate: Safe}
	if why, held := d.DeletionHeld[pod.Name]; held && pod.Namespace == d.Target.Namespace {
		k.Fate, k.Message = Doomed, why
		return k
	}
	k.Fate, k.Message = fateIn(f.atOnce[pod.named()])
	if d.Timeline != nil {
		f.inRounds(&k)
	}
	if why, held := d.ChoiceHeld[pod.Name]; held && k.Fate == Safe && pod.Namespace == d.Target.Namespace {
		k.Fate, k.Message, k.Unchosen = AtRisk, why, true
	}
	if left := d.Timeline.leaves(); left != "" && k.Fate != Doomed && d.owns(pod) {
		k.Fate, k.Message = Doomed, left
	}
	if k.Fate == AtRisk && d.Timeline.empties() && d.owns(pod) {
		k.Fate = Doomed // when is not deterministic, that it is deleted is certain
	}
	return k
}

// fateIn is what becomes of an object of which these are the deletions.
func fateIn(deletions []Action) (f Fate, message string) {
	f = Safe
	for _, a := range deletions {
		if a.Certainty == Certain {
			return Doomed, a.Message
		}
		f, message = AtRisk, a.Message
	}
	return f, message
}

// inRounds takes the rounds into account. There the controllers act one after the other,
// each on what those before it wrote, and what follows from the next sync at once may
// come before that: where only one of the two deletes the Pod, either may be.
func (f *fates) inRounds(k *Spared) {
	t := f.d.Timeline
	switch fate, message := f.onRounds(k.Pod); {
	case fate == Doomed && k.Fate == AtRisk && f.spares[k.Pod.named()]: // the rounds follow one order of several syncs
	case fate == Doomed:
		k.Fate, k.Message = fate, message
	case k.Fate == Doomed && t.End.Outcome != Unfinished:
		k.Fate, k.Message = AtRisk, k.Message+", if it happens before other controllers have written their status; the rounds do not delete the Pod"
		if fate == AtRisk {
			k.Message = message
		}
	case k.Fate == Safe && fate == AtRisk:
		k.Fate, k.Message = fate, message
	case f.d.ChoiceHeld[k.Pod.Name] != "" && k.Pod.Namespace == f.d.Target.Namespace: // a choice that the rounds do not come to
	case k.Fate == Safe && (t.Unforeseen[k.Pod.Name] != "" || t.Uneven && t.depends()):
		k.Fate, k.Message = AtRisk, "the rounds follow one of several possible paths"
	}
}

// onRounds is what becomes of a Pod in rounds. What is certain on this path alone is not where
// some that it is chosen from with are left on it. Of one that is marked to be recreated, it
// is why it is marked.
func (f *fates) onRounds(pod Ref) (fate Fate, message string) {
	fate = Safe
	marked := false
	for _, r := range f.rounds[pod.named()] {
		got, why := fateIn(r.actions)
		if marked {
			why = message
		}
		marked = r.actions[0].Verb == Recreate
		if got == Doomed && (!r.depends || f.spends(f.d.Timeline.Unforeseen[pod.Name])) {
			return Doomed, why
		}
		fate, message = AtRisk, why
	}
	if choice := f.d.Timeline.Unforeseen[pod.Name]; fate == AtRisk && choice != "" && f.spends(choice) {
		return Doomed, "all Pods that it is chosen from are deleted in the end; in which round this one goes is not deterministic"
	}
	return fate, message
}

func (f *fates) spends(choice string) bool {
	spends, asked := f.spent[choice]
	if !asked {
		spends = f.d.Timeline.spends(choice)
		f.spent[choice] = spends
	}
	return spends
}

// spends reports whether all Pods that are chosen from together are deleted.
func (t *Timeline) spends(choice string) bool {
	if t.Uneven {
		return false
	}
	gone := map[string]bool{}
	for _, r := range t.Rounds {
		for _, a := range r.Actions {
			gone[a.Object.Name] = gone[a.Object.Name] || a.Object.Kind == "Pod" && (a.Verb == Delete || a.StartsDeletion)
		}
	}
	for name, of := range t.Unforeseen {
		if of == choice && !gone[name] {
			return false
		}
	}
	return true
}

// empties reports whether the rounds end without Pods, as desired.
func (t *Timeline) empties() bool {
	return t != nil && t.End.Outcome == Stable && t.End.Counts.Wanted == 0 && t.End.Counts.Pods == 0
}

// leaves says why the rounds end with Pods where none is desired, empty where they do not:
// those are still to be deleted.
func (t *Timeline) leaves() string {
	if t == nil || t.End.Outcome != Blocked || t.End.Counts.Wanted > 0 || t.End.Counts.Pods == 0 {
		return ""
	}
	why := t.End.Message
	if len(t.End.Why) > 0 {
		why = t.End.Why[0].Message
	}
	return "no Pod is desired, and it is deleted once what ends the rounds is over: " + why
}

// owns reports whether the Pod is the target's already: no other controller may adopt it.
func (d *Decision) owns(pod Ref) bool {
	return slices.ContainsFunc(d.Claims, func(c Claim) bool {
		return c.Decision == Owned && c.Object.Kind == pod.Kind && c.Object.Name == pod.Name
	})
}

func (t *Timeline) depends() bool {
	for _, r := range t.Rounds {
		if r.Depends {
			return true
		}
	}
	return false
}

// Loses reports whether a Pod that is to be kept is deleted, or may be.
func (d *Decision) Loses() bool {
	for _, k := range d.Keep {
		if k.Fate != Safe {
			return true
		}
	}
	return false
}
