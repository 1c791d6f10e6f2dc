package replicaset_test

import (
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/golden"
)

// TestGoldens shows every rule of the plugin.
func TestGoldens(t *testing.T) {
	golden.Suite{
		Rules:   replicaset.Rules,
		Retries: []string{replicaset.RetryWithBackoff},
		Decide:  decideGolden,
	}.Run(t)
}

// decideGolden reads "sync rs/web version=1.31 gates=… expect=(adds:2,age:1m)
// fail=(create:3,adopt:a) live=deleted".
func decideGolden(t *testing.T, td *datadriven.TestData, v *view.View) *decision.Decision {
	t.Helper()
	kind, name, _ := strings.Cut(td.CmdArgs[0].Key, "/")
	target := view.Target{Kind: view.ReplicaSets, Namespace: clusterdsl.Namespace, Name: name}
	if kind == "rc" {
		target.Kind = view.ReplicationControllers
	}
	p, err := profile.New(profile.Options{Emulate: golden.Arg(td, "version", "1.37"), Gates: gates(t, td)})
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
	set, err := replicaset.Controller().Releases.ParseGates(golden.Arg(td, "gates", ""))
	if err != nil {
		t.Fatal(err)
	}
	return set
}
