package cloneset

import (
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/program"
)

// TestDiffs compares the arithmetic alone, on twenty inputs for each state of
// TestSyncs: a million when that takes 50,000.
func TestDiffs(t *testing.T) {
	n := 20 * program.Setting(t, "ORACLE_STATES", share)
	eachVersion(t, func(t *testing.T, p *program.Process, version string) {
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
