package cluster

import (
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// places are the places on nodes that Pods have left, and the Unschedulable Pods that may
// take them, the oldest first.
type places struct {
	left    []*corev1.Pod
	waiting []*corev1.Pod
}

// crowded are the scheduler's reasons that Pods on a node are, and that end when Pods go
// (pkg/scheduler/framework/plugins: noderesources/fit.go insufficientResourcesOf,
// nodeports/node_ports.go ErrReason, interpodaffinity/filtering.go
// ErrReasonAntiAffinityRulesNotMatch and ErrReasonExistingAntiAffinityRulesNotMatch,
// podtopologyspread/plugin.go ErrReasonConstraintsNotMatch, nodevolumelimits/csi.go
// ErrReasonMaxVolumeCountExceeded, v1.37.1).
var crowded = []string{
	"Insufficient ", "Too many pods", "free ports", "anti-affinity rules", "topology spread constraints", "max volume count",
}

// unschedulable reports whether the scheduler found no node for a Pod.
func unschedulable(p *corev1.Pod) bool {
	c := condition(p, corev1.PodScheduled)
	return p.Spec.NodeName == "" && c != nil && c.Status == corev1.ConditionFalse && c.Reason == corev1.PodReasonUnschedulable
}

// isCrowdedOut reports whether a Pod has no node because of those that are on the nodes.
func isCrowdedOut(p *corev1.Pod) bool {
	return unschedulable(p) && slices.ContainsFunc(crowded, func(reason string) bool {
		return strings.Contains(condition(p, corev1.PodScheduled).Message, reason)
	})
}

// wait lets a Pod wait for a place.
func (s *places) wait(m *Model, p *corev1.Pod) {
	s.waiting = append(s.waiting, p)
	m.Note(decision.Ruled(PlacesTaken))
}

// crowdedOut is the waiting Pod of the start that a new one is like, and waits as.
func (s *places) crowdedOut(p *corev1.Pod) (like *corev1.Pod, found bool) {
	i := slices.IndexFunc(s.waiting, func(w *corev1.Pod) bool { return alike(p, w) })
	if i < 0 {
		return nil, false
	}
	return s.waiting[i], true
}

// vacate hands the place of a Pod that is gone to the first Pod that asks for no more.
func (s *places) vacate(m *Model, gone *corev1.Pod) {
	if gone.Spec.NodeName == "" || view.Ended(gone) {
		return
	}
	s.left = append(s.left, gone)
	s.seat(m)
}

// seat lets waiting Pods take places.
func (s *places) seat(m *Model) {
	s.waiting = slices.DeleteFunc(s.waiting, func(w *corev1.Pod) bool {
		p, ok := GetPod(m, w.Namespace, w.Name)
		if !ok || p.UID != w.UID || p.DeletionTimestamp != nil {
			return true
		}
		i := slices.IndexFunc(s.left, func(gone *corev1.Pod) bool { return asksNoMore(p, gone) })
		if i < 0 {
			return false
		}
		p.Spec.NodeName = s.left[i].Spec.NodeName
		s.left = slices.Delete(s.left, i, i+1)
		set(m, p, corev1.PodScheduled, true)
		m.Put(view.Pods, p)
		m.begin(p)
		return true
	})
}

// Homeless is a Pod that still waits for a place, and one whose place it may fit, for all
// that is known.
func (m *Model) Homeless() (waits, gone string, found bool) {
	for _, w := range m.places.waiting {
		if _, there := m.Get(view.Pods, w.Namespace, w.Name); there && len(m.places.left) > 0 {
			return w.Name, m.places.left[0].Name, true
		}
	}
	return "", "", false
}

// asksNoMore reports whether a Pod fits wherever the other was: it asks the scheduler for
// nothing else, and for no more.
func asksNoMore(p, gone *corev1.Pod) bool {
	a, b := &p.Spec, &gone.Spec
	return equality.Semantic.DeepEqual(a.NodeSelector, b.NodeSelector) && equality.Semantic.DeepEqual(a.Affinity, b.Affinity) &&
		equality.Semantic.DeepEqual(a.Tolerations, b.Tolerations) && equality.Semantic.DeepEqual(a.TopologySpreadConstraints, b.TopologySpreadConstraints) &&
		equality.Semantic.DeepEqual(a.ResourceClaims, b.ResourceClaims) &&
		within(hostPorts(a), hostPorts(b)) && within(claims(a), claims(b)) && fits(admission.Requests(p), admission.Requests(gone))
}

func within(part, whole []string) bool {
	return !slices.ContainsFunc(part, func(s string) bool { return !slices.Contains(whole, s) })
}

func fits(part, whole corev1.ResourceList) bool {
	for name, q := range part {
		if most := whole[name]; q.Cmp(most) > 0 {
			return false
		}
	}
	return true
}

// claims are the PersistentVolumeClaims that a Pod mounts.
func claims(s *corev1.PodSpec) (names []string) {
	for i := range s.Volumes {
		if c := s.Volumes[i].PersistentVolumeClaim; c != nil {
			names = append(names, c.ClaimName)
		}
	}
	return names
}

// hostPorts are the ports of a node that a Pod takes.
func hostPorts(s *corev1.PodSpec) (ports []string) {
	for _, c := range slices.Concat(s.InitContainers, s.Containers) {
		for _, p := range c.Ports {
			if p.HostPort > 0 {
				ports = append(ports, p.HostIP+" "+string(p.Protocol)+" "+strconv.Itoa(int(p.HostPort)))
			}
		}
	}
	return ports
}
