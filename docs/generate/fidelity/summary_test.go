package main

import (
	"strings"
	"testing"
)

// TestSummary: what differs is added up over versions, and manifests are told
// from scenarios.
func TestSummary(t *testing.T) {
	r := reports{
		sets:           conformance{Versions: []version{{Version: "1.23", States: 10, Mismatches: 1}, {Version: "1.37", States: 20, Mismatches: 2}}},
		deployments:    conformance{Versions: []version{{Version: "1.37", States: 7}}},
		statefulSets:   conformance{Versions: []version{{Version: "1.29", States: 8, Mismatches: 1}}},
		memory:         []compared{{Count: 5}, {Count: 6, Differences: 1}},
		missing:        []string{"event handlers"},
		scenarios:      []scenario{{Agree: true}, {}},
		cloneScenarios: []scenario{{Agree: true}, {Agree: true, Manifest: true}, {Manifest: true}, {Agree: true, Manifest: true}},
	}
	text := r.summary()
	for _, row := range []string{
		"| one sync of ReplicaSets and ReplicationControllers, Kubernetes 1.23 to 1.37 (2 versions) | 30 generated states | 3 |",
		"| one sync of Deployments, Kubernetes 1.37 | 7 generated states | 0 |",
		"| one sync of StatefulSets, Kubernetes 1.29 | 8 generated states | 1 |",
		"| expectations | 11 steps | 1 |",
		"Not part of this run: event handlers.",
		"| a real control plane: built-in controllers, orphans, owners | 2 scenarios | 1 |",
		"| a real control plane: CloneSets | 1 scenarios | 0 |",
		"| Kruise's webhooks: is a CloneSet accepted? | 3 manifests | 1 |",
	} {
		if !strings.Contains(text, row) {
			t.Errorf("no row %q in %s", row, text)
		}
	}
	if strings.Contains(text, "0 events") {
		t.Errorf("a comparison that was not made has a row in %s", text)
	}
}
