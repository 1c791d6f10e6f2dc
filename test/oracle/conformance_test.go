package oracle

import (
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/program"
)

// share is how many states per version an everyday run takes; $ORACLE_STATES
// sets another number.
const share = 3000

// eachVersion runs test on a fresh oracle of every version, side by side.
func eachVersion(t *testing.T, test func(*testing.T, *Process)) {
	if testing.Short() {
		t.Skip("builds and runs upstream's controllers")
	}
	versions, err := Versions(".")
	if err != nil {
		t.Fatal(err)
	}
	dir, err := Binaries(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range versions {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			p, err := Start(dir, version)
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := p.Close(); err != nil {
					t.Error(err)
				}
			}()
			test(t, p)
		})
	}
}

// TestSyncs compares whole syncs, and makes sure that the states were worth it.
func TestSyncs(t *testing.T) {
	first := program.Setting(t, "ORACLE_SEED", 1)
	eachVersion(t, func(t *testing.T, p *Process) {
		n := program.States(t, p.Version, share)
		r, err := Check(p, first, n, program.Over(t))
		if err != nil {
			t.Fatal(err)
		}
		results.of(p.Version).Result = r
		for _, m := range r.Found[:min(3, len(r.Found))] {
			t.Errorf("%s", Shrink(p, m))
		}
		if r.Mismatches > 0 {
			t.Errorf("%d of %d states disagree", r.Mismatches, r.States)
		}
		if missing := r.Rules.Missing(p.Version); len(missing) > 0 {
			t.Errorf("no state fires %v", missing)
		}
		if scarce := r.Effects.Scarce(r.States); len(scarce) > 0 {
			t.Errorf("too few states: %v of %d: %v", scarce, r.States, r.Effects)
		}
		demandChance(t, r)
		t.Logf("%d states, %d syncs, %d mismatches", r.States, r.Syncs, r.Mismatches)
	})
}

// demandChance makes sure that "possible" is no way out: what the plugin
// calls undetermined must come out differently.
func demandChance(t *testing.T, r *Result) {
	for _, rule := range []string{replicaset.TiedForDeletion, replicaset.CyclicOrder} {
		c := r.Chance[rule]
		if c == nil || c.Varied == 0 {
			t.Errorf("%s: no group came out in two ways", rule)
			continue
		}
		if c.Steady > 0 {
			t.Errorf("%s: %d of %d groups came out one way, whatever the order", rule, c.Steady, c.Groups)
		}
		if c.Leaning*4 > c.Groups {
			t.Errorf("%s: %d of %d groups came out one way for being too large to predict", rule, c.Leaning, c.Groups)
		}
		t.Logf("%s: %+v", rule, *c)
	}
}
