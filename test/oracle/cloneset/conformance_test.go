package cloneset

import (
	"os"
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/cloneset/states"
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
	n, first := program.Setting(t, "ORACLE_STATES", share), program.Setting(t, "ORACLE_SEED", 1)
	eachVersion(t, func(t *testing.T, p *program.Process, version string) {
		r, err := Check(p, version, first, n)
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
		if missing := r.missing(); n >= thorough && len(missing) > 0 {
			t.Errorf("no state fires %v", missing)
		}
		if os.Getenv("ORACLE_RULES") != "" {
			t.Log(r.Rules)
		}
		t.Logf("%d states, %d reconciles, %d mismatches, left out %v", r.States, r.Syncs, r.Mismatches, r.LeftOut)
	})
}

// TestBodies compares what is sent, request by request, by what it leaves.
func TestBodies(t *testing.T) {
	n, first := program.Setting(t, "ORACLE_STATES", share), program.Setting(t, "ORACLE_SEED", 1)
	eachVersion(t, func(t *testing.T, p *program.Process, version string) {
		compared, failed := 0, 0
		for seed := first; seed < first+n; seed++ {
			req, err := states.Draw(version, seed, stepOf(version))
			if err != nil {
				t.Fatal(err)
			}
			req.Orders = permutations(len(req.Pods), uint64(seed), 1)
			_, resp, err := ask(p, version, req)
			if err != nil {
				t.Fatal(err)
			}
			differ, ok, err := bodies(version, req, &resp.Runs[0])
			if err != nil {
				t.Fatalf("state %d: %v", seed, err)
			}
			if ok {
				compared++
			}
			if len(differ) > 0 {
				if failed++; failed <= shown {
					t.Errorf("state %d: %s", seed, strings.Join(differ, "\n"))
				}
			}
		}
		if compared < n/3 {
			t.Errorf("only %d of %d states could be compared", compared, n)
		}
		t.Logf("%d of %d states compared, %d differ", compared, n, failed)
	})
}
