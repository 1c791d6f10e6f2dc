package decision

import "slices"

// summary counts the objects that a controller is there for; what goes with them, such
// as the claims of Pods and the revisions of a rollout, is no creation or deletion of
// its own.
func (d *Decision) summary() Summary {
	sum := Summary{Total: d.Summary.Total}
	for a := range d.unshared {
		sum.count(a)
	}
	for _, c := range d.Choices() {
		if d.counts(c.Pool.Kind) {
			sum.choose(c)
		}
	}
	if d.Target.Kind != claimKind {
		_, sum.DeleteClaims = d.ClaimsDeleted()
	}
	return sum
}

// unshared are the actions that are counted and share no choice.
func (d *Decision) unshared(yield func(*Action) bool) {
	for i := range d.Actions {
		a := &d.Actions[i]
		if _, shared := a.Pool(); !shared && d.counts(a.Object.Kind) && !yield(a) {
			return
		}
	}
}

// Possible is how many of the objects that the Summary counts for a verb share no choice
// and are not certain.
func (d *Decision) Possible(v Verb) (n int) {
	for a := range d.unshared {
		if a.Verb == v && a.Certainty != Certain {
			n += a.Count
		}
	}
	return n
}

const podKind, claimKind, revisionKind = "Pod", "PersistentVolumeClaim", "ControllerRevision"

// counts reports whether objects of a kind are counted.
func (d *Decision) counts(kind string) bool {
	return kind == d.Target.Kind || kind != claimKind && kind != revisionKind
}

// count counts an action that shares no choice. A deletion that is not certain depends
// on something else, such as an adoption.
func (s *Summary) count(a *Action) {
	if a.Verb == Delete && a.Certainty != Certain {
		s.DeletePossible, s.PossibleAmong = s.DeletePossible+a.Count, s.PossibleAmong+a.Count
	} else if n := s.counter(a.Verb); n != nil {
		*n += a.Count
	}
}

// choose counts a choice once, as the gravest of what may happen to its objects.
func (s *Summary) choose(c OpenChoice) {
	verb := c.Gravest()
	if verb == Delete {
		s.DeletePossible, s.PossibleAmong = s.DeletePossible+c.K, s.PossibleAmong+c.N
	} else if n := s.counter(verb); n != nil {
		*n += c.K
	}
}

// counter counts the actions of a verb; nil for one that is not counted.
func (s *Summary) counter(v Verb) *int {
	switch v { //exhaustive:enforce
	case Create:
		return &s.Create
	case Delete:
		return &s.DeleteCertain
	case Adopt:
		return &s.Adopt
	case Release:
		return &s.Release
	case Scale:
		return &s.Scale
	case Modify:
		return &s.Modify
	case UpdateInPlace:
		return &s.Update
	case Recreate:
		return &s.Recreate
	case SetState:
		return &s.SetState
	case SetCondition, Detach:
	}
	return nil
}

// ClaimsDeleted is how many volume claims are deleted, at least and at most: those of
// Pods that are chosen depend on which are.
func (d *Decision) ClaimsDeleted() (least, most int) {
	ofPods := map[string]map[string]int{} // by choice and Pod
	for i := range d.Actions {
		a := &d.Actions[i]
		n, pod := len(a.Collects), a.Object.Name
		if a.Verb == Delete && a.Object.Kind == claimKind {
			n, pod = 1, a.With
		}
		pool, shared := a.Pool()
		switch {
		case n == 0:
		case !shared:
			least, most = least+n, most+n
		case ofPods[pool.Of] == nil:
			ofPods[pool.Of] = map[string]int{pod: n}
		default:
			ofPods[pool.Of][pod] += n
		}
	}
	for _, c := range d.Choices() {
		if c.Pool.Kind == podKind {
			low, high := c.claims(ofPods[c.Of])
			least, most = least+low, most+high
		}
	}
	return least, most
}

// claims is how many claims the chosen Pods have, at least and at most.
func (c OpenChoice) claims(ofPods map[string]int) (least, most int) {
	all := make([]int, max(0, c.N-len(ofPods)), c.N) // some have none
	for _, n := range ofPods {
		all = append(all, n)
	}
	slices.Sort(all)
	for i := range min(c.K, len(all)) {
		least, most = least+all[i], most+all[len(all)-1-i]
	}
	if c.Fewer {
		least = 0
	}
	return least, most
}
