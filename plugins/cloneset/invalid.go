package cloneset

import (
	"cmp"
	"errors"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
)

// valid takes those creations out of what is sure that the API server refuses as
// invalid. Of the first n pods the current revision is the template. Kruise's
// webhook accepts templates whose pods are invalid: a mount may be of a claim
// template that is not there.
func (s *sync) valid(n, sure int, call func(int) error) (int, func(int) error) {
	update := s.invalid(&s.set.spec.Template)
	current := update
	if n > 0 && s.revisions.current != s.revisions.update {
		current = s.invalid(&s.revisions.current.template.typed)
	}
	if update == nil && current == nil {
		return sure, call
	}
	return 0, func(i int) error {
		if i < n {
			return cmp.Or(call(i), current)
		}
		return cmp.Or(call(i), update)
	}
}

// invalid is why the API server refuses the pods of a template, which have a
// volume for each claim template (UpdateStorage, pkg/util/pods.go, v1.9.1).
func (s *sync) invalid(t *corev1.PodTemplateSpec) error {
	pod := &corev1.Pod{Spec: *t.Spec.DeepCopy()}
	for _, claim := range s.set.spec.VolumeClaimTemplates {
		if !slices.ContainsFunc(pod.Spec.Volumes, func(v corev1.Volume) bool { return v.Name == claim.Name }) {
			pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: claim.Name})
		}
	}
	if refusal := admission.Validate(pod); refusal != nil {
		return errors.New("the Pod is invalid: " + refusal.Message)
	}
	return nil
}
