package ownership

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Candidates are the objects of need that are worth a verdict: those that match the selector,
// and those that refer to the owner as their controller.
func Candidates[T metav1.Object](r *view.Reader, need view.Need, matching []T, selector labels.Selector, owner types.UID) []T {
	all := slices.Clip(matching)
	for _, m := range r.ControlledBy(need, owner) {
		if selector.Matches(labels.Set(m.GetLabels())) {
			continue
		}
		need.Name = m.GetName()
		if obj, ok := view.Get[T](r, need); ok {
			all = append(all, obj)
		}
	}
	return all
}
