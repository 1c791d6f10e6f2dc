package replicaset_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/sketch"
)

// TestGoldens runs testdata: each file shows one rule, which it is named
// after, and must fire it.
func TestGoldens(t *testing.T) {
	fired := map[string]bool{}
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var v *view.View
		here := map[string]bool{}
		datadriven.RunTest(t, path, func(t *testing.T, td *datadriven.TestData) string {
			switch td.Cmd {
			case "cluster":
				var err error
				if v, err = sketch.Parse(td.Input); err != nil {
					td.Fatalf(t, "%v", err)
				}
				return ""
			case "sync":
				d := decideGolden(t, td, v)
				note(d, fired, here)
				return sketch.Prose(d, parts(td)...)
			}
			td.Fatalf(t, "unknown directive %q", td.Cmd)
			return ""
		})
		if rule := filepath.Base(path); !here[rule] {
			t.Errorf("%s shows no case of the rule it is named after", path)
		}
	})
	for _, r := range replicaset.Rules {
		if !fired[r.ID] {
			t.Errorf("no golden fires rule %s", r.ID)
		}
	}
}

// decideGolden reads "sync rs/web version=1.31 gates=… expect=(adds:2,age:1m)
// fail=(create:3,adopt:a) live=deleted".
func decideGolden(t *testing.T, td *datadriven.TestData, v *view.View) *decision.Decision {
	t.Helper()
	kind, name, _ := strings.Cut(td.CmdArgs[0].Key, "/")
	target := view.Target{Kind: view.ReplicaSets, Namespace: sketch.Namespace, Name: name}
	if kind == "rc" {
		target.Kind = view.ReplicationControllers
	}
	p, err := profile.New(profile.Options{Emulate: arg(td, "version", "1.37"), Gates: gates(t, td)})
	if err != nil {
		t.Fatal(err)
	}
	d, err := replicaset.Decide(v.Reader(), p, target, given(t, td))
	if err != nil {
		t.Fatal(err)
	}
	replicaset.Rules.Phrase(d)
	d.Answer = replicaset.Answer(d)
	return d
}

func gates(t *testing.T, td *datadriven.TestData) map[string]bool {
	set, err := profile.ParseGates(arg(td, "gates", ""))
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func arg(td *datadriven.TestData, key, otherwise string) string {
	for _, a := range td.CmdArgs {
		if a.Key == key {
			return strings.Join(a.Vals, ",")
		}
	}
	return otherwise
}

func parts(td *datadriven.TestData) []string {
	show := arg(td, "show", "")
	if show == "" {
		return nil
	}
	return strings.Split(show, ",")
}

// note collects the rules that a Decision applied.
func note(d *decision.Decision, sets ...map[string]bool) {
	d.EachRuling(func(r *decision.Ruling) {
		for _, s := range sets {
			s[r.Rule] = true
		}
	})
}

// TestGoldensAreNamedAfterRules keeps stray files out.
func TestGoldensAreNamedAfterRules(t *testing.T) {
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if _, ok := replicaset.Rules.Find(e.Name()); !ok {
			t.Errorf("testdata/%s is named after no rule", e.Name())
		}
	}
}
