package statefulset

import (
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// finish completes the decision with what the sync comes to.
func (s *reconcile) finish() {
	later := s.updatedLater()
	s.noteUpdates(later)
	s.notePartition()
	s.out = s.concluded()
	s.out.Summarize()
	next := s.nextSync()
	next.MayFail = len(s.admits.doubts) > 0
	s.out.Look(next)
	s.holdDeletions()
	s.place()
	for range later {
		s.out.RecreateLater(0)
	}
	s.evidence()
	s.caveats()
}

// place notes of a scale-down where the Pods are that count towards spec.replicas.
func (s *reconcile) place() {
	if len(s.condemned) == 0 {
		return
	}
	for _, p := range slices.Concat(s.replicas, s.condemned) {
		if p.created && !p.terminating() {
			s.out.Place(p.Name, p.Spec.NodeName)
		}
	}
}

// holdDeletions says of the Pods beyond the ordinals that this sync leaves what they wait
// for: without any change, a later sync deletes them.
func (s *reconcile) holdDeletions() {
	until, deleted := "a sync succeeds", map[string]bool{}
	if len(s.held) > 0 {
		until = s.held[0].until()
	}
	for _, a := range s.out.Actions {
		if a.Verb == decision.Delete && a.Object.Kind == view.Pods.Kind {
			deleted[a.Object.Name], until = true, a.Object.Name+" is gone"
		}
	}
	first, last := int64(s.first()), int64(s.lastOrdinal())
	for _, p := range s.condemned {
		if deleted[p.Name] {
			continue
		}
		if p.terminating() {
			if s.ordered() {
				until = p.Name + " is gone"
			}
			continue
		}
		claims := s.volumes.collected(p)
		s.out.HoldDeletion(p.Name, beyond(int64(p.ordinal), first, last, int64(*s.set.Spec.Replicas))+", once "+until+alsoDeleted(namesOf(claims)))
		s.out.DeleteLater(len(claims))
		if s.ordered() {
			until = p.Name + " is gone"
		}
	}
}

// updatedLater are the Pods that a sync which deletes or creates Pods, or waits for one in
// time, leaves for later ones to update, the highest first.
func (s *reconcile) updatedLater() (later []*pod) {
	if s.err != nil || s.onDelete() || !slices.ContainsFunc(s.out.Actions, replacing) && !s.waitsInTime() {
		return nil
	}
	for _, p := range slices.Backward(s.outdated()) {
		if !s.gone[p.Name] && p.ordinal-s.first() >= partition(s.set) {
			later = append(later, p)
		}
	}
	return later
}

// waitsInTime reports whether the sync waits for Pods alone that become available, or are
// gone, by themselves, as far as their status tells.
func (s *reconcile) waitsInTime() bool {
	return len(s.held) > 0 && !slices.ContainsFunc(s.held, func(h held) bool {
		c, lacking := health.Pod(h.pod.Pod, nil, s.options())
		return lacking && (c.Blocked || !health.Passes(c) && health.Class(c.Class) != health.Deletion)
	})
}

// replacing reports whether an action changes which Pods there are.
func replacing(a decision.Action) bool {
	return a.Object.Kind == view.Pods.Kind && (a.Verb == decision.Delete || a.Verb == decision.Create)
}

// noteUpdates says which Pods later syncs update.
func (s *reconcile) noteUpdates(later []*pod) {
	if len(later) == 0 {
		return
	}
	atMost := 1
	if s.behaviour.maxUnavailable {
		atMost = maxUnavailable(s.set)
	}
	s.reason(UpdateLater, decision.F(keyNames, someOf(later, most)), decision.F(keyPods, len(later)),
		decision.At(decision.KeyMaxUnavailable, atMost, "spec.updateStrategy.rollingUpdate.maxUnavailable"))
}

// concluded is the decision with all that the sync came to.
func (s *reconcile) concluded() *decision.Decision {
	d := s.out
	return &decision.Decision{
		Target: d.Target, AsOf: d.AsOf, Modelled: d.Modelled, Owners: d.Owners, Evidence: d.Evidence, Reasons: d.Reasons,
		Gate: s.gate, Actions: d.Actions, Claims: d.Claims, Claiming: d.Claiming, Count: s.counts(d.Count.Of),
		Expectations: decision.Expectations{Basis: d.Expectations.Basis, ReadBack: s.readBack()},
		Status:       s.status.shown(), Revisions: s.history.shown(s.claims.carried()),
	}
}

// nextSync says what brings the StatefulSet back into the queue (processNextWorkItem and
// the end of syncStatefulSet, stateful_set.go, v1.37.1).
func (s *reconcile) nextSync() decision.Next {
	if s.err != nil {
		next := decision.Next{Ruling: decision.Ruled(RetryWithBackoff, decision.F(keyError, s.err.Error())), Requeue: decision.RequeueFailed}
		if s.gate.Rule == WritesNotRead {
			next.Requeue = decision.RequeueNotReadBack
		}
		return next
	}
	if after := s.untilAvailable(); after > 0 {
		return decision.Next{After: after, Ruling: decision.Ruled(AvailabilityCheck,
			decision.F(keyAfter, after.String()), decision.F(keyAtMost, !s.behaviour.precise), decision.F(keyAt, format.Instant(s.now.Add(after))),
			decision.At(keyMinReadySeconds, s.set.Spec.MinReadySeconds, "spec.minReadySeconds"))}
	}
	return decision.Next{Ruling: decision.Ruled(NextOnEvent)}
}

// untilAvailable is after how long the key is queued by itself, 0 for not.
func (s *reconcile) untilAvailable() time.Duration {
	wait := time.Duration(s.set.Spec.MinReadySeconds) * time.Second
	if s.status.next == nil {
		return 0
	}
	if !s.behaviour.precise {
		if s.status.next.AvailableReplicas != *s.set.Spec.Replicas {
			return wait
		}
		return 0
	}
	if s.status.next.ReadyReplicas == s.status.next.AvailableReplicas {
		return 0
	}
	return s.firstAvailable(wait)
}

// firstAvailable is when the first of the ready Pods becomes available
// (FindMinNextPodAvailabilityCheck, pkg/controller/controller_utils.go, v1.37.1).
func (s *reconcile) firstAvailable(wait time.Duration) time.Duration {
	first := time.Duration(0)
	for _, p := range s.claims.pods {
		ready, since := view.Readiness(p)
		if !ready {
			continue
		}
		if d := since.Add(wait).Sub(s.now); d > 0 && (first == 0 || d < first) {
			first = d
		}
	}
	if first == 0 {
		return wait
	}
	return first
}

// counts is the arithmetic that the sync starts from, with what it came to.
func (s *reconcile) counts(of decision.Facts) decision.Fact {
	active, terminating := 0, 0
	for _, p := range s.claims.pods {
		switch {
		case p.DeletionTimestamp != nil:
			terminating++
		case !view.Ended(p):
			active++
		}
	}
	want := int(*s.set.Spec.Replicas)
	return decision.Derived(decision.KeyDiff, active-want, "active − spec.replicas", append(decision.Facts{
		decision.F(decision.KeyActive, active), decision.At(decision.KeySpecReplicas, want, s.ref.String()+" spec.replicas"),
		decision.F(decision.KeyTerminating, terminating)}, of...)...)
}

// evidence collects what the surroundings say about why the controller has not acted.
func (s *reconcile) evidence() {
	s.refusals()
	if s.set.Generation > s.set.Status.ObservedGeneration && !s.r.Hypothetical() {
		s.hold(SpecNotObserved, s.ref, decision.At(keyGeneration, s.set.Generation, "metadata.generation"),
			decision.At(keyObserved, s.set.Status.ObservedGeneration, "status.observedGeneration"))
	}
}

// ownerNames lists who own a claim.
func ownerNames(refs []metav1.OwnerReference) string {
	if len(refs) == 0 {
		return "nothing"
	}
	var names []string
	for _, ref := range refs {
		names = append(names, strings.ToLower(ref.Kind)+"/"+ref.Name)
	}
	return format.Some(names, len(names))
}

// retention is a policy of claims as text; files may lack the default.
func retention(p *appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy, deleted bool) string {
	switch {
	case p == nil:
		return string(appsv1.RetainPersistentVolumeClaimRetentionPolicyType)
	case deleted:
		return string(p.WhenDeleted)
	}
	return string(p.WhenScaled)
}

// way says which way the sync goes, or where it ends.
func (s *reconcile) way(rule string, facts ...decision.Fact) {
	open := rule == OneByOne || rule == AllAtOnce
	s.gate = decision.Gate{Open: open, Basis: "computed", Ruling: decision.Ruled(rule, facts...)}
}
