package statefulset_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/expectations"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/statefulset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/golden"
)

// TestGoldens shows every rule of the plugin.
func TestGoldens(t *testing.T) {
	golden.Suite{
		Rules:   statefulset.Rules,
		Retries: []string{statefulset.RetryWithBackoff},
		Decide:  decideGolden,
		Show:    "next",
		// Names of revisions are hashes of what snapshots redact: see TestNamesTaken.
		Unreachable: []string{statefulset.RevisionNameTaken},
	}.Run(t)
}

// decideGolden reads "sync version=1.34 gates=… fail=(0:conflict,1:server) behind
// show=(next,status)".
func decideGolden(t *testing.T, td *datadriven.TestData, v *view.View) *decision.Decision {
	t.Helper()
	p, target := emulating(t, golden.Arg(td, "version", "1.37"), golden.Arg(td, "gates", "")), targetOf(golden.Arg(td, "name", "web"))
	given := statefulset.Given{Exact: td.HasArg("exact"), API: statefulset.API{Refuse: refusing(td)}}
	if td.HasArg("behind") {
		given.Behind = []*expectations.Stale{{Resource: schema.GroupResource{Resource: "pods"}, Read: "90", Wrote: "100"}}
	}
	r, err := statefulset.Sync(v.Reader(), p, target, given)
	if err != nil {
		t.Fatal(err)
	}
	statefulset.Rules.Phrase(r.Decision)
	r.Decision.Answer = statefulset.Answer(r.Decision)
	return r.Decision
}

var refusals = map[string]error{
	"server": errors.New("the server said no"), "exists": cluster.ErrAlreadyExists,
	"missing": cluster.ErrNotFound, "conflict": cluster.ErrConflict,
}

// refusing lets the calls in fail=(0:server,…) fail, counted over the sync.
func refusing(td *datadriven.TestData) func(cluster.Write) error {
	if !td.HasArg("fail") {
		return nil
	}
	calls := -1
	return func(cluster.Write) error {
		calls++
		for item := range strings.SplitSeq(golden.Arg(td, "fail", ""), ",") {
			if call, how, _ := strings.Cut(item, ":"); call == fmt.Sprint(calls) {
				return refusals[how]
			}
		}
		return nil
	}
}
