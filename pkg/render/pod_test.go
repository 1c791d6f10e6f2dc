package render

import (
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

func TestNearness(t *testing.T) {
	web := decision.Ref{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web"}
	const safe, may, doomed = decision.Safe, decision.AtRisk, decision.Doomed
	tests := []struct {
		name       string
		sizes      []decision.Fate // from 4 replicas down
		incomplete bool
		want       string
	}{
		{"kept", []decision.Fate{safe, safe, safe, safe, safe}, false, "by no scale-down of replicaset/web"},
		{"kept where looked at", []decision.Fate{safe}, true, "by no scale-down of replicaset/web that was simulated (not every number of replicas was simulated to its end)"},
		{"from 2 on", []decision.Fate{safe, safe, doomed, doomed, doomed}, false, "when replicaset/web is scaled from 5 to 2: rank"},
		{"from 2 on, where looked at", []decision.Fate{safe, safe, doomed}, true, "when replicaset/web is scaled from 5 to 2 (not every number of replicas was simulated to its end): rank"},
		{"possible first", []decision.Fate{safe, safe, may, may, doomed}, false, "possible when replicaset/web is scaled from 5 to 2, certain at 0: rank"},
		{"possible", []decision.Fate{safe, safe, may, may, may}, false, "possible when replicaset/web is scaled from 5 to 2: rank"},
		{"spared by fewer", []decision.Fate{safe, doomed, safe, safe, doomed}, false, "depends on the replicas of replicaset/web, now 5: kept at 4, deleted at 3, kept at 1–2, deleted at 0: rank"},
		{"perhaps spared by fewer", []decision.Fate{doomed, doomed, may, doomed, doomed}, false, "depends on the replicas of replicaset/web, now 5: deleted at 3–4, may be deleted at 2, deleted at 0–1: rank"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := &decision.PodDeletion{Scaled: web, Replicas: 5, Now: safe, Incomplete: tt.incomplete}
			for i, f := range tt.sizes {
				s := decision.Spared{Fate: f}
				if f != safe {
					s.Message = "rank"
				}
				d.At(4-i, s)
			}
			if got := nearness(d); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
	many := &decision.PodDeletion{Scaled: web, Replicas: 10, Now: safe}
	for n := 9; n >= 0; n-- {
		many.At(n, decision.Spared{Fate: []decision.Fate{safe, doomed}[n%2]})
	}
	const want = "depends on the replicas of replicaset/web, now 10: deleted at 9, kept at 8, deleted at 7, kept at 6, deleted at 5, kept at 4, deleted at 3, kept at 2, … (-o json lists all)"
	if got := nearness(many); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestRevision: the row says whether the Pod is up to date.
func TestRevision(t *testing.T) {
	for _, tt := range []struct {
		of   *decision.PodRevision
		want string
	}{
		{nil, ""},
		{&decision.PodRevision{Name: "web-b", Update: "web-b"}, "web-b, the update revision"},
		{&decision.PodRevision{Name: "web-a", Update: "web-b"}, "web-a, outdated: the update revision is web-b"},
	} {
		if got := revision(tt.of); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.of, got, tt.want)
		}
	}
}
