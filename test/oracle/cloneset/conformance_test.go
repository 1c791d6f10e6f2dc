package cloneset

import (
	"os"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/program"
)

// share is how many states per version an everyday run takes; $ORACLE_STATES
// sets another number.
const share = 2000

// shown is how many mismatches are printed.
const shown = 20

// thorough is how many states have to fire every rule.
const thorough = 20_000

// eachVersion runs test on a fresh oracle of every version, side by side.
func eachVersion(t *testing.T, test func(*testing.T, *program.Process, string)) {
	program.Each(t, "..", program.Kruise, test)
}

// TestSyncs compares whole reconciles, and makes sure that the states were
// worth it.
func TestSyncs(t *testing.T) {
	first := program.Setting(t, "ORACLE_SEED", 1)
	eachVersion(t, func(t *testing.T, p *program.Process, version string) {
		n := program.States(t, version, share)
		r, err := Check(p, version, first, n, program.Over(t))
		if err != nil {
			t.Fatal(err)
		}
		results.of(version).Result = r
		for _, m := range r.Found[:min(shown, len(r.Found))] {
			t.Errorf("%s", m)
		}
		if r.Mismatches > 0 {
			t.Errorf("%d of %d states disagree", r.Mismatches, r.States)
		}
		if r.Bodies < r.States/3 {
			t.Errorf("what the requests of only %d of %d states make of objects could be compared", r.Bodies, r.States)
		}
		if missing := r.missing(); r.States >= thorough && len(missing) > 0 {
			t.Errorf("no state fires %v", missing)
		}
		if os.Getenv("ORACLE_RULES") != "" {
			t.Log(r.Rules)
		}
		t.Logf("%d states, %d reconciles, %d of them by bodies, %d mismatches, left out %v", r.States, r.Syncs, r.Bodies, r.Mismatches, r.LeftOut)
	})
}
