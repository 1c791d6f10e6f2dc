package replicaset

import (
	"fmt"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// maxReplicas is the annotation by which a Deployment remembers how many Pods all of its
// ReplicaSets may have. It is written with every size (SetReplicasAnnotations of
// pkg/controller/deployment/util/deployment_util.go, v1.37.1).
const maxReplicas = "deployment.kubernetes.io/max-replicas"

// scaledByHand doubts creations for a size that the set's Deployment has not given it: it scales
// the set back, maybe before.
func (s *sync) scaledByHand() []string {
	owner := metav1.GetControllerOfNoCopy(s.set)
	if owner == nil || !view.Deployments.Refers(owner.APIVersion, owner.Kind) {
		return nil
	}
	most, err := strconv.Atoi(s.set.Annotations[maxReplicas])
	if err != nil || s.set.want() <= most {
		return nil
	}
	return []string{fmt.Sprintf("deployment/%s, which allows %d Pods (max-replicas), may scale it back first", owner.Name, most)}
}
