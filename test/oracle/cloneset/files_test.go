package cloneset

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/cloneset/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/cloneset/states"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/filed"
)

func TestFiles(t *testing.T) {
	filed.Check(t, []string{"1.5.5", "1.8.3", "1.9.1"}, func(version string, seed int) (filed.Case, error) {
		req, err := states.Draw(version, seed, stepOf(version))
		if err != nil {
			return filed.Case{}, err
		}
		req.Faults, req.Expectations = nil, nil
		if err := unobserve(req); err != nil {
			return filed.Case{}, err
		}
		d, err := Predict(version, req)
		if err != nil {
			return filed.Case{}, err
		}
		v, err := viewOf(version, req)
		return filed.Case{
			Question: filed.Question{
				Object: "cloneset/" + states.Name, Namespace: states.Namespace, Version: kubernetes(version), Manager: "kruise-system",
				Told: []string{"summary", "actions", "claims", "ranking", "status", "nextSync", "limits"},
			},
			View: v, Decision: d,
		}, err
	})
}

// unobserve takes from a status that it is of the template: it is drawn, and files without
// revisions would have to go by it.
func unobserve(req *contract.Request) error {
	set := &unstructured.Unstructured{}
	if err := set.UnmarshalJSON(req.CloneSet); err != nil {
		return err
	}
	unstructured.RemoveNestedField(set.Object, "status", "observedGeneration")
	text, err := set.MarshalJSON()
	req.CloneSet = text
	return err
}
