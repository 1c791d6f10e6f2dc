package replicaset

import (
	"errors"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
)

// predictedCreate answers creations from what can be seen: a terminating
// namespace refuses all of them, a quota those beyond its room, a LimitRange
// all or none.
func (s *sync) predictedCreate() func(int) error {
	if s.terminating() != nil {
		return func(int) error { return cluster.ErrNamespaceTerminating }
	}
	v := s.admission()
	if v.Refusal == nil {
		return nil
	}
	return func(call int) error {
		if int64(call) < v.Room {
			return nil
		}
		return errors.New(v.Refusal.Message)
	}
}

// admission is what the API server makes of the template's pods.
func (s *sync) admission() admission.Verdict {
	if s.admitted == nil {
		v := admission.Read(s.r, s.set.Namespace).Review(s.newPod(), admission.FeaturesOf(s.profile.Kubernetes))
		s.admitted = &v
	}
	return *s.admitted
}

func (t *target) newPod() *corev1.Pod {
	return cluster.PodOf(t.set.Namespace, t.set.Name+"-", &t.set.Spec.Template, t.set.reference())
}

// admissionDoubts lists why it is not known whether the creations are accepted,
// or refused, as predicted. What could not be read is among the caveats in any
// case; files are taken to hold all objects of the kinds that they hold none of.
func (s *sync) admissionDoubts(n int) []string {
	if s.given.API.Create != nil || s.terminating() != nil {
		return nil
	}
	by, doubts := s.refusedBeside()
	s.refusing = by
	doubts = append(doubts, s.admission().Doubted(int64(n))...)
	return append(doubts, admission.Unread(s.r, admission.Quotas(s.set.Namespace), admission.LimitRanges(s.set.Namespace))...)
}

// admissionEvidence names what refuses creations.
func (s *sync) admissionEvidence() {
	missing := int64(s.set.want() - len(s.claims.active))
	v := s.admission()
	if v.Refusal == nil || v.Room >= missing {
		return
	}
	about, message := s.set.ref, decision.F(keyMessage, v.Refusal.Message)
	if by := v.Refusal.By; by != nil {
		about = ownership.RefTo(v.Refusal.ByKind(), by)
	}
	switch short := v.Refusal.Short; v.Refusal.Reason {
	case admission.QuotaExceeded:
		s.found(about, decision.Ruled(QuotaShortfall,
			decision.F(keyResource, string(short.Resource)),
			decision.At(keyUsed, short.Used.String(), "status.used["+string(short.Resource)+"]"),
			decision.F(keyHard, short.Hard.String()), decision.F(keyEach, short.Each.String()),
			decision.F(keyRoom, v.Room), decision.F(keyMissing, missing)))
	case admission.RequestMissing:
		s.found(about, decision.Ruled(QuotaDemandsRequest, message))
	case admission.UsageNotCounted:
		s.found(about, decision.Ruled(QuotaNotCounted, message))
	case admission.OutsideRange:
		s.found(about, decision.Ruled(LimitRangeForbids, message))
	case admission.Invalid:
		s.found(about, decision.Ruled(PodInvalid, message))
	}
}
