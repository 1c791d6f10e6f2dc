package handlers

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle"
)

// TestKruiseHandlers asks kruise 1.9, whose handlers have the types that the
// driver calls them with.
func TestKruiseHandlers(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs upstream's controllers")
	}
	n := share
	if text := os.Getenv("ORACLE_EVENTS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	dir, err := oracle.BinariesOf("..", "kruise-1.9")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(dir, "oracle-kruise-1.9"), "events")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	fired := map[string]int{}
	to, from := json.NewEncoder(in), json.NewDecoder(out)
	for seed := 0; seed*length < n && !t.Failed(); seed++ {
		req := kruiseQuestion(seed)
		if err := to.Encode(req); err != nil {
			t.Fatal(err)
		}
		var runs []kruiseRun
		if err := from.Decode(&runs); err != nil || len(runs) != length {
			t.Fatalf("%d answers: %v", len(runs), err)
		}
		compareKruise(t, seed, req, runs, fired)
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	for _, rule := range []string{handlers.ExistingDependent, handlers.DependentAdded, handlers.DependentDeleted, handlers.OrphanAdded, handlers.DependentLeft} {
		if fired[rule] == 0 {
			t.Errorf("no event takes the branch %s", rule)
		}
	}
	differences := 0
	if t.Failed() {
		differences = 1 // it ends with the first
	}
	tally.Add(oracle.Compared{Version: "kruise-1.9", Count: n, Differences: differences})
	t.Logf("%d events", n)
}

func compareKruise(t *testing.T, seed int, req *kruiseRequest, runs []kruiseRun, fired map[string]int) {
	t.Helper()
	p, err := profile.New(profile.Options{Emulate: "1.36"})
	if err != nil {
		t.Fatal(err)
	}
	o := newKruise(p, req, fired)
	for i, theirs := range runs {
		run, err := o.see(req.Events[i], slices.Collect(maps.Keys(req.Memory)))
		if err != nil {
			t.Fatal(err)
		}
		if want, got := showKruise(theirs), showKruise(run); want != got {
			t.Errorf("seed %d, event %d:\n  %s\nupstream %s\nours     %s", seed, i, describe(req.Events[i]), want, got)
			return
		}
	}
}
