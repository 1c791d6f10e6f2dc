package plugins_test

import (
	"slices"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// TestLaterIsWhatRoundsDelete: of a rollout whose rounds end stable, the total of the next sync has
// all deletions, those of later syncs among them. It has none of a rollout that is blocked now, and
// does not know what follows a rollback, or creations that may be refused.
func TestLaterIsWhatRoundsDelete(t *testing.T) {
	met := 0
	everyTarget(t, func(t *testing.T, v *view.View, p profile.Profile, at view.Target) {
		all := simulated(t, v, p, at, simulate.Options{})
		rollsOut := at.Kind.GroupKind() == view.Deployments.GroupKind() || at.Kind.GroupKind() == view.CloneSets.GroupKind()
		if !rollsOut || len(v.AllMetadata(view.Pods)) == 0 || all == nil || all.Timeline.End.Outcome != decision.Stable || all.Timeline.Uneven {
			return
		}
		c, _, _ := plugins.All().ForKind(at.Kind.Resource)
		d, err := c.Run(v.Reader(), p, at, nil)
		if err != nil {
			t.Fatal(err)
		}
		if d.State == decision.StateBlocked || d.Summary.Total.Possible.PodsCreated > 0 || slices.ContainsFunc(d.Actions, func(a decision.Action) bool { return a.Object == d.Target }) {
			return
		}
		in := func(t decision.Total) decision.Toll {
			return decision.Toll{
				PodsDeleted:   t.Certain.PodsDeleted + t.Possible.PodsDeleted + t.Later.PodsDeleted,
				ClaimsDeleted: t.Certain.ClaimsDeleted + t.Possible.ClaimsDeleted + t.Later.ClaimsDeleted,
			}
		}
		one, rounds := in(d.Summary.Total), in(all.Summary.Total)
		if rounds.PodsDeleted > 0 {
			met++
		}
		if one.PodsDeleted != rounds.PodsDeleted || one.ClaimsDeleted < rounds.ClaimsDeleted {
			t.Errorf("%s: the next sync comes to %d Pods and %d claims, the rounds to %d and %d: %+v", at.Name,
				one.PodsDeleted, one.ClaimsDeleted, rounds.PodsDeleted, rounds.ClaimsDeleted, d.Summary.Total)
		}
	})
	if met < 50 {
		t.Errorf("%d with deletions", met)
	}
}
