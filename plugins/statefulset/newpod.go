package statefulset

import (
	"maps"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/statefulset/volume"
)

// missing mirrors newVersionedStatefulSetPod (stateful_set_utils.go, v1.37.1): the Pod
// of an ordinal that is to be created, of the current revision below the partition, and
// else of the update revision.
func (s *reconcile) missing(ordinal int) *pod {
	rev := s.history.update
	if s.keepsCurrent(ordinal) {
		rev = s.history.current
	}
	p := &pod{ordinal: ordinal, revision: rev.Name}
	p.Pod = s.newPod(rev.template, rev.Name, ordinal)
	return p
}

// keepsCurrent reports whether an ordinal that is created gets the current revision.
func (s *reconcile) keepsCurrent(ordinal int) bool {
	return ordinal < s.behaviour.first(s.set)+partition(s.set)
}

// newPod mirrors newStatefulSetPod (same file). It shares what it can with the template.
func (s *reconcile) newPod(t *corev1.PodTemplateSpec, revision string, ordinal int) *corev1.Pod {
	p := cluster.PodOf(s.set.Namespace, "", t, reference(s.set))
	p.Labels = maps.Clone(t.Labels)
	s.behaviour.identify(s.set, p, ordinal)
	p.GenerateName = s.set.Name + "-"
	p.Spec.Hostname, p.Spec.Subdomain = p.Name, s.set.Spec.ServiceName
	p.Spec.Volumes = volume.Volumes(s.set, p.Spec.Volumes, ordinal)
	p.Labels[appsv1.StatefulSetRevisionLabel] = revision
	return p
}
