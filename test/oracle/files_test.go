package oracle

import (
	"slices"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/filed"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/states"
)

func TestFiles(t *testing.T) {
	types := map[string]string{contract.KindReplicaSet: "rs/", contract.KindReplicationController: "rc/"}
	filed.Check(t, []string{"1.23", "1.31", "1.34", "1.37"}, func(version string, seed int) (filed.Case, error) {
		req := states.Draw(version, seed)
		req.Faults, req.Expectations, req.Live, req.Behind = nil, nil, nil, nil
		forgetRefusals(req)
		d, err := predict(version, req, replicaset.Given{}) // the oracles see no other sets act
		return filed.Case{
			Question: filed.Question{
				Object: types[req.Kind] + states.Name, Namespace: states.Namespace, Version: version, Gates: req.Gates,
				Told: []string{"summary", "actions", "claims", "ranking", "status", "nextSync"},
			},
			View: View(req), Decision: d,
		}, err
	})
}

// forgetRefusals drops the conditions by which the command doubts what a plugin says.
func forgetRefusals(req *contract.Request) {
	for _, set := range req.ReplicaSets {
		set.Status.Conditions = slices.DeleteFunc(set.Status.Conditions, func(c appsv1.ReplicaSetCondition) bool { return c.Type == appsv1.ReplicaSetReplicaFailure })
	}
	for _, set := range req.ReplicationControllers {
		set.Status.Conditions = slices.DeleteFunc(set.Status.Conditions, func(c corev1.ReplicationControllerCondition) bool {
			return c.Type == corev1.ReplicationControllerReplicaFailure
		})
	}
}
