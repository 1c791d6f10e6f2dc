package oracle

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
)

// Body compares the Pods that upstream sent to be created with what the plugin's
// model sends. compared is false where a fault, or what is expected, is no part of
// the model's own sync.
func Body(version string, req *contract.Request, run *contract.Run) (differences []string, compared bool, err error) {
	if len(run.Created) == 0 || len(req.Faults) > 0 || len(req.Live) > 0 || req.Expectations != nil {
		return nil, false, nil
	}
	sent := &corev1.Pod{}
	if err := json.Unmarshal(run.Created, sent); err != nil {
		return nil, false, err
	}
	said, err := createdBy(version, req)
	switch {
	case err != nil:
		return nil, false, err
	case said == nil:
		return []string{"a Pod was created, and no creation was predicted"}, true, nil
	case run.CreatedUnlike:
		return []string{"the created Pods differ from one another"}, true, nil
	}
	sent.Namespace = said.Namespace // the request's path has it
	if said.Spec.SecurityContext == nil && cmp.Equal(sent.Spec.SecurityContext, &corev1.PodSecurityContext{}, cmpopts.EquateEmpty()) {
		// The way of a ReplicationController through internal types leaves an empty one,
		// which the API server gives every Pod (SetDefaults_PodSpec of pkg/apis/core/v1).
		sent.Spec.SecurityContext = nil
	}
	if diff := cmp.Diff(said, sent); diff != "" {
		differences = append(differences, fmt.Sprintf("created Pod (-predicted +observed):\n%s", diff))
	}
	return differences, true, nil
}

// createdBy is the Pod that the plugin's own sync sends, nil for none.
func createdBy(version string, req *contract.Request) (*corev1.Pod, error) {
	p, err := profile.New(profile.Options{Emulate: version, Gates: req.Gates})
	if err != nil {
		return nil, err
	}
	step, err := replicaset.Step(View(req).Reader(), p, Target(req))
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(step.Writes, func(w cluster.Write) bool { return w.Verb == cluster.Create })
	if i < 0 {
		return nil, nil
	}
	pod, ok := step.Writes[i].Object.(*corev1.Pod)
	if !ok {
		return nil, fmt.Errorf("%T is created", step.Writes[i].Object)
	}
	return pod, nil
}
