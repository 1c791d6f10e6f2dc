package cli

import (
	"maps"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// TestWorkersOfTheManagers: a trace names the workers that the managers have, each with how
// that is known; of a manager none of whose controllers is traced nothing is read.
func TestWorkersOfTheManagers(t *testing.T) {
	src, err := bundle.Open([]string{"../../docs/examples/cart.yaml"}, nil, bundle.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.New(profile.Options{Emulate: "1.36"})
	if err != nil {
		t.Fatal(err)
	}
	read := profile.Manager{Pod: "kcm", Image: "kcm:v1.36.3", Args: []string{"--concurrent-replicaset-syncs=7"}}
	for what, test := range map[string]struct {
		manager profile.Manager
		kinds   []view.Kind
		want    map[string]entry.Workers
	}{
		"arguments": {read, []view.Kind{view.ReplicaSets}, map[string]entry.Workers{
			"replicaset-controller": {Manager: "7", Flag: "concurrent-replicaset-syncs", Source: "Argument"},
			"deployment-controller": {Manager: "5", Flag: "concurrent-deployment-syncs", Source: "Default"},
			"cloneset-controller":   {},
		}},
		"hidden": {profile.Manager{Hidden: "no Pod of it is seen"}, []view.Kind{view.ReplicaSets, view.CloneSets}, map[string]entry.Workers{
			"replicaset-controller": {Manager: "5", Flag: "concurrent-replicaset-syncs", Source: "NotVisible"},
			"cloneset-controller":   {Manager: "3", Flag: "cloneset-workers", Source: "Default"},
		}},
	} {
		o := &opened{Source: src, controllers: plugins.All(), profile: p, manager: test.manager, files: true}
		got := o.workers(t.Context(), trace.Running(plugins.All(), test.kinds))
		for name, want := range test.want {
			if got[name] != want {
				t.Errorf("%s: %s has %+v, want %+v", what, name, got[name], want)
			}
		}
	}
}

// TestWorkersHere: a trace has as many workers as the manager, unless --workers says how many.
func TestWorkersHere(t *testing.T) {
	traced := trace.Running(plugins.All(), []view.Kind{view.ReplicaSets, view.CloneSets, view.StatefulSets})
	managers := map[string]entry.Workers{
		"replicaset-controller": {Manager: "7"}, "statefulset-controller": {Manager: "100000"}, "deployment-controller": {Manager: "5"},
	}
	for flag, want := range map[int]map[string]int{
		0: {"replicaset-controller": 7, "statefulset-controller": 1000, "cloneset-controller": 0}, // 0: not known, and one
		3: {"replicaset-controller": 3, "statefulset-controller": 3, "cloneset-controller": 3},
	} {
		f := &traceFlags{workers: flag}
		if got := f.workersHere(traced, managers); !maps.Equal(got, want) {
			t.Errorf("--workers %d: %v, want %v", flag, got, want)
		}
	}
}
