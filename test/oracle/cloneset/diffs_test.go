package cloneset

import (
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/program"
)

// TestDiffs compares the arithmetic alone, on twenty inputs for each state of
// TestSyncs, a million at most.
func TestDiffs(t *testing.T) {
	eachVersion(t, func(t *testing.T, p *program.Process, version string) {
		n := 20 * min(program.States(t, version, share), 50_000)
		differences, err := CheckDiffs(p, version, 1, n)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range differences {
			t.Error(d)
		}
		results.of(version).Diffs, results.of(version).DiffMismatches = n, len(differences)
		t.Logf("%d inputs, %d differences", n, len(differences))
	})
}
