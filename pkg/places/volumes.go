package places

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// HostsOf are the nodes on which alone a volume can be used, by their hostname; none where
// something else decides as well.
func HostsOf(pv *corev1.PersistentVolume) (hosts []string) {
	if pv.Spec.NodeAffinity == nil || pv.Spec.NodeAffinity.Required == nil {
		return nil
	}
	for _, term := range pv.Spec.NodeAffinity.Required.NodeSelectorTerms {
		i := slices.IndexFunc(term.MatchExpressions, func(e corev1.NodeSelectorRequirement) bool {
			return e.Key == corev1.LabelHostname && e.Operator == corev1.NodeSelectorOpIn
		})
		if i < 0 {
			return nil
		}
		hosts = append(hosts, term.MatchExpressions[i].Values...)
	}
	return hosts
}

// Hosting are those of some nodes that have one of the hostnames.
//
//go:noinline
func Hosting(nodes []*corev1.Node, hosts []string) (some []*corev1.Node) {
	for _, n := range nodes {
		if slices.Contains(hosts, n.Labels[corev1.LabelHostname]) {
			some = append(some, n)
		}
	}
	return some
}
