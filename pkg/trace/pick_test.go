package trace_test

import (
	"slices"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// TestNeedsOfTheManager: whose release and gates count is read once, with all
// Deployments or alone.
func TestNeedsOfTheManager(t *testing.T) {
	for _, tc := range []struct {
		name, namespace string
		kinds           []view.Kind
		want            []string
	}{
		{"all", "", nil, []string{"/"}},
		{"all of a namespace", "shop", nil, []string{"shop/", "kruise-system/kruise-controller-manager"}},
		{"CloneSets", "", []view.Kind{view.CloneSets}, []string{"kruise-system/kruise-controller-manager"}},
		{"CloneSets of a namespace", "shop", []view.Kind{view.CloneSets}, []string{"kruise-system/kruise-controller-manager"}},
		{"ReplicaSets", "", []view.Kind{view.ReplicaSets}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for _, n := range trace.Needs(trace.Running(plugins.All(), tc.kinds), tc.namespace, tc.kinds != nil) {
				if n.Kind.GroupKind() == view.Deployments.GroupKind() {
					got = append(got, n.Namespace+"/"+n.Name)
				}
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("reads the Deployments %q, want %q", got, tc.want)
			}
		})
	}
}
