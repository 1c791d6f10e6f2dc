package statefulset

import (
	"strings"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/statefulset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/filed"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/statefulset/states"
)

func TestFiles(t *testing.T) {
	filed.Check(t, []string{"1.29", "1.34", "1.37"}, func(version string, seed int) (filed.Case, error) {
		state, err := states.Draw(version, seed)
		if err != nil {
			return filed.Case{}, err
		}
		req := state.Request
		req.Faults, req.Live, req.Twin, req.Behind = nil, nil, nil, nil
		r, err := predict(version, req, statefulset.Given{}) // the command knows no hash of a new revision
		if err != nil {
			return filed.Case{}, err
		}
		namespace, name, _ := strings.Cut(req.Key, "/")
		return filed.Case{
			Question: filed.Question{
				Object: "sts/" + name, Namespace: namespace, Version: version, Gates: req.Gates,
				Told: []string{"summary", "actions", "claims", "status", "nextSync"},
			},
			View: viewOf(req), Decision: r.Decision,
		}, nil
	})
}
