package test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// TestRecordsTakeEveryBranch: each branch of the handlers of ReplicaSets and of their Pods
// (replica_set.go) is taken in some record of a real control plane, those that queue nothing
// as well.
func TestRecordsTakeEveryBranch(t *testing.T) {
	files, err := filepath.Glob("../docs/examples/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal("no records", err)
	}
	taken := map[string][]string{}
	for _, file := range files {
		branchesOf(t, file, func(rule string) {
			if name := filepath.Base(file); !slices.Contains(taken[rule], name) {
				taken[rule] = append(taken[rule], name)
			}
		})
	}
	branches := 0
	for _, r := range handlers.Rules {
		if !strings.Contains(r.Source, "replicaset/replica_set.go") {
			continue
		}
		if branches++; len(taken[r.ID]) == 0 {
			t.Errorf("%s is in no record: add it to test/records, %s", r.ID, r.Title)
		}
	}
	if branches < 18 {
		t.Errorf("%d branches of replica_set.go, of %v", branches, slices.Sorted(maps.Keys(taken)))
	}
}

// branchesOf replays a record, and calls found for each branch that an event takes.
func branchesOf(t *testing.T, file string, found func(rule string)) {
	t.Helper()
	text, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = text.Close() }()
	record, err := trace.OpenRecord(text)
	if err != nil {
		t.Fatal(err)
	}
	running := trace.Running(plugins.All(), []view.Kind{view.ReplicaSets})
	for n, c := range running {
		running[n].Handle = func(s handlers.Cluster, p profile.Profile, ev handlers.Event) []handlers.Effect {
			effects := c.Handle(s, p, ev)
			for _, x := range effects {
				found(x.Rule)
			}
			return effects
		}
	}
	if _, err := record.Replay(t.Context(), trace.Options{Controllers: running, Out: func(*entry.Entry) {}}); err != nil {
		t.Fatal(file, err)
	}
}
