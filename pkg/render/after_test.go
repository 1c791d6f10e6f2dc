package render

import (
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestAfter: a scale-down says where the Pods are that it keeps for certain.
func TestAfter(t *testing.T) {
	nodes := []decision.Place{{Name: "n2", Kept: 2, Before: 3}, {Name: "n3", Kept: 1, Before: 1}, {Name: "n1", Before: 2}}
	const budget = "a PodDisruptionBudget does not limit a scale-down"
	const onNodes = "the scale-down keeps 4 of 6 Pods for certain, on 2 nodes: n2 (2), n3; "
	for _, tt := range []struct {
		name string
		stay *decision.Stay
		want string
	}{
		{"nodes alone", &decision.Stay{Pods: 4, Among: 6, Nodes: nodes}, onNodes + budget},
		{"all zones keep some", &decision.Stay{Pods: 4, Among: 6, Nodes: nodes, Zones: []decision.Place{{Name: "a", Kept: 2, Before: 3}, {Name: "b", Kept: 1, Before: 3}}},
			onNodes + "in 2 of 2 zones: a (2 of 3), b (1 of 3); " + budget},
		{"a zone is emptied", &decision.Stay{Pods: 4, Among: 6, Nodes: nodes, Zones: []decision.Place{{Name: "a", Kept: 3, Before: 4}, {Name: "b", Before: 2}}},
			onNodes + "in 1 of 2 zones: a (3 of 4), b (0 of 2); " + budget + "\nzone b loses all its Pods (2), while a keeps 3"},
		{"a zone may be emptied", &decision.Stay{Pods: 4, Among: 6, Nodes: nodes, Zones: []decision.Place{{Name: "a", Kept: 3, Before: 4}, {Name: "b", Possible: 1, Before: 2}}},
			onNodes + "in 1 of 2 zones: a (3 of 4), b (0 of 2); " + budget + "\nzone b may lose all its Pods (2), while a keeps 3"},
		{"others", &decision.Stay{Pods: 3, Among: 6, Others: 1, Nodes: nodes}, "the scale-down considers 6 of 7 Pods for deletion, and keeps 3 of the 6 for certain, on 2 nodes: n2 (2), n3; " + budget},
		{"none kept", &decision.Stay{Nodes: nodes[2:]}, budget},
		{"nothing is chosen", nil, ""},
	} {
		p := newPage(&decision.Decision{Stay: tt.stay}, Options{Width: 300})
		p.after()
		var got []string
		for line := range strings.Lines(p.String()) {
			got = append(got, strings.TrimSpace(strings.TrimPrefix(line, "AFTER")))
		}
		if got := strings.Join(got, "\n"); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
