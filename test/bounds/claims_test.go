package bounds

import "testing"

// TestClaims: controllers whose selectors overlap, and Pods that any of them
// may adopt.
func TestClaims(t *testing.T) {
	orphans := func(more ...string) []string { return append([]string{"orphans", "-A", "--from", "INPUT"}, more...) }
	bound(t, []row{
		{name: "one selector", args: orphans(), input: overlapping(oneSelector, "ReplicaSet"), n: 250, allocated: 60, want: "or 240 more"},
		{name: "one selector, wide", args: orphans("-o", "wide", "--no-truncate"), input: overlapping(oneSelector, "ReplicaSet"), n: 250, allocated: 70, want: "web-0"},
		{name: "one selector, json", args: orphans("-o", "json"), input: overlapping(oneSelector, "ReplicaSet"), n: 250, allocated: 150, want: "moreCandidates"},
		{name: "one selector, yaml", args: orphans("-o", "yaml"), input: overlapping(oneSelector, "ReplicaSet"), n: 100, allocated: 300, want: "moreCandidates"},
		{name: "one selector, html", args: orphans("-o", "html"), input: overlapping(oneSelector, "ReplicaSet"), n: 250, allocated: 150, want: "<html"},
		{name: "one selector, name", args: orphans("-o", "name"), input: overlapping(oneSelector, "ReplicaSet"), n: 250, allocated: 60, want: "pod/a-0"},
		{name: "CloneSets", args: orphans(), input: overlapping(oneSelector, "CloneSet"), n: 250, allocated: 60, want: "a-0"},
		{name: "StatefulSets", args: orphans(), input: overlapping(oneSelector, "StatefulSet"), n: 250, allocated: 60, want: "a-0"},
		{name: "a key of its own each", args: orphans(), input: overlapping(absentKeys, "ReplicaSet"), n: 250, allocated: 60, want: "a-0"},
		{name: "all but one value each", args: orphans(), input: overlapping(otherValues, "ReplicaSet"), n: 250, allocated: 90, growth: 2.5, want: "a-0"},
		{name: "explain CloneSets", args: []string{"explain", "cloneset", "-A", "--from", "INPUT"}, input: overlapping(oneSelector, "CloneSet"), n: 250, allocated: 300, growth: 4.3, want: "web-0"},
		{name: "explain one set", args: []string{"explain", "rs/web-0", "--from", "INPUT"}, input: overlapping(oneSelector, "ReplicaSet"), n: 250, allocated: 60, want: "web-0"},
		{name: "explain sets", args: []string{"explain", "rs", "-A", "--from", "INPUT"}, input: overlapping(oneSelector, "ReplicaSet"), n: 100, allocated: 200, growth: 4.3, want: "web-0"},
		{name: "Deployments", args: orphans("rs"), input: contestedSets, n: 250, allocated: 120, want: "old-0"},
		{name: "explain Deployments", args: []string{"explain", "deploy", "-A", "--from", "INPUT"}, input: contestedSets, n: 60, allocated: 300, growth: 4.3, want: "web-0"},
		{name: "one adopter", args: orphans("-o", "json"), input: oneAdopter, n: 500, allocated: 120, want: "morePossible"},
		{name: "released", args: orphans(), input: releasedPods, n: 500, allocated: 120, want: "p-0"},
	})
}

// TestLists: answers about many controllers that look at the same Pods. Each
// controller looks at each Pod, so that the work quadruples; what is held does not.
func TestLists(t *testing.T) {
	explain := func(more ...string) []string {
		return append([]string{"explain", "rs", "-A", "--from", "INPUT"}, more...)
	}
	bare, own := overlapping(oneSelector, "ReplicaSet"), ownSets
	bound(t, []row{
		{name: "contested", args: explain(), input: bare, n: 250, allocated: 290, growth: 4.3, want: "web-0"},
		{name: "contested, json", args: explain("-o", "json"), input: bare, n: 250, allocated: 420, growth: 4.3, want: `"contested": 240`},
		{name: "contested, html", args: explain("-o", "html"), input: bare, n: 250, allocated: 390, growth: 4.3, want: "240 that others may adopt first"},
		{name: "contested, name", args: explain("-o", "name"), input: bare, n: 250, allocated: 290, growth: 4.3, want: "replicaset.apps/web-249"},
		{name: "contested, snapshot", args: []string{"snapshot", "-A", "--from", "INPUT"}, input: bare, n: 125, allocated: 360, resident: 88, growth: 4.3, want: "name: a-0"},
		{name: "contested, json of 500", args: explain("-o", "json"), input: bare, n: 500, allocated: 1400, growth: -1, want: `"contested": 490`},
		{name: "own", args: explain(), input: own, n: 250, allocated: 55, growth: 4.3, want: "web-0"},
		{name: "own, json", args: explain("-o", "json"), input: own, n: 250, allocated: 90, growth: 4.3, want: `"ignored": 239`},
		{name: "own, html", args: explain("-o", "html"), input: own, n: 250, allocated: 85, growth: 4.3, want: "239 ignored"},
	})
}
