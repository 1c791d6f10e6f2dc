package statefulset

import (
	appsv1 "k8s.io/api/apps/v1"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// strategy says in which order the sync looks at Pods.
func (s *reconcile) strategy() {
	policy := decision.At(keyPolicy, string(s.set.Spec.PodManagementPolicy), "spec.podManagementPolicy")
	switch {
	case s.set.DeletionTimestamp != nil:
		s.way(SetDeleting, decision.At(keyDeletionTimestamp, format.Instant(s.set.DeletionTimestamp.Time), "metadata.deletionTimestamp"))
	case s.ordered():
		s.way(OneByOne, policy)
	default:
		s.way(AllAtOnce, policy)
	}
}

// recreateStrategy is the strategy of 1.37 that replaces all Pods at once.
const recreateStrategy = appsv1.StatefulSetUpdateStrategyType("Recreate")

// update mirrors updateStatefulSet (stateful_set_control.go, v1.37.1), up to the status
// that it comes to.
func (s *reconcile) update() error {
	pods, all := make([]pod, len(s.claims.pods)), make([]*pod, len(s.claims.pods))
	for i, p := range s.claims.pods {
		pods[i] = s.podOf(p, ordinalOf(p.Name))
		all[i] = &pods[i]
	}
	s.claims.countRevisions(pods)
	s.status.begin()
	s.status.count(all)
	if s.set.DeletionTimestamp != nil {
		return nil
	}
	s.arrange(all)
	err := s.process()
	s.status.count(s.replicas, s.condemned)
	s.status.next.CurrentReplicas -= int32(s.deleted)
	return err
}

// mostMissing bounds the Pods that are created in one sync here; the controller has no
// bound.
const mostMissing = 20_000

// tooMany is the error of a set of which too many Pods are missing to be looked at.
func (s *reconcile) tooMany() error {
	n := int(*s.set.Spec.Replicas) - len(s.claims.pods)
	if s.endsAtMissing() || s.set.DeletionTimestamp != nil || n <= mostMissing {
		return nil
	}
	why := "podManagementPolicy Parallel"
	if s.ordered() {
		why = "updateStrategy Recreate"
	}
	return undecidable(s.ref, "spec.replicas is %d, and with %s one sync looks at each of the %d Pods that are missing: at most %d are looked at", *s.set.Spec.Replicas, why, n, mostMissing)
}

// process goes through the Pods: those of the ordinals, those beyond them, and those
// that are to be updated.
func (s *reconcile) process() error {
	if s.onDelete() {
		s.noteOnDelete()
	}
	if s.isRecreate() && s.behaviour.knowsRecreate {
		if done, err := s.recreate(); !done || err != nil {
			return err
		}
	}
	if ends, err := s.each(len(s.replicas), s.processReplica); ends || err != nil {
		return err
	}
	if s.behaviour.retention {
		if ends, err := s.each(len(s.condemned), s.keepClaims); ends || err != nil {
			return err
		}
	}
	unavailable := s.firstUnavailable()
	condemn := func(i int) (bool, error) { return s.processCondemned(s.condemned[i], unavailable) }
	if ends, err := s.each(len(s.condemned), condemn); ends || err != nil {
		return err
	}
	return s.roll()
}

// mostAtOnce is MaxBatchSize (stateful_set_control.go, v1.37.1).
const mostAtOnce = 500

// each mirrors runForAll and slowStartBatch (same file): one Pod after the other until
// one ends the sync, or all in batches that double until one of a batch fails.
func (s *reconcile) each(n int, process func(int) (bool, error)) (ends bool, err error) {
	if s.ordered() {
		for i := range n {
			if ends, err := process(i); ends || err != nil {
				return true, err
			}
		}
		return false, nil
	}
	return s.batches(n, process)
}

func (s *reconcile) batches(n int, process func(int) (bool, error)) (bool, error) {
	done := 0
	for size := min(n, 1); size > 0; size = min(2*size, n-done, mostAtOnce) {
		var errs []error
		for range size {
			if _, err := process(done); err != nil {
				errs = append(errs, err)
			}
			done++
		}
		if len(errs) > 0 {
			return true, utilerrors.NewAggregate(errs)
		}
	}
	return false, nil
}

// wait notes that the sync is held up by a Pod.
func (s *reconcile) wait(rule string, p *pod, facts ...decision.Fact) {
	s.holdUp(rule, p)
	s.hold(rule, p.ref(), append(facts, decision.F(keyPod, p.Name))...)
}

func (s *reconcile) holdUp(rule string, p *pod) { s.held = append(s.held, held{p, rule}) }

// reason puts on record why Pods keep their revision.
func (s *reconcile) reason(rule string, facts ...decision.Fact) {
	s.out.Reason(decision.Ruled(rule, facts...))
}

// hold puts on record why something is not done.
func (s *reconcile) hold(rule string, about decision.Ref, facts ...decision.Fact) {
	s.out.Find(decision.Evidence{Source: about, Ruling: decision.Ruled(rule, facts...)})
}
