package replicaset

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// writes are the requests of a sync, in its order.
type writes struct{ *cluster.Log }

// create adds n creations, of Pods as LimitRanges leave them.
func (l writes) create(s *sync, n int, err error) int {
	return l.Add(cluster.Write{
		Verb: cluster.Create, Kind: view.Pods, Namespace: s.set.Namespace, Name: ownership.Prefix(s.set.Name), Generate: true, Count: n, Err: err,
		Object: s.newPod(),
		Stored: func(metav1.Object) metav1.Object {
			pod := s.newPod()
			pod.Spec = s.admission().Pod.Spec
			return pod
		},
	})
}

func (l writes) delete(pod decision.Ref, err error) int {
	return l.Add(cluster.Write{Verb: cluster.Delete, Kind: view.Pods, Namespace: pod.Namespace, Name: pod.Name, Err: err})
}

func (l writes) status(s *sync, next appsv1.ReplicaSetStatus, err error) int {
	next.ObservedGeneration = s.set.Generation
	if s.behaviour.droppedTerminating {
		next.TerminatingReplicas = nil // by the API server: every sync writes it again
	}
	return l.Add(cluster.Write{
		Verb: cluster.Update, Kind: s.set.kind, Status: true, Namespace: s.set.Namespace, Name: s.set.Name, Err: err,
		Rereads: true, // updateReplicaSetStatus
		Stored:  func(now metav1.Object) metav1.Object { return withStatus(now, next) },
	})
}

// statusOfRC mirrors the way back of the replication manager's adapter.
func statusOfRC(s appsv1.ReplicaSetStatus) corev1.ReplicationControllerStatus {
	out := corev1.ReplicationControllerStatus{
		Replicas: s.Replicas, FullyLabeledReplicas: s.FullyLabeledReplicas, ReadyReplicas: s.ReadyReplicas,
		AvailableReplicas: s.AvailableReplicas, ObservedGeneration: s.ObservedGeneration,
	}
	for _, c := range s.Conditions {
		out.Conditions = append(out.Conditions, corev1.ReplicationControllerCondition{
			Type: corev1.ReplicationControllerConditionType(c.Type), Status: c.Status,
			LastTransitionTime: c.LastTransitionTime, Reason: c.Reason, Message: c.Message,
		})
	}
	return out
}
