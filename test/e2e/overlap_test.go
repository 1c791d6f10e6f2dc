package e2e

import (
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestOverlap is about sets whose selectors match the same pods.
func TestOverlap(t *testing.T) {
	runScenarios(t, []scenario{
		{
			name: "each set keeps to its own pods",
			change: func(w *world) {
				set, rival := w.createSet(replicaSet(web, 1)), w.createSet(replicaSet("rival", 1, labelled(web)))
				w.createPods(pod{name: "mine", owner: set, node: bare0, ready: hour}, pod{name: "theirs", owner: rival, node: bare0, ready: hour})
			},
			shows: []string{"OtherController"},
		},
		{
			name: "the other set's pods do not fill a gap",
			change: func(w *world) {
				w.createSet(replicaSet(web, 2))
				rival := w.createSet(replicaSet("rival", 1, labelled(web)))
				w.createPods(pod{name: "theirs", owner: rival, node: bare0, ready: hour})
			},
			shows: []string{"OtherController", "CreateMissing"},
		},
	})
	t.Run("one of two sets adopts", testContested)
}

// testContested holds the plan of the set that adopts to what it does: the
// counts of either plan assume that it is this set.
func testContested(t *testing.T) {
	w := newWorld(t, t.Name())
	w.check(env.kcm.hold(t.Context(), killed))
	w.createSet(replicaSet(web, 1))
	w.createSet(replicaSet("rival", 1, labelled(web)))
	w.createPods(pod{name: "orphan", node: bare0, ready: hour})
	scenarios := []scenario{{args: []string{"rs/web"}}, {args: []string{"rs/rival"}}}
	var plans []*decision.Decision
	for _, s := range scenarios {
		s.shows = []string{"AdoptContested"}
		plan := s.plan(w)
		s.checkShows(w, plan)
		plans = append(plans, plan)
	}
	mark := w.mark()
	w.letGo(mark)
	adopters := 0
	for i, plan := range plans {
		did := w.observe(mark, plan.Target, true)
		if len(did.adopted) == 0 {
			continue
		}
		adopters++
		scenarios[i].judge(w, plan, did)
	}
	if adopters != 1 {
		t.Errorf("%d sets adopted the pod, want 1", adopters)
	}
}
