package cloneset

import (
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// truncate mirrors truncatePodsToDelete and truncateHistory
// (cloneset_controller.go, v1.9.1), the last writes of a sync.
func (s *sync) truncate() {
	s.truncatePodsToDelete()
	dead, limit := s.Revisions.Dead(s.Pods), s.historyLimit()
	if s.historyPanics(len(dead) - limit) {
		return
	}
	for _, r := range dead[:max(0, min(len(dead)-limit, len(dead)))] {
		ref := r.Ref(s.Set.GetNamespace())
		write, err := s.Send(reconcile.Once(kruise.Deletion(view.ControllerRevisions, ref)))
		if err != nil {
			return // which is only logged
		}
		s.Does(reconcile.Action(decision.Delete, ref, decision.Ruled(rules.HistoryTruncated,
			decision.At(rules.KeyLimit, limit, s.Set.Ref.String()+" spec.revisionHistoryLimit"), decision.F(rules.KeyUnused, len(dead)))), write)
	}
}

func (s *sync) historyLimit() int {
	if l := s.Set.Spec.RevisionHistoryLimit; l != nil {
		return int(*l)
	}
	return 10
}

// historyPanics: a negative limit asks for n revisions, more than are unused.
// Upstream cuts them from a list with room for all revisions: beyond that it
// panics, and within it deletes all unused ones and logs the error of the next.
func (s *sync) historyPanics(n int) bool {
	room := s.Revisions.Listed()
	if n <= room || s.Revisions.Unread {
		return false
	}
	s.Outcome.Panics(fmt.Errorf("panic: runtime error: slice bounds out of range [:%d] with capacity %d [recovered]", n, room))
	s.Limit(rules.HistoryPanics, decision.At(rules.KeyLimit, s.historyLimit(), s.Set.Ref.String()+" spec.revisionHistoryLimit"),
		decision.F(rules.KeyCut, n), decision.F(rules.KeyRevisions, room), decision.F(rules.KeyRecovers, s.Behaviour.Recovers))
	return true
}

func (s *sync) truncatePodsToDelete() {
	gone := slices.DeleteFunc(slices.Clone(s.Set.Spec.ScaleStrategy.PodsToDelete), func(name string) bool { return s.Pod(name) != nil })
	if len(gone) > 0 {
		s.Limit(rules.PodsToDeleteTruncated, decision.F(rules.KeyGone, format.List(gone)), decision.F(rules.KeyLater, s.Decision.Status.Writes))
		s.Log.Add(s.ToSet(false, func(now metav1.Object) metav1.Object { return withoutNames(now, gone) }))
	}
}

// withoutNames is the set without some names in podsToDelete.
func withoutNames(now metav1.Object, gone []string) metav1.Object {
	set, ok := view.Copy(now).(*unstructured.Unstructured)
	if !ok {
		return now
	}
	path := []string{"spec", "scaleStrategy", "podsToDelete"}
	names, _, err := unstructured.NestedStringSlice(set.Object, path...)
	left := slices.DeleteFunc(names, func(name string) bool { return slices.Contains(gone, name) })
	if err != nil || unstructured.SetNestedStringSlice(set.Object, left, path...) != nil {
		return now
	}
	set.SetGeneration(set.GetGeneration() + 1)
	return set
}
