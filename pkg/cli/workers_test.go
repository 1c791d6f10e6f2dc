package cli

import (
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
