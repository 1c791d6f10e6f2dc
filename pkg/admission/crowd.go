package admission

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// crowded doubts the room that a quota leaves where other objects of the same change create
// something as well. Their controllers act at the same time: who gets what is left is not
// deterministic.
func (ns Namespace) crowded(q *corev1.ResourceQuota, room int64, e evaluator) []Doubt {
	demanded, by := corev1.ResourceList{}, []string(nil)
	for _, d := range ns.Demands {
		use := e.demanded(ns, q, d)
		if len(use) == 0 {
			continue
		}
		add(demanded, use)
		if !slices.Contains(by, d.By) {
			by = append(by, d.By)
		}
	}
	if len(by) == 0 {
		return nil
	}
	full := q.DeepCopy()
	for _, name := range sorted(full.Status.Used) {
		add(full.Status.Used, corev1.ResourceList{name: demanded[name]})
	}
	left, _ := check(full, full.Status.Hard, e)
	if left >= room {
		return nil
	}
	return []Doubt{{fmt.Sprintf("resourcequota/%s has no room for all that this change creates: %s may take it first", q.Name, format.Some(by, len(by))), left}}
}
