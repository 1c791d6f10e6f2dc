package memory

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle"
)

// share is how many steps per version an everyday run takes;
// $ORACLE_MEMORY_STEPS sets another number.
const share = 25_000

// tally is for $ORACLE_REPORT.
var tally oracle.Tally

func TestMain(m *testing.M) { tally.Run(m) }

func TestExpectations(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs upstream's controllers")
	}
	n := share
	if text := os.Getenv("ORACLE_MEMORY_STEPS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	for _, version := range []string{"1.36", "1.37", "kruise-1.8", "kruise-1.9"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			dir, err := oracle.BinariesOf("..", version)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Check(dir, version, 1, n)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range r.Found[:min(3, len(r.Found))] {
				t.Error(found)
			}
			if len(r.Found) > 0 || r.Steps < n {
				t.Errorf("%d of %d sequences disagree", len(r.Found), r.Steps/length)
			}
			tally.Add(oracle.Compared{Version: version, Count: r.Steps, Differences: len(r.Found)})
			t.Logf("%d steps, %d of them with more than one answer", r.Steps, r.Chances)
		})
	}
}

// TestSequencesReachTheEdges makes sure that the steps are worth taking: every
// answer that a look can give is among those of a few sequences.
func TestSequencesReachTheEdges(t *testing.T) {
	for version, wanted := range map[string][]string{
		"1.36":       {"false 1 ", "true -", "true none", "true 2 0 [] 5m0.000000001s", "false 2 0 [] 5m0s", "read version: "},
		"kruise-1.9": {"true 0s map[]", "false 5m0s map[create", "false 2m0s map[delete", "false 5m0s", "true 0s"},
	} {
		p := productOf(version)
		var all []string
		for seed := range 400 {
			for _, may := range takeAll(p.newOurs, newDraw(seed).sequence(p.kinds)) {
				all = append(all, may...)
			}
		}
		for _, want := range wanted {
			if !slices.ContainsFunc(all, func(seen string) bool { return strings.Contains(seen, want) }) {
				t.Errorf("%s: no step shows %q", version, want)
			}
		}
	}
}
