package oracle

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
)

// set is the target of a request, whichever kind it is.
type set struct {
	rs *appsv1.ReplicaSet
	rc *corev1.ReplicationController
}

func target(req *contract.Request) set {
	rs, _ := cached(req).(*appsv1.ReplicaSet)
	rc, _ := cached(req).(*corev1.ReplicationController)
	return set{rs, rc}
}

// replicas adds to spec.replicas.
func (s set) replicas(more int32) {
	n := s.wanted()
	*n = new(max(0, **n+more))
}

func (s set) wanted() **int32 {
	if s.rs != nil {
		return &s.rs.Spec.Replicas
	}
	return &s.rc.Spec.Replicas
}

func (s set) clearStatus() {
	if s.rs != nil {
		s.rs.Status = appsv1.ReplicaSetStatus{}
	} else {
		s.rc.Status = corev1.ReplicationControllerStatus{}
	}
}

// template is nil for a ReplicationController without one.
func (s set) template() *corev1.PodTemplateSpec {
	if s.rs != nil {
		return &s.rs.Spec.Template
	}
	return s.rc.Spec.Template
}
