package scale

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
)

// reviewed is what the API server makes of the pods to create: the first old of
// them are made from the current revision's template.
type reviewed struct {
	n, old          int
	current, update admission.Verdict
}

// review asks what can be seen. Where somebody answers for the API server, or the
// namespace is being deleted, quotas and LimitRanges play no part.
func (s *scaling) review(n, old int) reviewed {
	r := reviewed{n: n, old: min(old, n), update: s.reviewOf(&s.Set.Spec.Template)}
	r.current = r.update
	if r.old > 0 && s.Revisions.Current != s.Revisions.Update {
		r.current = s.reviewOf(&s.Revisions.Current.Template.Typed)
	}
	return r
}

// reviewOf is what the API server makes of one template's pods. Kruise's webhook
// accepts templates whose pods are invalid: a mount may be of a claim template
// that is not there.
func (s *scaling) reviewOf(t *corev1.PodTemplateSpec) admission.Verdict {
	if err := s.terminatingNamespace(); err != nil {
		return admission.Verdict{Refusal: &admission.Refusal{Message: err.Error()}}
	}
	ns := admission.Namespace{}
	if s.Given.Refuse == nil {
		ns = admission.Read(s.Reader, s.Set.GetNamespace())
	}
	v := ns.Review(NewPod(s.Set, t), admission.FeaturesOf(s.Kubernetes))
	if v.Refusal != nil && v.Refusal.Reason == admission.Invalid {
		v.Refusal.Message = "the Pod is invalid: " + v.Refusal.Message
	}
	return v
}

// Resizing asks whether a LimitRange or a quota may refuse the resources that an update in
// place gives Pods (SupportsAttributes of plugin/pkg/admission/limitranger/admission.go and
// Handles of pkg/quota/v1/evaluator/core/pods.go, v1.37.1). None does that accepts all of
// them anew.
func Resizing(run *reconcile.Run) {
	s := &scaling{run}
	v := s.reviewOf(&run.Set.Spec.Template)
	r, unread := v.Refusal, s.unread()
	switch {
	case len(unread) > 0:
		run.Chance.DoubtResize(unread[0])
	case r == nil || v.Room >= int64(len(run.Pods)):
	case r.Reason == admission.OutsideRange:
		run.Chance.DoubtResize("the API server may refuse the new resources: " + r.Message)
	case r.Reason == admission.QuotaExceeded:
		run.Chance.DoubtResize("the API server may refuse the new resources: quota " + r.By.GetName() + " may have no room for them")
	}
}

// NewPod returns a Pod of a template, which has a volume for each claim template (UpdateStorage, pkg/util/pods.go,
// v1.9.1).
func NewPod(set *api.Set, t *corev1.PodTemplateSpec) *corev1.Pod {
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: set.GetNamespace(), GenerateName: set.GetName() + "-", Labels: t.Labels, Annotations: t.Annotations},
		Spec:       *t.Spec.DeepCopy(),
	}
	for _, claim := range set.Spec.VolumeClaimTemplates {
		if !slices.ContainsFunc(pod.Spec.Volumes, func(v corev1.Volume) bool { return v.Name == claim.Name }) {
			pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: claim.Name})
		}
	}
	return pod
}

// of is what the API server makes of the call-th creation's like.
func (r reviewed) of(call int) admission.Verdict {
	if call < r.old {
		return r.current
	}
	return r.update
}

// room is how many creations are accepted for sure, whatever their order.
func (r reviewed) room() int64 {
	room := admission.Unlimited
	if r.old > 0 {
		room = min(room, r.current.Room)
	}
	if r.old < r.n {
		room = min(room, r.update.Room)
	}
	return room
}

// refuses takes the creations that admission refuses out of those that are sure,
// and answers for them after what else does.
func (r reviewed) refuses(sure int, call func(int) error) (int, func(int) error) {
	if r.room() >= int64(r.n) {
		return sure, call
	}
	return min(sure, int(r.room())), func(i int) error {
		if err := call(i); err != nil {
			return err
		}
		if v := r.of(i); int64(i) >= v.Room {
			return errors.New(v.Refusal.Message)
		}
		return nil
	}
}

// admissionDoubts lists why it is not known whether the creations are accepted,
// or refused, as predicted.
func (s *scaling) admissionDoubts(r reviewed) []string {
	if s.Given.Refuse != nil || s.terminatingNamespace() != nil {
		return nil
	}
	var doubts []string
	for _, call := range []int{0, r.n - 1} { // one of each template
		for _, why := range r.of(call).Doubted(int64(r.n)) {
			if !slices.Contains(doubts, why) {
				doubts = append(doubts, why)
			}
		}
	}
	if room := r.room(); 0 < r.old && r.old < r.n && room < int64(r.n) {
		doubts = append(doubts, "Pods of two revisions share what a quota leaves")
	}
	doubts = append(doubts, s.volumeDoubts()...)
	doubts = append(doubts, health.Doubts(s.Reader, health.Creator{Object: s.Set, Pods: s.Set.Controlled(s.Reader), Events: s.Set.EventsNeed()})...)
	return append(doubts, s.unread()...)
}

// unread lists what is not known because quotas or LimitRanges could not be read.
func (s *scaling) unread() []string {
	return admission.Unread(s.Reader, admission.Quotas(s.Set.GetNamespace()), admission.LimitRanges(s.Set.GetNamespace()))
}

// volumeDoubts are those about the volume claims, which are created before their
// pods: what bounds them is not modelled.
func (s *scaling) volumeDoubts() []string {
	if len(s.Set.Spec.VolumeClaimTemplates) == 0 {
		return nil
	}
	var doubts []string
	ns := admission.Read(s.Reader, s.Set.GetNamespace())
	for _, q := range ns.Quotas {
		if boundsVolumes(q.Spec.Hard) || boundsVolumes(q.Status.Hard) {
			doubts = append(doubts, fmt.Sprintf("resource quota %s bounds volume claims, which is not modelled", q.Name))
		}
	}
	for _, l := range ns.LimitRanges {
		if admission.BoundsClaims(l) {
			doubts = append(doubts, fmt.Sprintf("limit range %s bounds volume claims, which is not modelled", l.Name))
		}
	}
	return doubts
}

// boundsVolumes reports whether any resource is of volume claims, of some storage
// class or of all (pkg/quota/v1/evaluator/core/persistent_volume_claims.go, v1.37.1).
func boundsVolumes(hard corev1.ResourceList) bool {
	for name := range hard {
		if strings.HasSuffix(string(name), string(corev1.ResourcePersistentVolumeClaims)) || strings.HasSuffix(string(name), string(corev1.ResourceRequestsStorage)) {
			return true
		}
	}
	return false
}

// terminatingNamespace is what the API server answers to creations in a namespace
// that is being deleted, nil in any other.
func (s *scaling) terminatingNamespace() error {
	if s.Given.Refuse != nil {
		return nil
	}
	ns := admission.Terminating(s.Reader, s.Set.GetNamespace())
	if ns == nil {
		return nil
	}
	return fmt.Errorf("unable to create new content in namespace %s because it is being terminated", ns.Name)
}
