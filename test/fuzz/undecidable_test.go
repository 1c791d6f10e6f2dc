package fuzz

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// TestUndecidable: what a controller does with a negative number of replicas is not
// defined. That is the error of the one object, and says which field; all others
// are answered.
func TestUndecidable(t *testing.T) {
	for _, target := range []string{"ReplicaSet/web-new", "ReplicationController/old", "Deployment/web", "StatefulSet/db", "CloneSet/cart"} {
		r := richCluster(t)
		kind, name, _ := strings.Cut(target, "/")
		for _, o := range r.shop {
			if o["kind"] == kind && o["metadata"].(object)["name"] == name {
				o["spec"].(object)["replicas"] = -3
			}
		}
		a := ask(bytes.NewReader(r.text(t)), 0, "explain", everyKind, "-A", "-o", "json", "--from", "-", "--at", now)
		want := fmt.Sprintf("error: %s/shop/%s: spec.replicas is -3, and must not be negative", strings.ToLower(kind), name)
		if a.status != 2 || !strings.Contains(a.stderr, want) || strings.Count(a.stderr, "error:") != 1 {
			t.Errorf("exit status %d, %q; want %q alone", a.status, a.stderr, want)
		}
		if items := itemsOf(t, a.stdout); len(items) != 11 {
			t.Errorf("%s/%s: %d other objects are answered, want 11", kind, name, len(items))
		}
	}
}

// TestNegativeHistoryOfDeployments: the API server refuses a negative
// revisionHistoryLimit of a Deployment.
func TestNegativeHistoryOfDeployments(t *testing.T) {
	r := richCluster(t)
	for _, o := range r.shop {
		if o["kind"] == "Deployment" {
			o["spec"].(object)["revisionHistoryLimit"] = -1
		}
	}
	a := ask(bytes.NewReader(r.text(t)), 0, "explain", "deployments", "-A", "--from", "-", "--at", now)
	const want = "error: deployment/shop/web: spec.revisionHistoryLimit is -1, and must not be negative"
	if a.status != 2 || !strings.Contains(a.stderr, want) {
		t.Errorf("exit status %d, %q; want %q", a.status, a.stderr, want)
	}
}

// TestNegativeHistory: Kruise's webhook accepts a negative revisionHistoryLimit.
func TestNegativeHistory(t *testing.T) {
	r := richCluster(t)
	for _, o := range r.shop {
		if o["kind"] == "CloneSet" {
			o["spec"].(object)["revisionHistoryLimit"] = -9
		}
	}
	a := ask(bytes.NewReader(r.text(t)), 0, "explain", "clonesets", "-A", "-o", "wide", "--from", "-", "--at", now)
	if a.status != 0 || !strings.Contains(a.stdout+a.stderr, "cart") {
		t.Errorf("exit status %d: %s%s", a.status, a.stdout, a.stderr)
	}
}

// TestUndecidableElsewhere: verbs that look at many objects name the one that can't be
// decided about, and a snapshot holds it beside the error.
func TestUndecidableElsewhere(t *testing.T) {
	r := richCluster(t)
	for _, o := range r.shop {
		if o["kind"] == "ReplicationController" {
			o["spec"].(object)["replicas"] = -3
		}
	}
	const want = "replicationcontroller/shop/old: spec.replicas is -3"
	for _, q := range [][]string{{"orphans", "-n", "shop"}, {"snapshot", "-n", "shop"}, {"expectations", "rc/old", "-n", "shop"}} {
		a := ask(bytes.NewReader(r.text(t)), unfolded, append(q, "--from", "-", "--at", now)...)
		if !strings.Contains(a.stdout+a.stderr, want) {
			t.Errorf("%v: no %q in\n%s%s", q, want, a.stdout, a.stderr)
		}
		if q[0] == "snapshot" && (a.status != 2 || !strings.Contains(a.stdout, "replicas: -3") || !strings.Contains(a.stdout, "kind: CloneSet")) {
			t.Errorf("snapshot: exit status %d, %.200s", a.status, a.stdout)
		}
	}
}
