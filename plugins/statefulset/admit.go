package statefulset

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/statefulset/volume"
)

// admit predicts how the API server answers: a namespace that is being deleted, a name
// that is taken, one that is too long, and quotas refuse a creation; of a Pod that is there
// the volumes are not updated, and one that is not there is not updated at all.
func (s *reconcile) admit(w cluster.Write) error {
	if w.Verb == cluster.Update && w.Kind.GroupKind() == view.Pods.GroupKind() {
		return s.admitUpdate(w)
	}
	if w.Status && !s.given.API.Lenient {
		return s.admitStatus()
	}
	if w.Verb == cluster.Update && w.Kind.GroupKind() == view.PersistentVolumeClaims.GroupKind() && s.server.updated(w) {
		return &cluster.Conflict{Kind: w.Kind, Name: w.Name}
	}
	if w.Verb != cluster.Create {
		return nil
	}
	if admission.Terminating(s.r, s.set.Namespace) != nil {
		return fmt.Errorf("%s %q is forbidden: unable to create new content in namespace %s because it is being terminated", w.Kind.GroupResource(), w.Name, w.Namespace)
	}
	switch w.Kind.GroupKind() {
	case view.Pods.GroupKind():
		if s.taken(w.Name) {
			return fmt.Errorf("pods %q %w", w.Name, cluster.ErrAlreadyExists)
		}
		pod, _ := w.Object.(*corev1.Pod)
		return s.admitPod(pod)
	case view.ControllerRevisions.GroupKind():
		if strings.HasSuffix(w.Name, unknownHash) {
			return nil
		}
		need := s.revisionsNeed()
		need.Name = w.Name
		if _, taken := s.get(need); taken {
			return fmt.Errorf("controllerrevisions.apps %q %w", w.Name, cluster.ErrAlreadyExists)
		}
	case view.PersistentVolumeClaims.GroupKind():
		return s.admitClaim()
	}
	return nil
}

// admitStatus is the API server's answer to a count below zero (ValidateStatefulSetStatus,
// pkg/apis/apps/validation, v1.37.1): the controller takes each Pod that it deletes for an
// update off status.currentReplicas, also those that it does not count there, of a third
// revision.
func (s *reconcile) admitStatus() error {
	if n := s.status.next.CurrentReplicas; n < 0 {
		return fmt.Errorf("StatefulSet.apps %q is %w: status.currentReplicas: Invalid value: %d: must be greater than or equal to 0", s.set.Name, cluster.ErrInvalid, n)
	}
	return nil
}

// admitUpdate predicts the answer to a Pod with other labels or volumes. The volumes of a
// Pod can't be changed (ValidatePodUpdate, pkg/apis/core/validation/validation.go, v1.37.1).
func (s *reconcile) admitUpdate(w cluster.Write) error {
	next, _ := w.Object.(*corev1.Pod)
	p, found := s.podNamed(w.Name)
	switch {
	case !found && s.r.Err(s.podsNeed()) == nil:
		return fmt.Errorf("pods %q %w", w.Name, cluster.ErrNotFound) // the sync gave it the name of its ordinal
	case !found || s.given.API.Lenient || equality.Semantic.DeepEqual(p.Spec.Volumes, next.Spec.Volumes):
		return nil
	}
	s.hold(VolumesCantChange, ownership.RefTo(view.Pods, p), decision.F(keyPod, p.Name), decision.F(keyClaims, strings.Join(volume.Lacking(s.set, p, ordinalOf(p.Name)), ", ")))
	return fmt.Errorf("%s %q is %w: spec: Forbidden: the volumes of a Pod can't be changed", w.Kind.Kind, w.Name, cluster.ErrInvalid)
}

// admitLabels is the API server's answer to a Pod of which a label is too long: its name, or
// that of its revision, of which the hash may be unknown.
func (s *reconcile) admitLabels(pod *corev1.Pod) error {
	for _, key := range []string{appsv1.StatefulSetPodNameLabel, appsv1.StatefulSetRevisionLabel} {
		v := pod.Labels[key]
		if strings.HasSuffix(v, unknownHash) && len(s.set.Name)+len(aHash) > validation.LabelValueMaxLength {
			s.admits.inDoubt("whether the name of the new revision is too long for a label is not known")
			continue
		}
		if len(v) > validation.LabelValueMaxLength {
			s.hold(LabelTooLong, s.ref, decision.F(keyPod, pod.Name), decision.F(keyLabel, key), decision.F(keyCharacters, len(v)))
			return fmt.Errorf("%s %q is %w: metadata.labels: Invalid value: %q: must be no more than %d characters", view.Pods.Kind, pod.Name, cluster.ErrInvalid, v, validation.LabelValueMaxLength)
		}
	}
	return nil
}

// admitPod predicts the answer to the next Pod of a sync.
func (s *reconcile) admitPod(pod *corev1.Pod) error {
	if err := s.admitLabels(pod); err != nil {
		return err
	}
	v := s.verdict(pod)
	made := s.made(view.Pods)
	if made == 0 && s.given.API.Refuse == nil {
		s.admits.inDoubt(health.Doubts(s.r, s.creator())...)
	}
	s.admits.inDoubt(v.Doubted(made + 1)...)
	s.admits.inDoubt(admission.Unread(s.r, admission.Quotas(s.set.Namespace), admission.LimitRanges(s.set.Namespace))...)
	if v.Refusal != nil && v.Room <= made {
		return errors.New(v.Refusal.Message)
	}
	return nil
}

// verdict is what admission makes of Pods of a revision, which ask for the same.
func (s *reconcile) verdict(pod *corev1.Pod) admission.Verdict {
	return s.admits.review(pod.Labels[appsv1.StatefulSetRevisionLabel], func() admission.Verdict {
		return admission.Read(s.r, s.set.Namespace).Review(pod, admission.FeaturesOf(s.profile.Kubernetes))
	})
}

// admitted is a new Pod as LimitRanges leave its containers.
func (s *reconcile) admitted(pod *corev1.Pod) *corev1.Pod {
	stored := pod.DeepCopy()
	if v := s.verdict(pod); v.Pod != nil {
		spec := v.Pod.DeepCopy().Spec
		stored.Spec.Containers, stored.Spec.InitContainers, stored.Spec.Resources = spec.Containers, spec.InitContainers, spec.Resources
	}
	return stored
}

// made is how many objects of a kind the sync has created.
func (s *reconcile) made(k view.Kind) int64 { return s.server.created[k.GroupKind()] }

// admitClaim predicts the answer to the next volume claim. Quotas of storage are not
// modelled, nor LimitRanges of claims.
func (s *reconcile) admitClaim() error {
	ns := admission.ReadQuotas(s.r, s.set.Namespace)
	v := ns.ReviewCount(view.PersistentVolumeClaims.GVR().GroupResource())
	made := s.made(view.PersistentVolumeClaims)
	s.admits.inDoubt(v.Doubted(made + 1)...)
	for _, q := range ns.Quotas {
		for name := range q.Spec.Hard {
			if name == corev1.ResourcePersistentVolumeClaims || name == corev1.ResourceRequestsStorage || strings.Contains(string(name), ".storageclass.storage.k8s.io/") {
				s.admits.inDoubt(fmt.Sprintf("resourcequota/%s limits storage: whether it lets the volume claims be created is not known", q.Name))
			}
		}
	}
	for _, l := range view.List[*corev1.LimitRange](s.r, admission.LimitRanges(s.set.Namespace), nil) {
		if admission.BoundsClaims(l) {
			s.admits.inDoubt(fmt.Sprintf("limitrange/%s bounds volume claims: whether it lets them be created is not known", l.Name))
		}
	}
	if v.Refusal != nil && v.Room <= made {
		return s.admits.refuse(v.Refusal)
	}
	return nil
}

// admits is what admission says of what a sync creates.
type admits struct {
	// verdicts are those on a Pod, by its revision.
	verdicts map[string]admission.Verdict
	// doubts are why it is not known whether objects are created as predicted.
	doubts []string
	// refused is what refused a volume claim, nil for nothing.
	refused *admission.Refusal
}

//go:noinline // it is called at many places
func (a *admits) inDoubt(all ...string) {
	for _, why := range all {
		if !slices.Contains(a.doubts, why) {
			a.doubts = append(a.doubts, why)
		}
	}
}

func (a *admits) refuse(r *admission.Refusal) error {
	a.refused = r
	return errors.New(r.Message)
}

func (a *admits) doubt() string { return strings.Join(a.doubts, "; ") }

// review is what admission makes of Pods of a revision, which ask for the same.
func (a *admits) review(revision string, ask func() admission.Verdict) admission.Verdict {
	v, known := a.verdicts[revision]
	if !known {
		v = ask()
		a.verdicts[revision] = v
	}
	return v
}
