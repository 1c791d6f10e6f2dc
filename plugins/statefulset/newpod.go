package statefulset

import (
	"maps"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/places"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/statefulset/volume"
)

// missing mirrors newVersionedStatefulSetPod (stateful_set_utils.go, v1.37.1): the Pod
// of an ordinal that is to be created, of the current revision below the partition, and
// else of the update revision.
func (o *ordinals) missing(ordinal int) *pod {
	rev := o.history.update
	if o.keepsCurrent(ordinal) {
		rev = o.history.current
	}
	p := &pod{ordinal: ordinal, revision: rev.Name}
	p.Pod = o.newPod(rev.template, rev.Name, ordinal)
	return p
}

// keepsCurrent reports whether an ordinal that is created gets the current revision.
func (t *target) keepsCurrent(ordinal int) bool {
	return ordinal < t.first()+partition(t.set)
}

// newPod mirrors newStatefulSetPod (same file). It shares what it can with the template.
func (t *target) newPod(template *corev1.PodTemplateSpec, revision string, ordinal int) *corev1.Pod {
	p := cluster.PodOf(t.set.Namespace, "", template, reference(t.set))
	p.Labels = maps.Clone(template.Labels)
	t.behaviour.identify(t.set, p, ordinal)
	p.GenerateName = t.set.Name + "-"
	p.Spec.Hostname, p.Spec.Subdomain = p.Name, t.set.Spec.ServiceName
	p.Spec.Volumes = volume.Volumes(t.set, p.Spec.Volumes, ordinal)
	p.Labels[appsv1.StatefulSetRevisionLabel] = revision
	return p
}

// failsAlike reports whether what keeps a Pod from being available keeps the Pod from it as
// well that replaces it: what it asks of nodes, or what its container runs and refers to, is
// the same.
func failsAlike(p, next *corev1.Pod, why decision.Cause) bool {
	switch {
	case why.Reason == corev1.PodReasonUnschedulable:
		return places.AsksNoMore(p, next)
	case why.Container == "" && health.Class(why.Class) != health.ConfigMissing: // a node, mostly
		return false
	}
	is, will := written(p, why.Container), written(next, why.Container)
	if health.OfImage(why) {
		return slices.EqualFunc(is.Containers, will.Containers, func(a, b corev1.Container) bool { return a.Image == b.Image })
	}
	return equality.Semantic.DeepEqual(is, will)
}

// written is what a template says of a container of a Pod, or of all for "", and of what
// these mount: without the token that admission mounts, and what it sets by default
// (plugin/pkg/admission/serviceaccount and limitranger, v1.37.1).
func written(p *corev1.Pod, container string) (w corev1.PodSpec) {
	const token = "kube-api-access-"
	for _, c := range slices.Concat(p.Spec.InitContainers, p.Spec.Containers) {
		if container != "" && c.Name != container {
			continue
		}
		c.VolumeMounts = slices.DeleteFunc(slices.Clone(c.VolumeMounts), func(m corev1.VolumeMount) bool { return strings.HasPrefix(m.Name, token) })
		c.Resources = corev1.ResourceRequirements{Limits: c.Resources.Limits}
		w.Containers = append(w.Containers, c)
	}
	for _, v := range p.Spec.Volumes {
		if !strings.HasPrefix(v.Name, token) {
			w.Volumes = append(w.Volumes, v)
		}
	}
	return w
}
