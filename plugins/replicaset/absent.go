package replicaset

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// lacking names absent siblings, and says that the input lacks them.
func (t *target) lacking(absent []ownership.Absent) decision.Fact {
	var names []string
	for _, a := range absent[:min(len(absent), format.Most)] {
		names = append(names, a.Ref.String())
		t.r.Lack(view.Need{Kind: t.set.kind, Namespace: t.set.Namespace, Name: a.Ref.Name,
			IfMissing: "whether its Pods count as related, and change the order, is not known"}, ownership.RefTo(view.Pods, a.Objects[0]).String())
	}
	return decision.F(keyAbsent, format.Some(names, len(absent)))
}

// podsOf are the Pods that absent siblings select, each once: those that refer to
// them, and those that have all labels that these have in common.
func (t *target) podsOf(absent []ownership.Absent) []*corev1.Pod {
	seen := map[types.UID]bool{}
	var pods []*corev1.Pod
	add := func(pod *corev1.Pod) {
		if !seen[pod.UID] {
			seen[pod.UID] = true
			pods = append(pods, pod)
		}
	}
	for _, a := range absent {
		common := labels.Set(a.Objects[0].GetLabels())
		for _, o := range a.Objects {
			common = shared(common, o.GetLabels())
			need := t.podsNeed()
			need.Name = o.GetName()
			if pod, ok := view.Get[*corev1.Pod](t.r, need); ok {
				add(pod)
			}
		}
		if len(common) == 0 {
			continue
		}
		for _, pod := range view.List[*corev1.Pod](t.r, t.podsNeed(), labels.SelectorFromSet(common)) {
			add(pod)
		}
	}
	return pods
}

// shared are the labels that two sets have in common.
func shared(a, b labels.Set) labels.Set {
	out := labels.Set{}
	for key, value := range a {
		if other, ok := b[key]; ok && other == value {
			out[key] = value
		}
	}
	return out
}
