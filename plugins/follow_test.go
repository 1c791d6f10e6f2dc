package plugins_test

import (
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/deployment"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/golden"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/sketch"
)

// TestFollow shows what a Deployment's step means for pods: what its
// ReplicaSets then do, and what the retry of a sync does.
func TestFollow(t *testing.T) {
	golden.File(t, "testdata/follow", func(t *testing.T, td *datadriven.TestData, v *view.View) string {
		if td.Cmd != "explain" && td.Cmd != "scale" {
			td.Fatalf(t, "unknown directive %q", td.Cmd)
		}
		return sketch.Prose(decideDeployment(t, td, v), strings.Fields("sets follows next")...)
	})
}

// decideDeployment reads "explain" and "scale to=2".
func decideDeployment(t *testing.T, td *datadriven.TestData, v *view.View) *decision.Decision {
	t.Helper()
	plugin, kind, ok := plugins.All().ForKind("deploy")
	if !ok {
		t.Fatal("no plugin decides Deployments")
	}
	p, err := profile.New(profile.Options{Emulate: "1.37"})
	if err != nil {
		t.Fatal(err)
	}
	target := view.Target{Kind: kind, Namespace: sketch.Namespace, Name: "web"}
	var changes []decision.Change
	if td.Cmd == "scale" {
		var to int
		td.ScanArgs(t, "to", &to)
		obj := v.All(view.Deployments)[0]
		scaled, change, err := deployment.Scale(obj, int32(to))
		if err != nil {
			t.Fatal(err)
		}
		v, changes = v.With(view.Deployments, scaled).AsWhatIf(), []decision.Change{change}
	}
	d, err := plugin.Run(v.Reader(), p, target, changes)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestRulesAreListedOnce: the plugins share the rules of claiming.
func TestRulesAreListedOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range plugins.All().Rules() {
		if seen[r.ID] {
			t.Errorf("%s is listed twice", r.ID)
		}
		seen[r.ID] = true
	}
}
