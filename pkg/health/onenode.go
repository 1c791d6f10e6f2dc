package health

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// ofNodes are the classes of causes that may lie with the node of a Pod.
var ofNodes = []Class{CrashLoop, Failing, ImageRefused, ImageTransient}

// onOneNode says of Pods that fail alike that all are on one node, where no other Pod of their
// revision is available and others are on other nodes. causes are those of the failing Pods, in
// their order; pods are all.
func onOneNode(causes []decision.Cause, failing, pods []*corev1.Pod, o *Options) {
	alike := map[string][]int{}
	for i := range causes {
		if c := &causes[i]; slices.Contains(ofNodes, Class(c.Class)) && !c.Root {
			alike[c.Label] = append(alike[c.Label], i)
		}
	}
	for _, of := range alike {
		p, together := failing[of[0]], 0
		for _, i := range of {
			if failing[i].Spec.NodeName == p.Spec.NodeName && sameRevision(failing[i], p) {
				together++
			}
		}
		if together < max(len(of), 2) {
			continue
		}
		nodes := servedOn(pods, p, o)
		if len(nodes) == 0 || slices.Contains(nodes, p.Spec.NodeName) {
			continue
		}
		why := fmt.Sprintf("all %d such Pods are on %s, others are available on %s", len(of), p.Spec.NodeName, format.Some(nodes[:min(len(nodes), fewNodes)], len(nodes)))
		for _, i := range of {
			causes[i].On(p.Spec.NodeName, why)
		}
	}
}

// servedOn are the nodes with an available Pod of the revision of a Pod, sorted.
func servedOn(pods []*corev1.Pod, p *corev1.Pod, o *Options) (nodes []string) {
	for _, other := range pods {
		if sameRevision(other, p) && o.available(other) {
			nodes = with(nodes, other.Spec.NodeName)
		}
	}
	return nodes
}

// sameRevision reports whether two Pods of a target have the same owner, and are of the same
// ControllerRevision where that has some.
func sameRevision(a, b *corev1.Pod) bool {
	const key = appsv1.ControllerRevisionHashLabelKey
	return a.Labels[key] == b.Labels[key] && len(a.OwnerReferences) == len(b.OwnerReferences) && (len(a.OwnerReferences) == 0 || a.OwnerReferences[0].UID == b.OwnerReferences[0].UID)
}
