package cloneset

import (
	"slices"
	"testing"
)

// The steps of a comparison decide in the order in which they stand in upstream's:
// ActivePodsWithRanks.Less (pkg/controller/cloneset/utils/pod_sorter.go, v1.9.1) and
// ActivePods.Less (k8s.io/kubernetes/pkg/controller/controller_utils.go, v1.32).
func TestStepsDecideInUpstreamsOrder(t *testing.T) {
	s := &sync{behaviour: behaviour{sidecars: true}}
	for name, c := range map[string]struct {
		steps []criterion
		want  []string
	}{
		"scale-in": {s.deletionCriteria(CrowdedNodeFirst, "ON NODE"), []string{
			NodelessFirst, PhaseFirst, UnavailableFirst, UnreadyFirst, CheaperFirst, CrowdedNodeFirst, LatestReadyFirst, RestartsFirst, NewestFirst}},
		"update": {s.updateCriteria(), []string{
			NodelessFirst, PhaseFirst, UnreadyFirst, LatestReadyFirst, RestartsFirst, SidecarRestartsFirst, NewestFirst}},
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
