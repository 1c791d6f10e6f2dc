package replicaset_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// TestDeletionBurst holds the limit of one sync from both sides: it ranks when
// more Pods are to be deleted than it takes, and when just as many.
func TestDeletionBurst(t *testing.T) {
	for _, c := range []struct{ have, want, deleted int }{
		{have: 620, want: 10, deleted: 500},
		{have: 501, want: 0, deleted: 500},
		{have: 500, want: 0, deleted: 500},
		{have: 510, want: 20, deleted: 490},
	} {
		var b strings.Builder
		fmt.Fprintf(&b, "rs web selector=app=web replicas=%d status=%d\n", c.want, c.have)
		for i := range c.have {
			fmt.Fprintf(&b, "pod p%04d of=rs/web app=web node=n%d ready=%dm\n", i, i, i+1)
		}
		d := decideWeb(t, b.String())
		if n := d.Summary.DeleteCertain + d.Summary.DeletePossible; n != c.deleted {
			t.Errorf("%d Pods, %d desired: %d are deleted, want %d", c.have, c.want, n, c.deleted)
		}
	}
}

// decideWeb decides about rs/web of a sketch.
func decideWeb(t *testing.T, sketch string) *decision.Decision {
	t.Helper()
	v, err := clusterdsl.Parse(sketch)
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.New(profile.Options{Emulate: "1.37"})
	if err != nil {
		t.Fatal(err)
	}
	d, err := replicaset.Decide(v.Reader(), p, view.Target{Kind: view.ReplicaSets, Namespace: clusterdsl.Namespace, Name: "web"}, replicaset.Given{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestDeletedLater holds what is said of the syncs after one that deletes as many as it may
// against the next one: certain where a criterion decides that no deletion changes.
func TestDeletedLater(t *testing.T) {
	const have = 620
	decide := func(first, want int, costs, contested bool) *decision.Decision {
		var b strings.Builder
		fmt.Fprintf(&b, "rs web selector=app=web replicas=%d status=%d\n", want, have)
		if contested {
			b.WriteString("rs rival selector=app=web replicas=1\npod orphan app=web node=n1 ready=1m cost=-1\n")
		}
		for i := first; i < have; i++ {
			cost := ""
			if costs {
				cost = fmt.Sprintf(" cost=%d", i)
			}
			fmt.Fprintf(&b, "pod p%04d of=rs/web app=web node=n%d ready=%dm%s\n", i, i%7, i+1, cost)
		}
		d := decideWeb(t, b.String())
		d.Sum()
		return d
	}
	for _, c := range []struct {
		want                           int
		costs, contested               bool
		certain, possible, later, stay int
	}{
		{want: 0, certain: 120, later: 120},
		{want: 0, costs: true, certain: 120, later: 120},
		{want: 10, costs: true, certain: 110, later: 110, stay: 10},
		{want: 10, possible: 120, later: 110},
		{want: 120, costs: true, stay: 120},
		{want: 10, costs: true, contested: true, possible: 111, later: 111, stay: 10},
	} {
		d := decide(0, c.want, c.costs, c.contested)
		later := map[decision.Fate][]string{}
		for _, r := range d.Ranking.Rows {
			later[r.Later] = append(later[r.Later], r.Object.Name)
		}
		certain, possible := later[decision.Doomed], later[decision.AtRisk]
		if len(certain) != c.certain || len(possible) != c.possible {
			t.Errorf("%+v: later syncs delete %d Pods and %d possibly", c, len(certain), len(possible))
		}
		if got := d.Staying().Pods; got != c.stay {
			t.Errorf("%+v: %d Pods stay", c, got)
		}
		if got := d.Summary.Total.Later.PodsDeleted; got != c.later {
			t.Errorf("%+v: later syncs delete %d in total", c, got)
		}
		if c.costs && c.certain > 0 {
			var next []string
			for _, a := range decide(500, c.want, true, false).Actions {
				next = append(next, a.Object.Name)
			}
			slices.Sort(next)
			slices.Sort(certain)
			if !slices.Equal(next, certain) {
				t.Errorf("%+v: the next sync deletes %v, predicted were %v", c, next, certain)
			}
		}
	}
}
