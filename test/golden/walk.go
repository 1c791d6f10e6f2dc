package golden

import (
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// Answer puts into prose what a directive asks about a View.
type Answer = func(*testing.T, *datadriven.TestData, *view.View) string

// Walk runs all files of testdata.
func Walk(t *testing.T, answer Answer) {
	t.Helper()
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) { File(t, path, answer) })
}

// File runs one file: "cluster" is a sketch, and any other directive a question
// about the last one.
func File(t *testing.T, path string, answer Answer) {
	t.Helper()
	var v *view.View
	datadriven.RunTest(t, path, func(t *testing.T, td *datadriven.TestData) string {
		if td.Cmd != "cluster" {
			return answer(t, td, v)
		}
		var err error
		if v, err = clusterdsl.Parse(td.Input); err != nil {
			td.Fatalf(t, "%v", err)
		}
		return ""
	})
}

// AllFired complains of rules that no golden fires, but for those shown elsewhere.
func AllFired(t *testing.T, rules decision.Catalogue, fired, elsewhere map[string]bool) {
	t.Helper()
	for _, r := range rules {
		if !fired[r.ID] && !elsewhere[r.ID] {
			t.Errorf("no golden fires rule %s", r.ID)
		}
	}
}
