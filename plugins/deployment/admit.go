package deployment

import (
	"errors"
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// The length of names (apimachinery/pkg/util/validation, v0.37.1), and that of
// the longest hash: ten digits (pkg/controller ComputeHash).
const (
	longestName = 253
	longestHash = 10
)

// setName mirrors generateReplicaSetName (sync.go, v1.37.1): since 1.34 the
// Deployment's name is cut so that the hash fits, which is taken for a long one.
func (s *sync) setName() string {
	name := s.d.Name
	if longest := longestName - longestHash - len("-"); s.behaviour.cutNames && len(name) > longest {
		name = name[:longest]
	}
	return name + "-" + UnknownHash
}

// admit predicts how the API server answers the creation of a set: a namespace
// that is being deleted, a name that is too long, and quotas refuse it.
func (s *sync) admit(w cluster.Write) error {
	if w.Verb != cluster.Create {
		return nil
	}
	if admission.Terminating(s.r, s.d.Namespace) != nil {
		return cluster.ErrNamespaceTerminating
	}
	if !s.behaviour.cutNames && len(s.d.Name)+len("-")+longestHash > longestName {
		return s.nameTooLong()
	}
	v := newSets(s.r, s.d.Namespace)
	s.doubt(v.Doubted(1)...)
	s.doubt(admission.Unread(s.r, admission.Quotas(s.d.Namespace))...)
	if v.Room < 1 {
		return errors.New(v.Refusal.Message)
	}
	return nil
}

// newSets is what the quotas of a namespace make of new ReplicaSets.
func newSets(r *view.Reader, namespace string) admission.Verdict {
	return admission.ReadQuotas(r, namespace).ReviewCount(schema.GroupResource{Group: view.ReplicaSets.Group, Resource: view.ReplicaSets.Resource})
}

// podsRefused notes for a change what refuses all Pods of the template, where later syncs have
// them created. Of those that this sync has created, their ReplicaSet's own controller says so.
func (s *sync) podsRefused() {
	if !s.r.WhatIf() || s.r.Brief() || s.err != nil || !s.createsLater() {
		return
	}
	pod := cluster.PodOf(s.d.Namespace, s.setName()+"-", &s.d.Spec.Template, metav1.OwnerReference{})
	v := admission.Read(s.r, s.d.Namespace).Review(pod, admission.FeaturesOf(s.profile.Kubernetes))
	if v.Room > 0 || len(v.Doubts) > 0 || passes(v.Refusal) {
		return
	}
	about := s.ref
	if by := v.Refusal.By; by != nil {
		about = ownership.RefTo(v.Refusal.ByKind(), by)
	}
	s.hold(PodsRefused, about, decision.F(keyMessage, v.Refusal.Message))
}

// passes reports whether what refuses Pods now may not do so any more in a later sync: those that
// are deleted make room, and the quota controller counts what it has not.
func passes(r *admission.Refusal) bool {
	return r.Reason == admission.QuotaExceeded || r.Reason == admission.UsageNotCounted
}

// createsLater reports whether later syncs, and not this one, have Pods of the template created.
func (s *sync) createsLater() bool {
	if s.d.DeletionTimestamp != nil || s.d.Spec.Paused {
		return false
	}
	for _, set := range s.out.Sets {
		if set.Role == decision.New {
			return set.Next <= set.Replicas && set.Actual < s.limits.desired
		}
	}
	return s.limits.desired > 0
}

// nameTooLong refuses the name. How long it is depends on the hash, which is not
// known.
func (s *sync) nameTooLong() error {
	if fits := longestName - len("-") - len(s.d.Name); fits > 0 {
		s.doubt(fmt.Sprintf("the name of the new ReplicaSet fits if the template's hash has at most %d of its usual %d digits", fits, longestHash))
	}
	return fmt.Errorf("ReplicaSet.apps %q is invalid: metadata.name: Invalid value: must be no more than %d characters", s.setName(), longestName)
}

func (s *sync) doubt(all ...string) {
	for _, why := range all {
		if !slices.Contains(s.doubts, why) {
			s.doubts = append(s.doubts, why)
		}
	}
}
