package render

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestFirstLine: the namespace is behind the name, each sentence has its line, and what
// is too long is broken before the counts.
func TestFirstLine(t *testing.T) {
	target := decision.Ref{Kind: "ReplicaSet", Namespace: "shop", Name: "web"}
	for answer, want := range map[string][]string{
		"replicaset/web would delete 1 Pod: 2 active, 1 desired. No active leader.": {
			"replicaset/web in shop would delete 1 Pod: 2 active, 1 desired.", "No active leader."},
		"replicaset/web would delete 1 Pod. No active leader: the lease is old. Keeps a.": {
			"replicaset/web in shop: no active leader; the lease is old.", "replicaset/web would delete 1 Pod.", "Keeps a."},
		"replicaset/web would " + strings.Repeat("x", 60) + ": 6 active, 2 desired.": {
			"replicaset/web in shop would " + strings.Repeat("x", 60) + ":", "  6 active, 2 desired."},
		"replicaset/web would " + strings.Repeat("x", 40) + ": 6 active; " + strings.Repeat("y", 40) + ".": {
			"replicaset/web in shop would " + strings.Repeat("x", 40) + ": 6 active;", "  " + strings.Repeat("y", 40) + "."},
		"replicaset/web would create 2 Pods " + strings.Repeat("x", 20) + " (pods: 2 of 2 used) " + strings.Repeat("y", 40) + ".": {
			"replicaset/web in shop would create 2 Pods " + strings.Repeat("x", 20) + " (pods: 2 of 2 used)", "  " + strings.Repeat("y", 40) + "."},
		"replicaset/web in shop: blocked, 2 of 5 Pods created.": {"replicaset/web in shop: blocked, 2 of 5 Pods created."},
		"replicaset/web would " + strings.Repeat("x", 75) + ".": {"replicaset/web in shop would", "  " + strings.Repeat("x", 75) + "."},
		"No replicas.": {"No replicas."},
	} {
		p := newPage(&decision.Decision{Target: target}, Options{})
		p.predicted(answer)
		if got := strings.Split(strings.TrimSpace(p.String()), "\n"); !slices.Equal(got, want) {
			t.Error(cmp.Diff(want, got))
		}
	}
}

// TestCaveats: those that could change the answer come first. Kinds that the input holds
// none of share a line by their effect, and those that could only explain the answer one;
// -o wide has all of it, with the codes.
func TestCaveats(t *testing.T) {
	absent := func(kind, effect string, explains bool) decision.Caveat {
		return decision.Caveat{Code: "NotInInput", Message: "the input holds no " + kind + ": " + effect, Absent: kind, Effect: effect, Explains: explains}
	}
	d := &decision.Decision{Caveats: []decision.Caveat{
		absent("events", "x is not known", true), absent("quotas", "w is not known", false),
		{Code: "OwnerScales", Message: "its owner scales it"},
		absent("leases", "y is not known", true), absent("events", "z is not known", true), absent("ranges", "w is not known", false),
		{Code: "NotRead", Message: "Pods are forbidden", Partial: true},
	}}
	for wide, want := range map[bool]string{
		false: "CAVEATS       Pods are forbidden\n              its owner scales it\n" +
			"              the input holds no quotas, ranges: w is not known\n" +
			"              the input holds no events, leases; -o wide says what can't be explained without them\n",
		true: "CAVEATS       Pods are forbidden [NotRead]\n              the input holds no events: x is not known [NotInInput]\n" +
			"              the input holds no quotas: w is not known [NotInInput]\n" +
			"              its owner scales it [OwnerScales]\n              the input holds no leases: y is not known [NotInInput]\n" +
			"              the input holds no events: z is not known [NotInInput]\n              the input holds no ranges: w is not known [NotInInput]\n",
	} {
		p := newPage(d, Options{Wide: wide})
		p.caveats()
		if got := p.String(); got != want {
			t.Error(cmp.Diff(want, got))
		}
	}
	alone := newPage(&decision.Decision{Caveats: d.Caveats[:1]}, Options{})
	if alone.caveats(); alone.String() != "CAVEATS       the input holds no events: x is not known\n" {
		t.Error(alone.String())
	}
}
