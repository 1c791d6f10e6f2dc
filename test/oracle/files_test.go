package oracle

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/filed"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/states"
)

// TestFiles: what the oracles are compared with is what the command says of the same
// state in a file.
func TestFiles(t *testing.T) {
	for _, version := range []string{"1.23", "1.31", "1.34", "1.37"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			for seed := 1; seed <= filed.States; seed++ {
				req := states.Draw(version, seed)
				req.Faults, req.Expectations, req.Live, req.Behind = nil, nil, nil, nil
				d, err := Predict(version, req)
				if err != nil {
					t.Fatal(err)
				}
				kind := map[string]string{contract.KindReplicaSet: "rs", contract.KindReplicationController: "rc"}[req.Kind]
				q := filed.Question{
					Object: kind + "/" + states.Name, Namespace: states.Namespace, Version: version, Gates: req.Gates,
					Told: []string{"summary", "actions", "claims", "ranking", "status", "nextSync"},
				}
				want, err := q.Parts(d)
				if err != nil {
					t.Fatal(err)
				}
				said, err := q.Ask(filepath.Join(t.TempDir(), fmt.Sprintf("%d.yaml", seed)), View(req))
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if diff := cmp.Diff(want, said); diff != "" {
					t.Errorf("seed %d (-compared +said by the command):\n%s\n%s", seed, diff, Report(req))
				}
			}
		})
	}
}
