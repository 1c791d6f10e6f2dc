package replicaset

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// writes are the requests of a sync, in its order. Methods that add one return its
// number, from 1, and 0 on a nil log, which keeps none.
type writes []cluster.Write

func (l *writes) add(w cluster.Write) int {
	*l = append(*l, w)
	return len(*l)
}

func (l *writes) adopt(set *set, pod *corev1.Pod, patch string, err error) int {
	return l.patch(pod, patch, err, func(refs []metav1.OwnerReference) []metav1.OwnerReference { return append(refs, set.reference()) })
}

func (l *writes) release(set *set, pod *corev1.Pod, patch string, err error) int {
	return l.patch(pod, patch, err, func(refs []metav1.OwnerReference) []metav1.OwnerReference {
		return slices.DeleteFunc(refs, func(ref metav1.OwnerReference) bool { return ref.UID == set.UID })
	})
}

func (l *writes) patch(pod *corev1.Pod, patch string, err error, owners func([]metav1.OwnerReference) []metav1.OwnerReference) int {
	if l == nil {
		return 0
	}
	return l.add(cluster.Write{
		Verb: cluster.Patch, Kind: view.Pods, Namespace: pod.Namespace, Name: pod.Name, Patch: patch, Err: err,
		Stored: func() metav1.Object {
			p := pod.DeepCopy()
			p.OwnerReferences = owners(p.OwnerReferences)
			return p
		},
	})
}

// create adds n creations, of Pods as LimitRanges leave them.
func (l *writes) create(s *sync, n int, err error) int {
	if l == nil {
		return 0
	}
	template := s.set.Spec.Template
	return l.add(cluster.Write{
		Verb: cluster.Create, Kind: view.Pods, Namespace: s.set.Namespace, Name: s.generateName(), Generate: true, Count: n, Err: err,
		Object: cluster.PodOf(s.set.Namespace, &template, s.set.reference()),
		Stored: func() metav1.Object {
			template.Spec = s.admission().Pod.Spec
			return cluster.PodOf(s.set.Namespace, &template, s.set.reference())
		},
	})
}

func (l *writes) delete(pod decision.Ref, err error) int {
	if l == nil {
		return 0
	}
	return l.add(cluster.Write{Verb: cluster.Delete, Kind: view.Pods, Namespace: pod.Namespace, Name: pod.Name, Err: err})
}

func (l *writes) status(s *sync, next appsv1.ReplicaSetStatus, err error) int {
	if l == nil {
		return 0
	}
	next.ObservedGeneration = s.set.Generation
	if s.behaviour.droppedTerminating {
		next.TerminatingReplicas = nil // by the API server: every sync writes it again
	}
	return l.add(cluster.Write{
		Verb: cluster.Update, Kind: s.set.kind, Status: true, Namespace: s.set.Namespace, Name: s.set.Name, Err: err,
		Stored: func() metav1.Object { return s.set.with(next) },
	})
}

func (s *set) reference() metav1.OwnerReference {
	return metav1.OwnerReference{
		APIVersion: s.kind.GroupVersion().String(), Kind: s.kind.Kind, Name: s.Name, UID: s.UID,
		Controller: ptr.To(true), BlockOwnerDeletion: ptr.To(true),
	}
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
