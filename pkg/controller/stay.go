package controller

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// stay says of a scale-down which Pods it keeps, and on which nodes. Of those that keep
// some and delete others, it reads the zones from the labels of the nodes.
func stay(d *decision.Decision, r *view.Reader) {
	if !scaledDown(d) || r.Provisional() {
		return
	}
	s := d.Staying()
	d.KeepsAt(s)
	if s == nil || d.Summary.Total.Certain.PodsDeleted+d.Summary.Total.Possible.PodsDeleted == 0 || d.Replicas == nil {
		return
	}
	s.Others = max(0, d.Replicas.Current-s.Among)
	zones := map[string]string{}
	for _, n := range r.Metadata(view.Need{Kind: view.Nodes, IfMissing: "the zones of Pods are not known", Explains: true, Extra: true}) {
		labels := n.GetLabels()
		zones[n.GetName()] = cmp.Or(labels[corev1.LabelTopologyZone], labels[corev1.LabelFailureDomainBetaZone])
	}
	if s.Pods > 0 { // a snapshot reads the zones in any case: other plans of it may keep Pods
		s.In(zones, d.Replicas.Current)
	}
}
