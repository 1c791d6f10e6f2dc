package admission

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// fewRivals is how many are named: each object of a list has others beside it.
const fewRivals = 10

// crowded doubts the room that a quota leaves where other objects of the same change or list
// create something as well. Their controllers act at the same time: who gets what is left is not
// deterministic.
func (ns Namespace) crowded(q *corev1.ResourceQuota, room int64, e evaluator) []Doubt {
	full, by := ns.counting(q, e, func(d view.Demand) bool { return d.Count > 0 })
	if len(by) == 0 {
		return nil
	}
	left, _ := check(full, full.Status.Hard, e)
	if left >= room {
		return nil
	}
	who := "other objects"
	if len(by) <= fewRivals {
		who = format.Some(by, len(by))
	}
	return []Doubt{{fmt.Sprintf("resourcequota/%s has no room for all that is created at the same time: %s may take it first", q.Name, who), left}}
}

// relieved is the room that a quota leaves once other objects of the same change have deleted
// what they do, with what else it then refuses, and the doubt whether that comes in time.
func (ns Namespace) relieved(q *corev1.ResourceQuota, room int64, refusal *Refusal, e evaluator) (int64, *Refusal, []Doubt) {
	less, by := ns.counting(q, e, func(d view.Demand) bool { return d.Count < 0 })
	if len(by) == 0 {
		return room, refusal, nil
	}
	left, after := check(less, less.Status.Hard, e)
	if left <= room {
		return room, refusal, nil
	}
	return left, after, []Doubt{{fmt.Sprintf("resourcequota/%s has room only once this change has deleted Pods of %s", q.Name, format.Some(by, len(by))), room}}
}

// counting is a quota that also counts what some of the demands come to, and whose they are.
func (ns Namespace) counting(q *corev1.ResourceQuota, e evaluator, which func(view.Demand) bool) (*corev1.ResourceQuota, []string) {
	more, by := corev1.ResourceList{}, []string(nil)
	for _, d := range ns.Demands {
		use := corev1.ResourceList(nil)
		if which(d) {
			use = e.demanded(ns, q, d)
		}
		if len(use) == 0 {
			continue
		}
		add(more, use)
		if !slices.Contains(by, d.By) {
			by = append(by, d.By)
		}
	}
	if len(by) == 0 {
		return q, nil
	}
	q = q.DeepCopy()
	for _, name := range sorted(q.Status.Used) {
		add(q.Status.Used, corev1.ResourceList{name: more[name]})
	}
	return q, by
}
