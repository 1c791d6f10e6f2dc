package deployment

import (
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/deployment/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/deployment/states"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/filed"
)

func TestFiles(t *testing.T) {
	still := func(*contract.Request) ([]contract.Write, error) { return nil, nil }
	filed.Check(t, []string{"1.23", "1.31", "1.34", "1.37"}, func(version string, seed int) (filed.Case, error) {
		req, err := states.Draw(version, seed, still)
		if err != nil {
			return filed.Case{}, err
		}
		req.Faults, req.Live, req.Twin = nil, nil, nil
		r, err := Predict(version, req)
		if err != nil {
			return filed.Case{}, err
		}
		return filed.Case{
			Question: filed.Question{
				Object: "deploy/" + states.Name, Namespace: states.Namespace, Version: version, Gates: req.Gates,
				Told: []string{"actions", "claims", "status", "nextSync"},
			},
			View: viewOf(req), Decision: r.Decision,
		}, nil
	})
}
