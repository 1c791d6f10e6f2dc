package simulate

import (
	"cmp"
	"maps"
	"slices"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// survey takes the counts of the cluster as it is: from what each controller would
// decide if it saw all of it and remembered nothing.
func (r *run) survey() error {
	r.now = map[slot]*Sync{}
	for _, k := range r.keys() {
		s, err := r.step(k, r.actors[k.actor].Step, r.reader(k, r.model))
		if err != nil {
			return err
		}
		r.now[k], r.work = s, r.work+len(s.Pods)
	}
	r.observe(r.standing())
	return nil
}

// conclude takes the counts of the last round where no sync followed to take them: a
// controller does not hear of Pods whose reference names it otherwise.
func (r *run) conclude() error {
	if !r.open {
		return nil
	}
	return r.survey()
}

// standing is how the target stands by the latest syncs, or the latest survey: the Pods
// of one that scales others are those of the others.
func (r *run) standing() *Sync {
	last := r.last
	if r.now != nil {
		last = r.now
	}
	s := *last[r.own()]
	if len(r.actors) == 1 {
		return &s
	}
	s.Pods = slices.Clone(s.Pods)
	for _, k := range r.scaled() {
		if d := last[k]; d != nil {
			s.count(r.actors[k.actor].target(k.key).Name, d)
		}
	}
	return &s
}

// count adds the Pods of an object that the target scales.
func (s *Sync) count(name string, d *Sync) {
	for _, p := range d.Pods {
		p.Revision, p.Updated = name, name == s.Latest
		s.Pods = append(s.Pods, p)
	}
	s.Terminating += d.Terminating
}

// countsOf sums up how pods stand.
func countsOf(s *Sync) decision.Counts {
	c := decision.Counts{Wanted: s.Wanted, Pods: len(s.Pods), Terminating: s.Terminating}
	revisions := map[string]*decision.RevisionCount{}
	surplus := 0
	for _, p := range s.Pods {
		if p.Ready {
			c.Ready++
		}
		if p.Available {
			c.Available++
			if p.Surplus {
				surplus++
			}
		}
		if s.Revised {
			countRevision(revisions, p)
		}
	}
	c.Unavailable = max(0, c.Wanted-(c.Available-surplus))
	for _, r := range slices.SortedFunc(maps.Values(revisions), func(a, b *decision.RevisionCount) int {
		return cmp.Or(cmp.Compare(a.Role, b.Role), cmp.Compare(a.Name, b.Name)) // new before old
	}) {
		c.Revisions = append(c.Revisions, *r)
	}
	return c
}

func countRevision(all map[string]*decision.RevisionCount, p Pod) {
	r, ok := all[p.Revision]
	if !ok {
		r = &decision.RevisionCount{Name: p.Revision, Role: decision.Old}
		if p.Updated {
			r.Role = decision.New
		}
		all[p.Revision] = r
	}
	r.Pods++
	if p.Ready {
		r.Ready++
	}
	if p.Available {
		r.Available++
	} else {
		r.Unavailable++
	}
}

// total counts the actions of a round that matter.
func (s *Sync) total(t *decision.Totals, actions []decision.Action) {
	for _, a := range actions {
		switch {
		case s.minor(a):
		case a.Verb == decision.Delete && a.Object.Kind == "PersistentVolumeClaim":
			t.DeleteClaims++
		case a.Object.Kind != "Pod":
		case a.Verb == decision.Create:
			t.Create++
		case a.Verb == decision.Delete:
			t.Delete++
			t.DeleteClaims += len(a.Collects)
		case a.Verb == decision.Adopt:
			t.Adopt++
		case a.Verb == decision.Release:
			t.Release++
		case a.Verb == decision.UpdateInPlace:
			t.Update++
		}
	}
}

// sheds counts the Pods that actions delete and that are none of those desired: none takes
// their place.
func (s *Sync) sheds(actions []decision.Action) (n int) {
	surplus := map[string]bool{}
	for _, p := range s.Pods {
		if p.Surplus {
			surplus[p.Name] = true
		}
	}
	for _, a := range actions {
		if a.Object.Kind == "Pod" && a.Verb == decision.Delete && surplus[a.Object.Name] {
			n++
		}
	}
	return n
}

// recreated tells the Pods that are marked for recreation from those that are deleted as
// well, as far as the rounds go.
func recreated(t *decision.Timeline) {
	marked := map[string]bool{}
	t.Totals.Recreate = 0
	for _, r := range t.Rounds {
		for _, a := range r.Actions {
			switch {
			case a.Object.Kind != "Pod":
			case a.Verb == decision.Recreate:
				marked[a.Object.Name] = true
			case a.Verb == decision.Delete && marked[a.Object.Name]:
				t.Totals.Recreate++
				delete(marked, a.Object.Name)
			}
		}
	}
	t.Totals.Marked = len(marked)
}
