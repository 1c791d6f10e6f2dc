// Package podtemplate knows the values that the API server gives to fields of Pod templates
// which are not set.
package podtemplate

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
)

// Complete gives a changed template the values of fields that are not set, where the one
// before has them, as any that an API server stored.
func Complete(changed, before *corev1.PodTemplateSpec) {
	if full, err := completed(before); err != nil || !equality.Semantic.DeepEqual(full, before) {
		return
	}
	if full, err := completed(changed); err == nil {
		*changed = *full
	}
}

// Default gives a new template the values of fields that are not set.
func Default(t *corev1.PodTemplateSpec) {
	if full, err := completed(t); err == nil {
		*t = *full
	}
}

// completed is a template with the values of fields that are not set. The two names of the
// service account are one (Convert_v1_PodSpec_To_core_PodSpec and back,
// pkg/apis/core/v1/conversion.go, v1.37.1).
func completed(t *corev1.PodTemplateSpec) (*corev1.PodTemplateSpec, error) {
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(t)
	if err != nil {
		return nil, err
	}
	Fill(fields)
	full := &corev1.PodTemplateSpec{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(fields, full); err != nil {
		return nil, err
	}
	if full.Spec.ServiceAccountName == "" {
		full.Spec.ServiceAccountName = full.Spec.DeprecatedServiceAccount
	}
	full.Spec.DeprecatedServiceAccount = full.Spec.ServiceAccountName
	return full, nil
}
