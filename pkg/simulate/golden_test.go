package simulate_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/golden"
)

// TestGoldens tells short stories, and fires every rule of the simulation:
// "simulate rs/web replicas=3 image=web:1 rounds=2 ready-after=10s version=1.31".
func TestGoldens(t *testing.T) {
	fired := map[string]bool{}
	golden.Walk(t, func(t *testing.T, td *datadriven.TestData, v *view.View) string {
		line := simulateGolden(t, td, v, plugins.All())
		line.EachRuling(func(r *decision.Ruling) { fired[r.Rule] = true })
		for _, why := range line.End.Why {
			fired[why.Rule] = true
		}
		for _, r := range line.Rounds {
			for _, s := range r.Stopped {
				fired[s.Rule] = true
			}
		}
		return clusterdsl.Timeline(line)
	})
	golden.AllFired(t, simulate.Rules, fired, toys)
}

// toys are rules that TestEnds and TestNewPodsAreAlike come to.
var toys = map[string]bool{
	simulate.EndHeld: true, simulate.EndAlone: true, simulate.TooManyRounds: true, simulate.TooMuchWork: true, simulate.NewPodsAlike: true,
}

// TestTextsDecideNothing: no fact and no message of a decision changes a round.
func TestTextsDecideNothing(t *testing.T) {
	golden.Walk(t, func(t *testing.T, td *datadriven.TestData, v *view.View) string {
		line := simulateGolden(t, td, v, plugins.All())
		if want, got := course(line), course(simulateGolden(t, td, v, golden.Mangled(plugins.All()))); got != want {
			t.Errorf("%s: with mangled texts it is\n%s\nand with them\n%s", td.Pos, got, want)
		}
		return clusterdsl.Timeline(line)
	})
}

// TestExpectationsAreMet: whenever a controller syncs it has seen all that it
// expects, since events are delivered before. That takes handlers, memories and
// events that fit each other.
func TestExpectationsAreMet(t *testing.T) {
	golden.Walk(t, func(t *testing.T, td *datadriven.TestData, v *view.View) string {
		if golden.Arg(td, "watch-lag", "") != "" { // events come late
			return clusterdsl.Timeline(simulateGolden(t, td, v, plugins.All()))
		}
		return clusterdsl.Timeline(simulateGolden(t, td, v, expecting(t, plugins.All())))
	})
}

// expecting are controllers whose syncs fail the test while they expect anything.
func expecting(t *testing.T, all controller.Registry) controller.Registry {
	t.Helper()
	var watched []controller.Controller
	for _, c := range all {
		if c.Agent.Memory != nil {
			agent, step, start := *c.Agent, c.Step, c.Agent.Memory
			var now controller.Memory
			agent.Memory = func(clock clock.PassiveClock) controller.Memory {
				now = start(clock)
				return now
			}
			c.Agent, c.Step = &agent, func(r *view.Reader, p profile.Profile, target view.Target) (*simulate.Sync, error) {
				if now != nil && !now.Satisfied(target) {
					t.Errorf("%s syncs before it has seen what it expects", target.Name)
				}
				return step(r, p, target)
			}
		}
		watched = append(watched, c)
	}
	return controller.NewRegistry(watched...)
}

// course is what happens on a timeline, without what is said about it.
func course(line *decision.Timeline) string {
	var b strings.Builder
	for _, r := range line.Rounds {
		fmt.Fprintf(&b, "%d %s %+v\n", r.Number, r.Clock, r.Counts)
		for _, s := range r.Stopped {
			fmt.Fprintf(&b, "  %s %s %d\n", s.Object, s.Rule, s.Syncs)
		}
		for _, a := range r.Actions {
			fmt.Fprintf(&b, "  %s %s %d %s %+v\n", a.Verb, a.Object, a.Count, a.Certainty, a.Choice)
		}
	}
	fmt.Fprintf(&b, "%s %s %s %+v", line.End.Clock, line.End.Outcome, line.End.Rule, line.Totals)
	return b.String()
}

func simulateGolden(t *testing.T, td *datadriven.TestData, v *view.View, all controller.Registry) *decision.Timeline {
	t.Helper()
	kind, name, _ := strings.Cut(td.CmdArgs[0].Key, "/")
	plugin, k, ok := all.ForKind(kind)
	if !ok {
		td.Fatalf(t, "no kind %s", kind)
	}
	target := view.Target{Kind: k, Namespace: clusterdsl.Namespace, Name: name}
	p, err := profile.New(profile.Options{Emulate: golden.Arg(td, "version", "1.37"), Releases: plugins.All().Releases()})
	if err != nil {
		t.Fatal(err)
	}
	var changes []decision.Change
	if text := golden.Arg(td, "replicas", ""); text != "" {
		var n int32
		fmt.Sscan(text, &n)
		v, changes = changed(t, v, plugin, target, whatif.Fields{Replicas: &n})
	}
	if image := golden.Arg(td, "image", ""); image != "" {
		v, changes = changed(t, v, plugin, target, whatif.Fields{Images: map[string]string{"*": image}})
	}
	d, _, err := plugin.Simulate(v, p, target, changes, options(t, td))
	if err != nil {
		td.Fatalf(t, "%v", err)
	}
	if d.Timeline == nil {
		td.Fatalf(t, "something was not in the sketch")
	}
	return d.Timeline
}

func changed(t *testing.T, v *view.View, p controller.Controller, target view.Target, f whatif.Fields) (*view.View, []decision.Change) {
	obj, _ := v.Held(target.Kind, target.Namespace, target.Name)
	changed, changes, err := p.WhatIf.Change(obj, f)
	if err != nil {
		t.Fatal(err)
	}
	return v.With(target.Kind, []metav1.Object{changed}...).AsWhatIf(), changes
}

func options(t *testing.T, td *datadriven.TestData) simulate.Options {
	var o simulate.Options
	if text := golden.Arg(td, "rounds", ""); text != "" {
		fmt.Sscan(text, &o.Rounds)
	}
	if text := golden.Arg(td, "ready-after", ""); text != "" {
		d, err := time.ParseDuration(text)
		if err != nil {
			t.Fatal(err)
		}
		o.ReadyAfter = &d
	}
	if text := golden.Arg(td, "watch-lag", ""); text != "" {
		d, err := time.ParseDuration(text)
		if err != nil {
			t.Fatal(err)
		}
		o.WatchLag = d
	}
	return o
}
