package health

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// taintOf is a taint in the scheduler's message (pkg/scheduler/framework/plugins/
// tainttoleration, v1.37.1).
var taintOf = regexp.MustCompile(`\buntolerated taint \{([^:}]+): `)

// volumeConflict is how the scheduler says that a volume can't be used on a node
// (pkg/scheduler/framework/plugins/volumebinding ErrReasonNodeConflict, v1.37.1).
const volumeConflict = "volume node affinity conflict"

// keptFrom adds to a finding which nodes have a taint that the lifecycle of nodes sets, and
// which volume is on a node that is not there, as far as files hold them.
func (l look) keptFrom(f *finding) {
	for _, m := range taintOf.FindAllStringSubmatch(f.message, -1) {
		if conditions[m[1]] == "" || l.tainted == nil {
			continue
		}
		if names := l.tainted(m[1]); len(names) > 0 {
			f.message = fmt.Sprintf("%s; %s: %s", strings.TrimSuffix(f.message, "."), conditions[m[1]], format.Some(names, len(names)))
		}
	}
	if l.pinned == nil || !strings.Contains(f.message, volumeConflict) {
		return
	}
	for _, claim := range claimNames(l.pod) {
		if why := l.pinned(claim); why != "" {
			f.message = why + "; " + f.message
		}
	}
}

// taintedNodes returns the nodes with a taint, of those that files hold. None is asked for: who
// may read Pods may not read those.
func taintedNodes(r *view.Reader) func(key string) []string {
	return func(key string) (names []string) {
		for _, n := range heldNodes(r) {
			if slices.ContainsFunc(n.Spec.Taints, func(t corev1.Taint) bool { return t.Key == key }) {
				names = append(names, n.Name)
			}
		}
		return names
	}
}

func heldNodes(r *view.Reader) (all []*corev1.Node) {
	for _, obj := range r.AllMetadata(view.Nodes) {
		if n, ok := view.Decoded(obj).(*corev1.Node); ok {
			all = append(all, n)
		}
	}
	return all
}

// pinned says of a volume claim that its volume can be used only on nodes that are not
// there, of the volumes and nodes that files hold; empty for another one.
func pinned(r *view.Reader, namespace string) func(claim string) string {
	return func(claim string) string {
		held, _ := r.Held(view.PersistentVolumeClaims, namespace, claim)
		pvc, ok := view.Decoded(held).(*corev1.PersistentVolumeClaim)
		if !ok {
			return ""
		}
		held, _ = r.Held(view.PersistentVolumes, "", pvc.Spec.VolumeName)
		pv, ok := view.Decoded(held).(*corev1.PersistentVolume)
		if !ok {
			return ""
		}
		hosts := hostsOf(pv)
		if len(hosts) == 0 || slices.ContainsFunc(heldNodes(r), func(n *corev1.Node) bool { return slices.Contains(hosts, n.Labels[corev1.LabelHostname]) }) {
			return ""
		}
		return fmt.Sprintf("PersistentVolume %s of claim %s can be used only on node %s, which is not there", pv.Name, claim, format.Some(hosts, len(hosts)))
	}
}

// hostsOf are the nodes on which alone a volume can be used, by their hostname; none where
// something else decides as well.
func hostsOf(pv *corev1.PersistentVolume) (hosts []string) {
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
