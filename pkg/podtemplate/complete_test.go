package podtemplate_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/podtemplate"
)

// stored is a template as an API server stores it.
func stored(edit func(*corev1.PodTemplateSpec)) *corev1.PodTemplateSpec {
	t := &corev1.PodTemplateSpec{Spec: corev1.PodSpec{
		Containers: []corev1.Container{{
			Name: "web", Image: "web:1", ImagePullPolicy: corev1.PullIfNotPresent,
			TerminationMessagePath: "/dev/termination-log", TerminationMessagePolicy: corev1.TerminationMessageReadFile,
		}},
		RestartPolicy: corev1.RestartPolicyAlways, TerminationGracePeriodSeconds: new(int64(30)),
		DNSPolicy: corev1.DNSClusterFirst, SchedulerName: "default-scheduler", SecurityContext: &corev1.PodSecurityContext{},
	}}
	if edit != nil {
		edit(t)
	}
	return t
}

// TestComplete: a field that is not set any more has the value that it had without it.
func TestComplete(t *testing.T) {
	account := func(name, old string) func(*corev1.PodTemplateSpec) {
		return func(t *corev1.PodTemplateSpec) {
			t.Spec.ServiceAccountName, t.Spec.DeprecatedServiceAccount = name, old
		}
	}
	unset := func(t *corev1.PodTemplateSpec) {
		t.Spec.RestartPolicy, t.Spec.TerminationGracePeriodSeconds, t.Spec.SecurityContext, t.Spec.Containers[0].ImagePullPolicy = "", nil, nil, ""
	}
	bare := func(t *corev1.PodTemplateSpec) {
		t.Spec = corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web:1"}}}
	}
	for name, c := range map[string]struct {
		before, changed, want func(*corev1.PodTemplateSpec)
	}{
		"fields that are the same as before": {nil, unset, nil},
		"a field that was another":           {func(t *corev1.PodTemplateSpec) { t.Spec.TerminationGracePeriodSeconds = new(int64(60)) }, unset, nil},
		"of another image": {nil, func(t *corev1.PodTemplateSpec) { unset(t); t.Spec.Containers[0].Image = "web" }, func(t *corev1.PodTemplateSpec) {
			t.Spec.Containers[0].Image, t.Spec.Containers[0].ImagePullPolicy = "web", corev1.PullAlways
		}},
		"not of a template that no server stored": {bare, unset, unset},
		"the service account's other name stays":  {account("a", "a"), account("", "a"), account("a", "a")},
		"both its names change":                   {account("a", "a"), account("b", "a"), account("b", "b")},
		"one name alone is of no server":          {account("a", ""), account("b", ""), account("b", "")},
	} {
		t.Run(name, func(t *testing.T) {
			changed := stored(c.changed)
			podtemplate.Complete(changed, stored(c.before))
			if diff := cmp.Diff(stored(c.want), changed); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
