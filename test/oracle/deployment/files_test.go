package deployment

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/deployment/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/deployment/states"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/filed"
)

// TestFiles: what the oracles are compared with is what the command says of the same
// state in a file.
func TestFiles(t *testing.T) {
	still := func(*contract.Request) ([]contract.Write, error) { return nil, nil }
	for _, version := range []string{"1.23", "1.31", "1.34", "1.37"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			for seed := 1; seed <= filed.States; seed++ {
				req, err := states.Draw(version, seed, still)
				if err != nil {
					t.Fatal(err)
				}
				req.Faults, req.Live, req.Twin = nil, nil, nil
				r, err := Predict(version, req)
				if err != nil {
					t.Fatal(err)
				}
				q := filed.Question{
					Object: "deploy/" + states.Name, Namespace: states.Namespace, Version: version, Gates: req.Gates,
					Told: []string{"actions", "claims", "status", "nextSync"},
				}
				want, err := q.Parts(r.Decision)
				if err != nil {
					t.Fatal(err)
				}
				said, err := q.Ask(filepath.Join(t.TempDir(), fmt.Sprintf("%d.yaml", seed)), viewOf(req))
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if diff := cmp.Diff(want, said); diff != "" {
					t.Errorf("seed %d (-compared +said by the command):\n%s", seed, diff)
				}
			}
		})
	}
}
