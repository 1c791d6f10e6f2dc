package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"
)

// TestSnapshot compares the plan of a live cluster with that of a snapshot of
// it, asked as of the same instant.
func TestSnapshot(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*world)
		flags  []string
	}{
		"ranking with co-located pods": {change: coLocated(true)},
		"adoption":                     {change: withOrphans(1, []pod{{name: "a", node: bare0, ready: day}}, pod{name: "orphan", node: bare1, ready: minutes})},
		"minReadySeconds":              {change: aging(3600, day, 100*time.Second)},
		"a cycle":                      {change: cycle},
		"what if":                      {change: coLocated(true), flags: []string{"--replicas", "1"}},
		"creation":                     {change: surplus(3, pod{name: "failed", node: bare0, phase: "Failed"})},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, t.Name())
			w.check(env.kcm.hold(t.Context(), killed))
			test.change(w)
			w.compareWithSnapshot(test.flags)
		})
	}
}

func (w *world) compareWithSnapshot(flags []string) {
	w.Helper()
	file := filepath.Join(w.TempDir(), "snapshot.yaml")
	w.check(os.WriteFile(file, []byte(w.run(false, "snapshot", "rs/web")), 0o600))
	ask := append([]string{"plan", "rs/web", "-o", "json"}, flags...)
	live := w.run(false, ask...)
	plan, err := parsePlan(live)
	w.check(err)
	saved := w.run(false, append(ask, "--from", file, "--at", plan.AsOf.Format(time.RFC3339Nano))...)
	if diff := cmp.Diff(w.withoutBasis(live), w.withoutBasis(saved)); diff != "" {
		w.Errorf("the plan of the snapshot differs (-live +snapshot):\n%s", diff)
	}
}

// withoutBasis leaves out how the version was learned.
func (w *world) withoutBasis(plan string) any {
	w.Helper()
	var d map[string]any
	w.check(json.Unmarshal([]byte(plan), &d))
	modelled, ok := d["model"].(map[string]any)
	if !ok {
		w.Fatalf("the plan does not say what is modelled:\n%s", plan)
	}
	delete(modelled, "basis")
	text, err := yaml.Marshal(d)
	w.check(err)
	return string(text)
}
