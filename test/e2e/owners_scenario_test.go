package e2e

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
)

// deleteScenario is a deletion whose effects `owners --cascade` predicts.
type deleteScenario struct {
	name string
	// setup runs while the controllers act, change while they are held.
	setup, change func(*world)
	// target is what is deleted, as a user types it: its kind and its name.
	kind, object string
	how          lineage.Policy
	// tells lists effects that must be told: "pod/a AdoptedNext".
	tells []string
	// remade says that the target's own controller makes it again at once, and
	// that what becomes of the orphans is up to that.
	remade bool
}

func runDeleteScenarios(t *testing.T, scenarios []deleteScenario) {
	for _, s := range scenarios {
		t.Run(s.name, s.run)
	}
}

func (s deleteScenario) run(t *testing.T) {
	w := newWorld(t, t.Name())
	if s.setup != nil {
		w.check(env.kcm.release(t.Context()))
		s.setup(w)
	}
	w.check(env.kcm.hold(t.Context(), killed))
	if s.change != nil {
		s.change(w)
	}
	name := s.object
	if name == "" {
		name = w.onlySet()
	}
	g := w.owners(s.kind+"/"+name, "--cascade", string(s.how))
	s.checkTells(w, g)
	before := w.population()
	w.kubectl("delete", s.kind, name, "--cascade="+string(s.how), "--wait=false")
	w.holdTo(predictDeletion(g, before, s.remade), before)
}

func (w *world) owners(args ...string) *lineage.Graph {
	w.Helper()
	var d struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		lineage.Graph
	}
	w.check(strictly(w.run(false, append([]string{"owners", "-o", "json"}, args...)...), &d))
	return &d.Graph
}

func (s deleteScenario) checkTells(w *world, g *lineage.Graph) {
	w.Helper()
	told := map[string]bool{}
	eachEffect(g, func(e lineage.Effect) { told[e.Object.String()+" "+e.Rule] = true })
	for _, want := range s.tells {
		if !told[want] {
			w.Errorf("%q is not among what is told: %v", want, told)
		}
	}
	adopted := false
	eachEffect(g, func(e lineage.Effect) {
		adopted = adopted || e.Rule == lineage.AdoptedNext || e.Rule == lineage.AdoptedByOneOf
	})
	warned := false
	for _, c := range g.Caveats {
		switch {
		case s.remade && c.Code == "MayBeRemade":
		case adopted && c.Code == "AdopterActs":
			warned = true
		default:
			w.Errorf("an administrator meets a caveat: %v", c)
		}
	}
	if adopted != warned {
		w.Errorf("adopted: %v; warned of what the adopter does: %v", adopted, warned)
	}
	if s.remade && len(g.Caveats) == 0 {
		w.Errorf("the answer does not say that the target will be made again")
	}
}

func eachEffect(g *lineage.Graph, f func(lineage.Effect)) {
	for _, effects := range [][]lineage.Effect{g.OnDelete.Takes, g.OnDelete.Keeps, g.OnDelete.Orphans} {
		for _, e := range effects {
			f(e)
		}
	}
}

// predictDeletion reads a Graph as a forecast. What it does not speak of
// stays.
func predictDeletion(g *lineage.Graph, before population, remade bool) *forecast {
	f := newForecast(g.Answer)
	f.only(uid(g.Target), "deleted")
	for _, e := range g.OnDelete.Takes {
		f.only(uid(e.Object), "deleted")
	}
	gone := map[types.UID]bool{uid(g.Target): true}
	for _, e := range g.OnDelete.Takes {
		gone[uid(e.Object)] = true
	}
	for _, e := range g.OnDelete.Keeps {
		was := before[uid(e.Object)]
		f.only(uid(e.Object), fate(was, withoutOwners(was, gone)))
	}
	for _, e := range g.OnDelete.Orphans {
		f.fates[uid(e.Object)] = orphanFates(e, before[uid(e.Object)], remade)
	}
	return f
}

// orphanFates are those of an object that loses its owner. Adopters are known
// by their names here.
func orphanFates(e lineage.Effect, was being, remade bool) []string {
	is := withoutOwners(was, map[types.UID]bool{uid(e.Owner): true})
	free := fate(was, is)
	switch {
	case e.Rule == lineage.AdoptedNext:
		return []string{free + ", adopted by " + e.Facts.Str("controller")}
	case remade:
		return []string{unchanged} // of another owner of the same name
	}
	return []string{free}
}

func withoutOwners(b being, gone map[types.UID]bool) being {
	var left []metav1.OwnerReference
	for _, ref := range b.owners {
		if !gone[ref.UID] {
			left = append(left, ref)
		}
	}
	b.owners = left
	return b
}
