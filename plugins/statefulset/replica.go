package statefulset

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/statefulset/volume"
)

// processReplica mirrors its namesake (stateful_set_control.go, v1.37.1). It reports
// whether the sync ends with this Pod.
func (s *reconcile) processReplica(i int) (ends bool, err error) {
	p := s.replicas[i]
	if view.Ended(p.Pod) {
		if p.terminating() {
			s.wait(WaitGone, p)
			return true, nil
		}
		return true, s.delete(p, decision.Ruled(DeleteFinished, decision.At(keyPhase, string(p.Status.Phase), "status.phase"), decision.At(keyReason, p.Status.Reason, "status.reason")))
	}
	if !p.created {
		if stale := s.volumes.staleClaim(p); stale != nil {
			s.hold(StaleClaim, claimRef(stale), decision.F(keyPod, p.Name))
			s.holdUp(StaleClaim, p)
			return true, nil
		}
		if err := s.create(p); err != nil || s.ordered() {
			return true, err
		}
	}
	if p.Status.Phase == corev1.PodPending {
		if err := s.createMissingClaims(p); err != nil {
			return true, err
		}
	}
	if s.ordered() && s.waits(p) {
		return true, nil
	}
	s.noteGone(p)
	return s.conform(p)
}

// waits reports whether the sync waits for a Pod before it looks at the next.
func (s *reconcile) waits(p *pod) bool {
	switch {
	case p.terminating():
		s.wait(WaitGone, p)
	case !p.ready:
		s.wait(WaitReady, p)
	case !p.available:
		s.wait(WaitAvailable, p, decision.At(keyMinReadySeconds, s.set.Spec.MinReadySeconds, "spec.minReadySeconds"))
	default:
		return false
	}
	return true
}

// noteGone says of the first Pod that is being deleted what it keeps from happening, where
// nothing else waits for it.
func (s *reconcile) noteGone(p *pod) {
	if p.terminating() && !slices.ContainsFunc(s.out.Evidence, func(e decision.Evidence) bool { return e.Rule == WaitGone }) {
		s.hold(WaitGone, p.ref(), decision.F(keyPod, p.Name))
	}
}

// conform restores what makes the Pod the one of its ordinal.
func (s *reconcile) conform(p *pod) (bool, error) {
	if identified(p.Pod) && volume.Matches(s.set, p.Pod, p.ordinal) && s.claimsKept(p) {
		return false, nil
	}
	err := s.updatePod(p)
	return err != nil, err
}

// updatePod mirrors UpdateStatefulPod (stateful_pod_control.go, v1.37.1). A conflict is
// tried again with the Pod that the cache has under the Pod's new name; where it has none,
// with the one that was changed, which needs nothing any more.
func (s *reconcile) updatePod(p *pod) error {
	next := p.DeepCopy()
	return onConflict(backoffSteps, func() error {
		changed, rule := false, PodWrittenUnchanged
		why := decision.Facts{}
		if !identified(next) {
			s.behaviour.identify(s.set, next, p.ordinal)
			changed, rule, why = true, PodConforms, append(why, decision.At(keyWhat, "its name label", "metadata.labels"))
		}
		if !volume.Matches(s.set, next, p.ordinal) {
			next.Spec.Volumes = volume.Volumes(s.set, next.Spec.Volumes, p.ordinal)
			changed, rule, why = true, PodConforms, append(why, decision.At(keyWhat, "its volumes", "spec.volumes"))
			if err := s.createClaims(p); err != nil {
				return err
			}
		}
		named := *p // which owners of claims are its own goes by its new name
		named.Pod = next
		if !s.claimsKept(&named) {
			if err := s.ownClaims(&named); err != nil {
				return err
			}
			changed, why = true, append(why, decision.At(keyWhat, "the owners of its claims", "spec.persistentVolumeClaimRetentionPolicy"))
		}
		if !changed {
			return nil
		}
		err := s.server.send(object(cluster.Update, view.Pods, next))
		if err == nil {
			s.act(decision.Modify, p.ref(), decision.Ruled(rule, why...))
			return nil
		}
		if cached, found := s.podNamed(next.Name); found {
			next = cached.DeepCopy()
		}
		return err
	})
}

// create mirrors CreateStatefulPod (same file).
func (s *reconcile) create(p *pod) error {
	if err := s.createClaims(p); err != nil {
		return err
	}
	w := object(cluster.Create, view.Pods, p.Pod)
	w.Stored = func(metav1.Object) metav1.Object { return s.admitted(p.Pod) }
	err := s.server.send(w)
	if err == nil {
		s.do(decision.Action{Verb: decision.Create, Object: p.ref(), Into: p.revision, Ruling: s.creation(p)})
	}
	if errors.Is(err, cluster.ErrAlreadyExists) {
		s.hold(NameInUse, p.ref(), decision.F(keyPod, p.Name), decision.F(keyWhat, s.holder(p.Name)))
		return err
	}
	if s.behaviour.retention {
		if err := s.ownClaims(p); err != nil {
			return err
		}
	}
	return err
}

// holder says what the Pod is that has the name of one that can't be created.
func (s *reconcile) holder(name string) string {
	there, seen := s.podNamed(name)
	switch {
	case !seen: // the API server has it, and the informer has not
	case s.keeps(there):
		return "has no status.phase"
	case s.controls(there):
		return "is released"
	default:
		if ref := metav1.GetControllerOfNoCopy(there); ref != nil {
			return "belongs to " + decision.Ref{Kind: ref.Kind, Name: ref.Name}.String()
		}
	}
	return "is not its own"
}

// creation says why a Pod is created, and of which revision.
func (s *reconcile) creation(p *pod) decision.Ruling {
	rule, role := CreateOrdinal, "update"
	if s.history.update.Name != s.history.current.Name && s.keepsCurrent(p.ordinal) {
		role = "current"
	}
	if len(s.admits.doubts) > 0 {
		rule = CreateOrdinalIfAdmitted
	}
	var used []string
	for claim := range s.volumes.claimsOf(p) {
		if refs := claim.GetOwnerReferences(); !volume.SetOwner(s.set).Stale(refs) && !volume.PodOwner(p.Name, p.UID).Stale(refs) { // else the garbage collector deletes it, before or after
			used = append(used, claim.GetName())
		}
	}
	return decision.Ruled(rule, decision.F(keyOrdinal, p.ordinal), decision.F(keyRevision, p.revision), decision.F(keyRole, role), decision.F(keyDoubt, s.admits.doubt()),
		decision.F(keyClaims, strings.Join(used, ", ")))
}

// delete mirrors DeleteStatefulPod (same file). Until 1.35 a Pod that is not found is an
// error.
func (s *reconcile) delete(p *pod, why decision.Ruling) error {
	return s.deleteWith(p, why, nil)
}

// deleteWith deletes a Pod with the claims that the garbage collector deletes after it.
func (s *reconcile) deleteWith(p *pod, why decision.Ruling, claims []decision.Ref) error {
	err := s.server.send(object(cluster.Delete, view.Pods, p.Pod))
	if err == nil && s.gone.add(p.Name) {
		s.do(decision.Action{Verb: decision.Delete, Object: p.ref(), Collects: claims, Surplus: s.beyond(p.ordinal), Ruling: why})
	}
	if s.behaviour.missingIsDeleted && errors.Is(err, cluster.ErrNotFound) {
		return nil
	}
	return err
}

// processCondemned mirrors its namesake (stateful_set_control.go, v1.37.1). first is the
// first Pod that is not available.
func (s *reconcile) processCondemned(p, first *pod) (ends bool, err error) {
	switch {
	case p.terminating() && s.ordered():
		s.wait(WaitGoneBefore, p, decision.F(keyNext, s.deletedAfter(p)))
		return true, nil
	case p.terminating():
		return false, nil
	case s.ordered() && p != first && (!p.ready || !p.available):
		if first == nil { // until 1.33 one that is ready, and not available yet
			first = p
		}
		s.wait(WaitBeforeDelete, first, decision.F(keyNext, p.Name))
		return true, nil
	}
	claims := s.volumes.collected(p)
	err = s.deleteWith(p, decision.Ruled(DeleteBeyond, decision.F(keyOrdinal, p.ordinal), decision.F(keyFirst, s.first()), decision.F(keyLast, s.lastOrdinal()),
		decision.At(decision.KeySpecReplicas, *s.set.Spec.Replicas, fmt.Sprintf("%s spec.replicas", s.ref)), decision.F(keyClaims, namesOf(claims))), claims)
	if err == nil && s.ordered() {
		s.noteLater(p)
	}
	return true, err
}

// noteLater says which Pods beyond the ordinals are deleted after one, where they are one
// by one, and what else they wait for that is being deleted between them.
func (s *reconcile) noteLater(after *pod) {
	var names, claims []string
	before := ""
	for _, p := range s.condemned {
		switch {
		case p.ordinal >= after.ordinal:
		case p.terminating():
			before = " (once " + p.Name + " is gone)"
		default:
			names, before = append(names, p.Name+before), ""
			for _, claim := range s.volumes.collected(p) {
				claims = append(claims, claim.Name)
			}
		}
	}
	if n := len(names); n > 0 {
		s.hold(DeleteLater, after.ref(), decision.F(keyPod, after.Name), decision.F(keyNext, format.Some(names[:min(n, most)], n)),
			decision.F(keyClaims, format.Some(claims, len(claims))))
	}
}
