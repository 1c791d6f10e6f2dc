package bundle

import (
	"fmt"
	"maps"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// redactor takes secrets and ballast out of copies of objects.
//
// A value of an environment variable becomes redacted-1, redacted-2 and so on:
// equal values of one variable stay equal, different ones different. A
// Deployment finds its new ReplicaSet by comparing pod templates, and has to
// find the same one in a bundle.
type redactor struct {
	// seen numbers the values of each variable, in the order of the bundle.
	seen map[string]map[string]int
}

func newRedactor() *redactor { return &redactor{seen: map[string]map[string]int{}} }

// redact returns a copy of obj that is fit for sharing.
func (r *redactor) redact(obj metav1.Object) metav1.Object {
	o, ok := obj.(runtime.Object)
	if !ok {
		return obj
	}
	redacted := o.DeepCopyObject().(metav1.Object)
	view.TrimManagedFields(redacted)
	withoutApplied(redacted)
	if spec := podSpec(redacted); spec != nil {
		r.pod(spec)
	}
	r.untyped(redacted)
	return redacted
}

// withoutApplied drops what kubectl apply notes: a copy of the manifest, with
// the values that are left out elsewhere.
func withoutApplied(obj metav1.Object) {
	annotations := obj.GetAnnotations()
	if _, ok := annotations[corev1.LastAppliedConfigAnnotation]; !ok {
		return
	}
	annotations = maps.Clone(annotations)
	if delete(annotations, corev1.LastAppliedConfigAnnotation); len(annotations) == 0 {
		annotations = nil
	}
	obj.SetAnnotations(annotations)
}

// podSpec is the pod's own, or the template's, or nil.
func podSpec(obj metav1.Object) *corev1.PodSpec {
	switch o := obj.(type) {
	case *corev1.Pod:
		return &o.Spec
	case *corev1.ReplicationController:
		if o.Spec.Template != nil {
			return &o.Spec.Template.Spec
		}
	case *appsv1.ReplicaSet:
		return &o.Spec.Template.Spec
	case *appsv1.Deployment:
		return &o.Spec.Template.Spec
	case *appsv1.StatefulSet:
		return &o.Spec.Template.Spec
	case *appsv1.DaemonSet:
		return &o.Spec.Template.Spec
	case *batchv1.Job:
		return &o.Spec.Template.Spec
	}
	return nil
}

func (r *redactor) pod(spec *corev1.PodSpec) {
	for i := range spec.InitContainers {
		r.env(spec.InitContainers[i].Env)
	}
	for i := range spec.Containers {
		r.env(spec.Containers[i].Env)
	}
	for i := range spec.EphemeralContainers {
		r.env(spec.EphemeralContainers[i].Env)
	}
}

func (r *redactor) env(vars []corev1.EnvVar) {
	for i := range vars {
		if vars[i].Value != "" {
			vars[i].Value = r.standIn(vars[i].Name, vars[i].Value)
		}
	}
}

func (r *redactor) standIn(name, value string) string {
	values, ok := r.seen[name]
	if !ok {
		values = map[string]int{}
		r.seen[name] = values
	}
	n, ok := values[value]
	if !ok {
		n = len(values) + 1
		values[value] = n
	}
	return fmt.Sprintf("redacted-%d", n)
}
