// Package golden answers, for tests: does every rule of a plugin have a case
// that a reader can check by eye?
//
// A plugin's testdata holds a file for each rule: sketches of clusters
// (package clusterdsl), and what one sync decides on them, in prose.
package golden

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/redact"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/render"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/schema"
)

// Suite is what differs between plugins.
type Suite struct {
	Rules decision.Catalogue
	// Unreachable are shared rules that this plugin can't come to.
	Unreachable []string
	// Show are the parts that a sync prints unless it says so itself.
	Show string
	// Retries are the rules of the next sync that queue the key again with backoff.
	Retries []string
	// Keep are the names whose values snapshots keep for the plugin, KeptElsewhere
	// those of them that other tests show to be needed.
	Keep          redact.Keep
	KeptElsewhere []string
	// Cluster may change the View of a sketch; nil leaves it.
	Cluster func(*view.View, *datadriven.TestData) *view.View
	// Decide runs the sync that a directive asks for.
	Decide func(*testing.T, *datadriven.TestData, *view.View) *decision.Decision
}

// Run runs testdata: each file shows one rule, which it is named after, and
// must fire it; all rules must be fired, and all rulings carry the facts that their rules
// declare. For each name whose values snapshots
// keep, a sync must be decided otherwise without it.
func (s Suite) Run(t *testing.T) {
	fired := map[string]bool{}
	var printed []schema.Document
	names, keys := kept{s.Keep, map[string]bool{}}, carriedBy(s.Rules)
	for _, name := range s.KeptElsewhere {
		names.needed[name] = true
	}
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		here := s.file(t, path, names, keys, &printed)
		if rule := filepath.Base(path); !here[rule] {
			t.Errorf("%s shows no case of the rule it is named after", path)
		}
		for rule := range here {
			fired[rule] = true
		}
	})
	for _, r := range s.Rules {
		if !fired[r.ID] && !slices.Contains(s.Unreachable, r.ID) {
			t.Errorf("no golden fires rule %s", r.ID)
		}
	}
	for _, name := range names.unneeded() {
		t.Errorf("no golden is another one when the values of %s are redacted", name)
	}
	keys.check(t)
	s.strays(t)
	schema.Check(t, printed)
}

// file runs one file and tells which rules it fired. It adds the JSON form of each sync
// to printed.
func (s Suite) file(t *testing.T, path string, names kept, keys carried, printed *[]schema.Document) map[string]bool {
	var v *view.View
	fired := map[string]bool{}
	datadriven.RunTest(t, path, func(t *testing.T, td *datadriven.TestData) string {
		switch td.Cmd {
		case "cluster":
			v = s.cluster(t, td)
			return ""
		case "sync":
			decide := func(v *view.View) *decision.Decision { return s.Decide(t, td, v) }
			prose := func(d *decision.Decision) string { return clusterdsl.Prose(d, s.parts(td)...) }
			d := decide(v)
			if again := d.Requeue != decision.NoRequeue; again != slices.Contains(s.Retries, d.NextSync.Rule) {
				td.Fatalf(t, "requeued %v, and the next sync is by rule %s", again, d.NextSync.Rule)
			}
			sameRedacted(t, v, decide, prose)
			names.try(t, v, decide, prose)
			d.EachRuling(func(r *decision.Ruling) {
				fired[r.Rule] = true
				keys.note(r)
			})
			text, err := json.Marshal(render.NewDocument(render.ExplanationKind, d))
			if err != nil {
				td.Fatalf(t, "%v", err)
			}
			*printed = append(*printed, schema.Document{Name: td.Pos, JSON: text})
			readBack(t, td, text)
			return prose(d)
		}
		td.Fatalf(t, "unknown directive %q", td.Cmd)
		return ""
	})
	return fired
}

// readBack reads what was printed into the type that it was printed from, as programs
// in Go do, and prints the same again.
func readBack(t *testing.T, td *datadriven.TestData, text []byte) {
	var d render.Document
	if err := json.Unmarshal(text, &d); err != nil {
		td.Fatalf(t, "its JSON form is not read back: %v", err)
	}
	again, err := json.Marshal(&d)
	if err != nil || string(again) != string(text) {
		td.Fatalf(t, "read back, it is printed as %s, %v, want %s", again, err, text)
	}
}

func (s Suite) cluster(t *testing.T, td *datadriven.TestData) *view.View {
	v, err := clusterdsl.Parse(td.Input)
	if err != nil {
		td.Fatalf(t, "%v", err)
	}
	if s.Cluster != nil {
		v = s.Cluster(v, td)
	}
	return v
}

func (s Suite) parts(td *datadriven.TestData) []string {
	if show := Arg(td, "show", s.Show); show != "" {
		return strings.Split(show, ",")
	}
	return nil
}

// strays finds files that are named after no rule.
func (s Suite) strays(t *testing.T) {
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if _, ok := s.Rules.Find(e.Name()); !ok {
			t.Errorf("testdata/%s is named after no rule", e.Name())
		}
	}
}

// Arg is the value of a directive's argument, several values joined by commas.
func Arg(td *datadriven.TestData, key, otherwise string) string {
	for _, a := range td.CmdArgs {
		if a.Key == key {
			return strings.Join(a.Vals, ",")
		}
	}
	return otherwise
}
