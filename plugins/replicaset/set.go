package replicaset

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// kinds are the kinds that this plugin decides.
var kinds = []view.Kind{view.ReplicaSets, view.ReplicationControllers}

// set is the target as the shared controller sees it: a ReplicaSet, or a
// ReplicationController in the form of one.
type set struct {
	*appsv1.ReplicaSet
	kind     view.Kind
	ref      decision.Ref
	selector labels.Selector
	// rc is the ReplicationController, nil for a ReplicaSet.
	rc *corev1.ReplicationController
	// invalid is the error of a selector that does not parse.
	invalid error
}

func load(r *view.Reader, t view.Target) (*set, error) {
	need := view.Need{Kind: t.Kind, Namespace: t.Namespace, Name: t.Name}
	rs, found := get(r, t.Kind, need)
	if err := r.Err(full(need)); err != nil {
		return nil, err
	}
	if !found {
		return nil, &view.NotFound{Target: t}
	}
	s := newSet(t.Kind, rs)
	if s.isRC() {
		s.rc, _ = view.Get[*corev1.ReplicationController](r, need)
	}
	return s, decision.NotNegative(s.ref, "spec.replicas", ptr.Deref(rs.Spec.Replicas, 1))
}

func full(n view.Need) view.Need {
	n.Detail = view.Full
	return n
}

func get(r *view.Reader, k view.Kind, need view.Need) (*appsv1.ReplicaSet, bool) {
	if k.Kind == view.ReplicationControllers.Kind {
		rc, ok := view.Get[*corev1.ReplicationController](r, need)
		if !ok {
			return nil, false
		}
		return asReplicaSet(rc), true
	}
	return view.Get[*appsv1.ReplicaSet](r, need)
}

func newSet(k view.Kind, rs *appsv1.ReplicaSet) *set {
	s := &set{ReplicaSet: rs, kind: k, ref: ownership.RefTo(k, rs)}
	s.selector, s.invalid = metav1.LabelSelectorAsSelector(rs.Spec.Selector)
	return s
}

// want is spec.replicas; the API server defaults it to 1, files may lack it.
func (s *set) want() int {
	if s.Spec.Replicas == nil {
		return 1
	}
	return int(*s.Spec.Replicas)
}

// reference is that of the Pods to their controller.
func (s *set) reference() metav1.OwnerReference {
	return *metav1.NewControllerRef(s, s.kind.GroupVersion().WithKind(s.kind.Kind))
}

// withStatus is a ReplicaSet or ReplicationController with another status.
func withStatus(now metav1.Object, next appsv1.ReplicaSetStatus) metav1.Object {
	switch o := view.Decoded(now).(type) {
	case *corev1.ReplicationController:
		rc := o.DeepCopy()
		rc.Status = statusOfRC(next)
		return rc
	case *appsv1.ReplicaSet:
		rs := o.DeepCopy()
		rs.Status = next
		return rs
	}
	return now
}

func (s *set) isRC() bool { return s.kind.Kind == view.ReplicationControllers.Kind }

// asReplicaSet mirrors the conversion of the replication manager's adapter
// (pkg/controller/replication/conversion.go convertRCtoRS, v1.37.1).
func asReplicaSet(rc *corev1.ReplicationController) *appsv1.ReplicaSet {
	rs := &appsv1.ReplicaSet{
		ObjectMeta: rc.ObjectMeta,
		Spec:       appsv1.ReplicaSetSpec{Replicas: rc.Spec.Replicas, MinReadySeconds: rc.Spec.MinReadySeconds},
		Status: appsv1.ReplicaSetStatus{
			Replicas: rc.Status.Replicas, FullyLabeledReplicas: rc.Status.FullyLabeledReplicas,
			ReadyReplicas: rc.Status.ReadyReplicas, AvailableReplicas: rc.Status.AvailableReplicas,
			ObservedGeneration: rc.Status.ObservedGeneration,
		},
	}
	if rc.Spec.Selector != nil {
		rs.Spec.Selector = &metav1.LabelSelector{MatchLabels: rc.Spec.Selector}
	}
	if rc.Spec.Template != nil {
		rs.Spec.Template = *rc.Spec.Template
	}
	for _, c := range rc.Status.Conditions {
		rs.Status.Conditions = append(rs.Status.Conditions, appsv1.ReplicaSetCondition{
			Type: appsv1.ReplicaSetConditionType(c.Type), Status: c.Status,
			LastTransitionTime: c.LastTransitionTime, Reason: c.Reason, Message: c.Message,
		})
	}
	return rs
}
