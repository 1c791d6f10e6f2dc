package plugins_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// drawPods are Pods of a ReplicaSet that differ in what a scale-down goes by.
func drawPods(t *rapid.T, b *strings.Builder, set, words string, n int) {
	draw := func(name string, from ...string) string { return rapid.SampledFrom(from).Draw(t, name) }
	for i := range n {
		fmt.Fprintf(b, "pod %s-%d of=replicaset/%s %s age=%s %s %s %s\n", set, i, set, words,
			draw("age", "1h", "3h"), draw("node", "node=n1", "node=n2", ""), draw("ready", "ready=5m", "ready=50m", "notready"), draw("more", "", "", "cost=5", "restarts=3", "deleted=90s"))
	}
}

// drawSet is a ReplicaSet with such Pods, and some that it may adopt or releases.
func drawSet(t *rapid.T) (text, of string, k view.Kind, replicas int) {
	var b strings.Builder
	n := rapid.IntRange(1, 5).Draw(t, "pods")
	replicas = rapid.IntRange(max(0, n-1), n+1).Draw(t, "replicas")
	fmt.Fprintf(&b, "rs web selector=app=web replicas=%d\n", replicas)
	drawPods(t, &b, "web", "app=web", n)
	if rapid.Bool().Draw(t, "orphan") {
		b.WriteString("pod orphan app=web node=n2 ready=10m age=20m\n")
	}
	if rapid.Bool().Draw(t, "stray") {
		b.WriteString("pod stray of=replicaset/web app=api node=n2 ready=10m age=20m\n")
	}
	return b.String(), "web", view.ReplicaSets, replicas
}

// drawDeployment is a Deployment that is rolled out, or not.
func drawDeployment(t *rapid.T) (text, of string, k view.Kind, replicas int) {
	var b strings.Builder
	replicas = rapid.IntRange(1, 5).Draw(t, "replicas")
	fresh := rapid.IntRange(0, replicas).Draw(t, "fresh")
	old := rapid.IntRange(0, max(0, replicas+1-fresh)).Draw(t, "old")
	fmt.Fprintf(&b, "deploy web replicas=%d image=web:2 revision=2 status=%d/%d/%d/%d\n", replicas, fresh+old, fresh, fresh+old, fresh+old)
	fmt.Fprintf(&b, "set web-a of=deployment/web app=web image=web:1 revision=1 desired=%d max=%d replicas=%d age=9h\n", replicas, replicas+2, old)
	fmt.Fprintf(&b, "set web-b of=deployment/web app=web image=web:2 revision=2 desired=%d max=%d replicas=%d age=8h\n", replicas, replicas+2, fresh)
	drawPods(t, &b, "web-a", "app=web pod-template-hash=a", old)
	drawPods(t, &b, "web-b", "app=web pod-template-hash=b", fresh)
	return b.String(), "web", view.Deployments, replicas
}

// planned is what a plan says of a Pod when its owner is scaled: of the next sync, and of
// all rounds.
func planned(t rapid.TB, v *view.View, p profile.Profile, pod decision.Ref, of view.Target, n int) (sync, rounds decision.Fate) {
	c, _, _ := plugins.All().ForKind(of.Kind.Resource)
	replicas := int32(n)
	obj, _ := v.Held(of.Kind, of.Namespace, of.Name)
	obj, changes, err := c.WhatIf.Change(obj, whatif.Fields{Replicas: &replicas})
	if err != nil {
		t.Fatal(err)
	}
	v = v.With(of.Kind, obj).AsWhatIf()
	d, err := c.Run(v.Reader(), p, of, changes)
	if err != nil {
		t.Fatal(err)
	}
	all, _, err := c.Simulate(v, p, of, changes, simulate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d.FateOf(pod).Fate, all.FateOf(pod).Fate
}

// TestPodAsPlanned: explain says of a Pod at each number of replicas what a plan of that
// scale-down says of it: all its rounds the same, and its next sync no worse.
func TestPodAsPlanned(t *testing.T) {
	p, err := profile.New(profile.Options{Emulate: "1.36", Releases: plugins.All().Releases()})
	if err != nil {
		t.Fatal(err)
	}
	for name, draw := range map[string]func(*rapid.T) (string, string, view.Kind, int){"replicaset": drawSet, "deployment": drawDeployment} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				text, of, k, replicas := draw(t)
				v, err := clusterdsl.Parse(text)
				if err != nil {
					t.Fatal(err)
				}
				pods := v.AllMetadata(view.Pods)
				if len(pods) == 0 {
					return
				}
				pod := rapid.SampledFrom(pods).Draw(t, "pod")
				rep := podReport(t, v, p, pod.GetName())
				d := rep.Deletion
				if d == nil || d.Now != decision.Safe {
					return
				}
				at := map[int]decision.Fate{}
				for _, r := range d.Sizes {
					for n := r.From; n >= r.To; n-- {
						at[n] = r.Fate
					}
				}
				for n := range replicas {
					sync, rounds := planned(t, v, p, rep.Target, target(k, of), n)
					if at[n] != rounds || at[n] == decision.Safe && sync != decision.Safe || k.Kind == "ReplicaSet" && at[n] != sync {
						t.Errorf("%s at %d: explain says %s, the next sync %s, all rounds %s\n%s", pod.GetName(), n, at[n], sync, rounds, text)
					}
				}
			})
		})
	}
}
