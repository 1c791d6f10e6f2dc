package simulate_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"pgregory.net/rapid"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/golden"
)

// TestLagChangesNoCount: however late the caches are, expectations see to it that as
// many Pods are created and deleted in the end. Each reason to end a sync early is met.
func TestLagChangesNoCount(t *testing.T) {
	met := map[string]bool{}
	golden.Walk(t, func(t *testing.T, td *datadriven.TestData, v *view.View) string {
		line := simulateGolden(t, td, v, plugins.All())
		if line.End.Outcome != decision.Unfinished && line.WatchLag == 0 {
			for _, lag := range []string{"3ms", "700ms", "29s"} {
				late := *td
				late.CmdArgs = append(late.CmdArgs[:len(td.CmdArgs):len(td.CmdArgs)], datadriven.CmdArg{Key: "watch-lag", Vals: []string{lag}})
				behind := simulateGolden(t, &late, v, plugins.All())
				if want, got := counted(line), counted(behind); got != want {
					t.Errorf("%s, %s behind: %s; at once: %s\n%s", td.Pos, lag, got, want, clusterdsl.Timeline(behind))
				}
				meets(met, behind)
			}
		}
		return clusterdsl.Timeline(line)
	})
	for _, one := range []string{"CloneSet ScaleExpected", "CloneSet VersionExpected", "CloneSet WriteOutdated", "Deployment WriteOutdated", "ReplicaSet GateClosed", "ReplicaSet WritesNotRead"} {
		if !met[one] {
			t.Errorf("no sync ended early for %s: %v", one, met)
		}
	}
}

// counted are the numbers that no lag changes.
func counted(line *decision.Timeline) string {
	t := line.Totals
	return fmt.Sprintf("%s, create %d, delete %d, claims %d", line.End.Outcome, t.Create, t.Delete, t.DeleteClaims)
}

func meets(met map[string]bool, line *decision.Timeline) {
	for _, r := range line.Rounds {
		for _, s := range r.Stopped {
			met[s.Object.Kind+" "+s.Rule] = true
		}
	}
}

// TestAnyLagChangesNoCount draws ReplicaSets whose Pods change at different times.
func TestAnyLagChangesNoCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawSet(t)
		version := rapid.SampledFrom([]string{"1.23", "1.33", "1.36", "1.37"}).Draw(t, "version")
		lag := time.Duration(rapid.Int64Range(int64(time.Millisecond), int64(4*time.Minute)).Draw(t, "lag"))
		at := lagging(t, text, version, simulate.Options{}, plugins.All())
		late := lagging(t, text, version, simulate.Options{WatchLag: lag}, plugins.All())
		if want, got := counted(at), counted(late); got != want {
			t.Fatalf("%s\n%s behind: %s; at once: %s\n%s", text, lag, got, want, clusterdsl.Timeline(late))
		}
	})
}

func drawSet(t *rapid.T) string {
	n := rapid.IntRange(0, 12)
	text := fmt.Sprintf("rs web selector=app=web replicas=%d minReady=%d\n", n.Draw(t, "replicas"), n.Draw(t, "minReady"))
	for i := range n.Draw(t, "pods") {
		state := rapid.SampledFrom([]string{"ready=1h", "ready=1s", "ready=3s", "ready=5s", "notready age=1s", "notready age=3s", "notready age=9s", "notready age=1h"}).Draw(t, "state")
		text += fmt.Sprintf("pod p%d of=rs/web app=web %s node=n%d\n", i, state, i%3)
	}
	return text
}

// lagging simulates the ReplicaSet of a sketch with caches that lag.
func lagging(t interface{ Fatal(...any) }, text, version string, o simulate.Options, all controller.Registry) *decision.Timeline {
	v, err := clusterdsl.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.New(profile.Options{Emulate: version, Releases: plugins.All().Releases()})
	if err != nil {
		t.Fatal(err)
	}
	ready := 10 * time.Second
	o.ReadyAfter = &ready
	c, k, _ := all.ForKind("rs")
	d, _, err := c.Simulate(v, p, view.Target{Kind: k, Namespace: clusterdsl.Namespace, Name: "web"}, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	return d.Timeline
}

// TestNoMemoryCreatesTooMany: the lag is real. A controller that expects nothing does
// not see what it created, is woken by a timer, and creates as many again.
func TestNoMemoryCreatesTooMany(t *testing.T) {
	text := "rs web selector=app=web replicas=5 minReady=5\npod a of=rs/web app=web ready=4s\npod b of=rs/web app=web ready=2s"
	o := simulate.Options{Rounds: 12, WatchLag: 20 * time.Second}
	for _, version := range []string{"1.34", "1.37"} {
		with := lagging(t, text, version, o, plugins.All())
		if with.Totals.Create != 3 || with.Totals.Delete != 0 || with.Totals.Stopped == 0 {
			t.Errorf("%s: with a memory %+v", version, with.Totals)
		}
		without := lagging(t, text, version, o, forgetful(plugins.All()))
		if without.Totals.Create <= 3 || without.Totals.Stopped > 0 {
			t.Errorf("%s: without a memory %+v", version, without.Totals)
		}
	}
}

// forgetful are controllers that expect nothing.
func forgetful(all controller.Registry) controller.Registry {
	var without []controller.Controller
	for _, c := range all {
		agent := *c.Agent
		agent.Memory, c.Agent = nil, &agent
		without = append(without, c)
	}
	return controller.NewRegistry(without...)
}
