package cli

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace/entry"
)

// TestDetectorIsReadFromTheEnvironment: what is not in the Pod itself is not visible.
func TestDetectorIsReadFromTheEnvironment(t *testing.T) {
	const name = "KUBE_CACHE_MUTATION_DETECTOR"
	set := func(value string) corev1.EnvVar { return corev1.EnvVar{Name: name, Value: value} }
	elsewhere := corev1.EnvVar{Name: name, ValueFrom: &corev1.EnvVarSource{}}
	for what, test := range map[string]struct {
		corev1.Container
		want entry.Detector
	}{
		"unset":               {corev1.Container{}, entry.Detector{Manager: "off"}},
		"true":                {corev1.Container{Env: []corev1.EnvVar{set("true")}}, entry.Detector{Manager: "on"}},
		"1, after false":      {corev1.Container{Env: []corev1.EnvVar{set("false"), set("1")}}, entry.Detector{Manager: "on"}},
		"no boolean":          {corev1.Container{Env: []corev1.EnvVar{set("yes")}}, entry.Detector{Manager: "off"}},
		"of another variable": {corev1.Container{Env: []corev1.EnvVar{{Name: "A", Value: "true"}}}, entry.Detector{Manager: "off"}},
		"from elsewhere":      {corev1.Container{Env: []corev1.EnvVar{elsewhere}}, entry.Detector{Reason: "its Pod takes " + name + " from another object"}},
		"all from elsewhere":  {corev1.Container{EnvFrom: []corev1.EnvFromSource{{}}}, entry.Detector{Reason: "its Pod takes its environment from another object"}},
		"set before all":      {corev1.Container{Env: []corev1.EnvVar{set("true")}, EnvFrom: []corev1.EnvFromSource{{}}}, entry.Detector{Manager: "on"}},
	} {
		o := opened{manager: profile.Manager{Mutations: mutationsOf(test.Container)}}
		if got := o.detector(); got != test.want {
			t.Errorf("%s: %+v, want %+v", what, got, test.want)
		}
	}
	o := opened{manager: profile.Manager{Hidden: "no Pod of it is seen"}}
	if got := o.detector(); got != (entry.Detector{Reason: "no Pod of it is seen"}) {
		t.Errorf("without a Pod: %+v", got)
	}
}
