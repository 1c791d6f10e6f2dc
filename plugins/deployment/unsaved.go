package deployment

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// unsaved is a ReplicaSet that a Pod which the Deployment selects names as its controller,
// and that files lack: without it another one would seem to be missing.
func unsaved(r *view.Reader, t view.Target) *ownership.Unsaved {
	d, err := load(r, t)
	if err != nil {
		return nil // which is said where it is decided
	}
	selector, err := metav1.LabelSelectorAsSelector(d.Spec.Selector)
	if err != nil {
		return nil
	}
	for _, a := range ownership.AbsentControllers(r, view.ReplicaSets, view.Pods, t.Namespace) {
		for _, pod := range a.Objects {
			if selector.Matches(labels.Set(pod.GetLabels())) {
				return &ownership.Unsaved{Kind: view.ReplicaSets, Name: a.Ref.Name, By: ownership.RefTo(view.Pods, pod)}
			}
		}
	}
	return nil
}
