package fuzz

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// owners are the kinds that own others in a graph, with what answers call them.
var owners = []struct{ apiVersion, kind, short string }{
	{"apps/v1", "Deployment", "deploy"}, {"apps/v1", "ReplicaSet", "rs"}, {"apps/v1", "StatefulSet", "sts"},
	{"apps.kruise.io/v1alpha1", "CloneSet", "clone"}, {"v1", "ReplicationController", "rc"}, {"batch/v1", "Job", "job"},
}

// dependents are the kinds that own nothing.
var dependents = []struct{ apiVersion, kind string }{
	{"v1", "Pod"}, {"v1", "Pod"}, {"v1", "PersistentVolumeClaim"}, {"apps/v1", "ControllerRevision"}, {"v1", "ConfigMap"},
}

// graph is a cluster of few objects whose ownerReferences, labels and deletions are chance.
type graph struct {
	world
	rng   *rand.Rand
	names []string
}

func newGraph(seed uint64) *graph {
	g := &graph{rng: rand.New(rand.NewPCG(seed, 1))}
	var above []object
	for i := range 1 + g.rng.IntN(4) {
		of := owners[g.rng.IntN(len(owners))]
		name := fmt.Sprintf("o%d", i)
		spec := object{"replicas": g.rng.IntN(3), "selector": object{"matchLabels": object{"app": g.app()}}, "template": template("web:1")}
		if of.kind == "ReplicationController" {
			spec["selector"] = object{"app": g.app()}
		}
		o := named(of.apiVersion, of.kind, name, map[string]string{"app": g.app()}, nil, object{"spec": spec})
		g.own(o, above)
		above = append(above, o)
		g.names = append(g.names, of.short+"/"+name)
	}
	for i := range 1 + g.rng.IntN(5) {
		of := dependents[g.rng.IntN(len(dependents))]
		name := fmt.Sprintf("o%d-%d", g.rng.IntN(len(above)), i)
		fields := object{}
		switch of.kind {
		case "Pod":
			fields = running("web:1", "2026-11-01T11:00:00Z")
		case "ControllerRevision":
			fields = object{"revision": i, "data": object{"spec": object{"template": template("web:1")}}}
		}
		o := named(of.apiVersion, of.kind, name, map[string]string{"app": g.app()}, nil, fields)
		g.own(o, above)
		g.names = append(g.names, strings.ToLower(of.kind)+"/"+name)
	}
	return g
}

func (g *graph) app() string { return []string{"web", "db"}[g.rng.IntN(2)] }

func (g *graph) chance(percent int) bool { return g.rng.IntN(100) < percent }

// own adds an object of up to two owners, one of which may be its controller: mostly one
// of those above it, else one that is not there or had the name before. It may be being
// deleted.
func (g *graph) own(o object, above []object) {
	meta := o["metadata"].(object)
	var refs []any
	controlled := false
	for range min(g.rng.IntN(3), len(above)) {
		owner := above[g.rng.IntN(len(above))]
		of := owner["metadata"].(object)
		ref := object{"apiVersion": owner["apiVersion"], "kind": owner["kind"], "name": of["name"], "uid": of["uid"]}
		if !controlled && g.chance(70) {
			controlled, ref["controller"] = true, true
		}
		if g.chance(50) {
			ref["blockOwnerDeletion"] = true
		}
		if g.chance(10) {
			ref["uid"] = "uid-before"
		}
		if g.chance(10) {
			ref["name"], ref["uid"] = "absent", "uid-absent"
		}
		refs = append(refs, ref)
	}
	meta["ownerReferences"] = refs
	if g.chance(30) {
		meta["deletionTimestamp"] = "2026-11-01T11:59:00Z"
		meta["finalizers"] = [][]string{{"orphan"}, {"orphan"}, {"foregroundDeletion"}, {"example.com/hold"}}[g.rng.IntN(4)]
	}
	g.add(o)
}

// TestOwnership: whatever owns whatever, and is being deleted in whichever way, each
// question about ownership is answered.
func TestOwnership(t *testing.T) {
	for seed := range uint64(120) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { // a crash ends the run, and has its name
			g := newGraph(seed)
			text := g.bundle(t)
			last := g.names[len(g.names)-1]
			for _, q := range [][]string{
				{"orphans", "-A"}, {"explain", "-A"}, {"explain", g.names[0], "-n", "shop"}, {"explain", last, "-n", "shop"},
				{"owners", g.names[0], "-n", "shop", "--dependents"}, {"owners", last, "-n", "shop"},
				{"plan", g.names[0], "-n", "shop", "--until-stable"},
			} {
				ask(bytes.NewReader(text), 0, append(q, "--from", "-", "--at", now)...).check(t, q)
			}
		})
	}
}
