package statefulset

import (
	"errors"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// roll deletes Pods of other revisions than the update revision, as the strategy says
// (the end of updateStatefulSet, stateful_set_control.go, v1.37.1).
func (s *reconcile) roll() error {
	switch {
	case s.onDelete(), s.isRecreate() && s.behaviour.knowsRecreate:
		return nil
	case s.behaviour.maxUnavailable:
		return s.rollMany()
	}
	return s.rollOne()
}

// noteOnDelete says that nothing replaces Pods of other revisions.
func (s *reconcile) noteOnDelete() {
	if all := s.outdated(); len(all) > 0 {
		s.reason(OnDeleteKeeps, decision.F(keyNames, someOf(all, format.Most)), decision.F(keyPods, len(all)), decision.F(keyRevision, s.history.update.Name))
	}
}

// someOf names the first Pods of several.
func someOf(all []*pod, first int) string {
	var names []string
	for _, p := range all[:min(first, len(all))] {
		names = append(names, p.Name)
	}
	return format.Some(names, len(all))
}

// rollOne deletes the highest Pod of another revision, unless one above it is not
// available.
func (s *reconcile) rollOne() error {
	for _, p := range slices.Backward(s.targets()) {
		if s.old(p) && !p.terminating() {
			if err := s.replace(p, DeleteForUpdate); !errors.Is(err, cluster.ErrNotFound) {
				return err
			}
			return nil
		}
		if p.wanting(s.behaviour) {
			if s.behind(p) {
				s.wait(WaitUpdated, p)
			}
			return nil
		}
	}
	return nil
}

// notePartition says that Pods below the partition keep another revision, also while others are
// updated.
func (s *reconcile) notePartition() {
	if s.err != nil || !s.gate.Open || s.history.update == nil || s.onDelete() || s.isRecreate() && s.behaviour.knowsRecreate {
		return
	}
	n := 0
	for _, p := range s.outdated() {
		if p.ordinal-s.first() < partition(s.set) {
			n++
		}
	}
	if n > 0 {
		s.reason(PartitionKeeps, decision.F(keyPods, n),
			decision.At(keyPartition, partition(s.set), "spec.updateStrategy.rollingUpdate.partition"), decision.F(keyRevision, s.history.update.Name))
	}
}

// replace deletes a Pod so that one of the update revision takes its place. A Pod
// that is not found is no error of the update, in any release.
func (s *reconcile) replace(p *pod, rule string) error {
	s.doubtful = s.doubtful || s.mayBeUpdated(p)
	err := s.delete(p, decision.Ruled(rule, decision.F(keyOrdinal, p.ordinal), decision.F(keyRevision, p.revision),
		decision.F(keyUpdate, s.history.update.Name), decision.At(keyPartition, partition(s.set), "spec.updateStrategy.rollingUpdate.partition")))
	if err == nil || errors.Is(err, cluster.ErrNotFound) {
		s.deleted++
	}
	return err
}

// maxUnavailable mirrors getStatefulSetMaxUnavailable (stateful_set_utils.go, v1.37.1).
func maxUnavailable(set *appsv1.StatefulSet) int {
	u := set.Spec.UpdateStrategy.RollingUpdate
	if u == nil || u.MaxUnavailable == nil {
		return 1
	}
	n, err := intstr.GetScaledValueFromIntOrPercent(u.MaxUnavailable, int(*set.Spec.Replicas), false)
	if err != nil {
		return 1 // load refuses it
	}
	return max(n, 1)
}

// rollMany mirrors updateStatefulSetAfterInvariantEstablished (stateful_set_control.go,
// v1.37.1): Pods are deleted as long as no more than maxUnavailable are unavailable.
func (s *reconcile) rollMany() error {
	most, unavailable, broken := maxUnavailable(s.set), 0, 0
	for _, p := range s.replicas {
		if !p.wanting(s.behaviour) {
			continue
		}
		unavailable++
		if s.behaviour.brokenFirst && !s.ordered() && s.old(p) && !p.terminating() {
			broken++
		}
	}
	sums := decision.Derived(keyToDelete, max(most-unavailable, 0), "maxUnavailable − unavailablePods",
		decision.At(decision.KeyMaxUnavailable, most, "spec.updateStrategy.rollingUpdate.maxUnavailable"), decision.F(keyUnavailable, unavailable))
	s.out.Counting(sums)
	if unavailable >= most && broken == 0 {
		s.noteBudget(sums)
		return nil
	}
	if s.behaviour.brokenFirst && !s.ordered() {
		return s.rollParallel(most - unavailable)
	}
	return s.deleteOld(most-unavailable, func(p *pod) bool { return !p.terminating() }, DeleteForUpdate)
}

// noteBudget says that the Pods which are not available hold the update up.
func (s *reconcile) noteBudget(sums decision.Fact) {
	waiting := slices.ContainsFunc(s.targets(), func(p *pod) bool { return s.old(p) && !p.terminating() })
	if !waiting {
		return
	}
	for _, p := range s.replicas {
		if p.wanting(s.behaviour) {
			s.holdUp(UnavailableUsedUp, p)
		}
	}
	s.hold(UnavailableUsedUp, s.ref, sums)
}

// rollParallel deletes Pods of other revisions that are not available, all of them, and
// then as many others as the budget lets.
func (s *reconcile) rollParallel(budget int) error {
	broken := func(p *pod) bool { return !p.available && !p.terminating() }
	if err := s.deleteOld(len(s.replicas), broken, DeleteBroken); err != nil {
		return err
	}
	return s.deleteOld(budget, func(p *pod) bool { return p.available && !p.terminating() }, DeleteForUpdate)
}

// deleteOld deletes up to n Pods of other revisions, the highest first.
func (s *reconcile) deleteOld(n int, which func(*pod) bool, rule string) error {
	for _, p := range slices.Backward(s.targets()) {
		if n <= 0 {
			return nil
		}
		if !s.old(p) || !which(p) {
			continue
		}
		if err := s.replace(p, rule); err != nil && !errors.Is(err, cluster.ErrNotFound) {
			return err
		}
		n--
	}
	return nil
}

// recreate mirrors recreateDeleteAndWait (same file): all Pods of other revisions are
// deleted, and all have to be gone before any is created.
func (s *reconcile) recreate() (done bool, err error) {
	all, waiting := slices.Concat(s.replicas, s.condemned), false
	_, err = s.batches(len(all), func(i int) (bool, error) {
		p := all[i]
		if !p.created || !s.old(p) {
			return false, nil
		}
		waiting = true
		if p.terminating() {
			s.wait(WaitGone, p)
			return false, nil
		}
		s.doubtful = s.doubtful || s.mayBeUpdated(p)
		by := s.history.update.Name
		if s.beyond(p.ordinal) {
			by = ""
		}
		err := s.delete(p, decision.Ruled(DeleteForRecreate, decision.F(keyOrdinal, p.ordinal), decision.F(keyRevision, p.revision), decision.F(keyUpdate, by)))
		return false, err
	})
	switch {
	case err != nil:
		return false, err
	case waiting:
		s.status.setProgressing(true, "RecreateInProgress", "Deleting old revision pods")
	case s.history.current.Name != s.history.update.Name:
		s.status.setProgressing(true, "RecreateInProgress", "Waiting for new-revision pods to be created")
	}
	return !waiting, nil
}
