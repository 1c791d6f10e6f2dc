package orphans_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/orphans"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/golden"
)

// TestGoldens runs testdata: a cluster in words, and what is found in it.
func TestGoldens(t *testing.T) {
	fired := map[string]bool{}
	golden.Walk(t, func(t *testing.T, td *datadriven.TestData, v *view.View) string {
		rep := find(t, v, td)
		note(rep, fired)
		return prose(rep)
	})
	golden.AllFired(t, orphans.Rules, fired, elsewhere)
}

// elsewhere are the rules that are no finding here: what plugins and pages
// about owners say of objects that are settled.
var elsewhere = map[string]bool{
	"OwnedMatching": true, "OtherController": true, "ForeignReference": true, "DeletingKeeps": true, "NotLookedAt": true,
	"OwnerElsewhere": true, "NamespacedOwner": true, "OwnerNotRead": true,
	"ClaimersNotRead": true, // shown by TestForbiddenClaimers
}

func find(t *testing.T, v *view.View, td *datadriven.TestData) *orphans.Report {
	t.Helper()
	r := v.Reader()
	rep, err := orphans.Find(r, query(t, td))
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func query(t *testing.T, td *datadriven.TestData) orphans.Query {
	q := orphans.Query{Namespace: clusterdsl.Namespace, Kinds: orphans.Kinds, Served: served, ByName: true, Decide: decide(t)}
	for _, a := range td.CmdArgs {
		if a.Key == "all" {
			q.Namespace = ""
		}
		if a.Key == "selector" {
			sel, err := labels.Parse(strings.Join(a.Vals, ","))
			if err != nil {
				t.Fatal(err)
			}
			q.Selector = sel
		}
	}
	return q
}

// served knows the kinds of sketches, and that gone/v1 is no more.
func served(apiVersion, kind string) (view.Kind, error) {
	if apiVersion == "gone/v1" {
		return view.Kind{}, lineage.ErrNotServed
	}
	return lineage.Held(apiVersion, kind)
}

func decide(t *testing.T) func(*view.Reader, view.Target) (*decision.Decision, error) {
	p, err := profile.New(profile.Options{Emulate: "1.37", Releases: plugins.All().Releases()})
	if err != nil {
		t.Fatal(err)
	}
	return func(r *view.Reader, target view.Target) (*decision.Decision, error) {
		plugin, _, ok := plugins.All().ForKind(target.Kind.Resource)
		if !ok {
			return nil, nil
		}
		return plugin.Run(r, p, target, nil)
	}
}

func note(rep *orphans.Report, fired map[string]bool) {
	for _, fi := range rep.Findings {
		fired[fi.Rule] = true
		for _, c := range fi.Candidates {
			fired[c.Rule] = true
			if c.Claiming != nil {
				fired[c.Claiming.Rule] = true
			}
		}
		for _, l := range fi.Links {
			fired[l.Rule] = true
		}
		if fi.Collector != nil {
			fired[fi.Collector.Rule] = true
		}
		for _, c := range fi.Then {
			fired[c.Rule] = true
		}
	}
	for _, o := range rep.Overlaps {
		fired[o.Rule] = true
	}
}

func prose(rep *orphans.Report) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	say("%s", rep.Answer)
	for _, fi := range rep.Findings {
		say("  %s %s: %s [%s]", fi.Group, fi.Object, fi.Message, fi.Rule)
		for _, c := range fi.Candidates {
			say("    %s: %s [%s]", c.Controller, c.Message, c.Rule)
		}
		for _, c := range fi.Then {
			say("    %s %s [%s]", c.Controller, c.Message, c.Rule)
		}
	}
	for _, o := range rep.Overlaps {
		say("  overlap: %s [%s]", o.Message, o.Rule)
	}
	for _, c := range rep.Caveats {
		say("  caveat %s [%s]", c.Message, c.Code)
	}
	return b.String()
}
