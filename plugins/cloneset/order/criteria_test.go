package order

import (
	"slices"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
)

// The steps of a comparison decide in the order in which they stand in upstream's:
// ActivePodsWithRanks.Less (pkg/controller/cloneset/utils/pod_sorter.go, v1.9.1) and
// ActivePods.Less (k8s.io/kubernetes/pkg/controller/controller_utils.go, v1.32).
func TestStepsDecideInUpstreamsOrder(t *testing.T) {
	s := Sorter{sidecars: true}
	for name, c := range map[string]struct {
		steps []Criterion
		want  []string
	}{
		"scale-in": {s.DeletionCriteria(rules.CrowdedNodeFirst, "ON NODE"), []string{
			rules.UnassignedFirst, rules.PhaseFirst, rules.UnavailableFirst, rules.NotReadyFirst, rules.LowerCostFirst, rules.CrowdedNodeFirst, rules.LatestReadyFirst, rules.RestartsFirst, rules.NewestFirst}},
		"update": {s.updateCriteria(), []string{
			rules.UnassignedFirst, rules.PhaseFirst, rules.NotReadyFirst, rules.LatestReadyFirst, rules.RestartsFirst, rules.SidecarRestartsFirst, rules.NewestFirst}},
	} {
		var got []string
		for _, step := range c.steps {
			got = append(got, step.ID)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
