package places

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
)

// crowded are the scheduler's reasons that Pods on a node are, and that end when Pods go
// (pkg/scheduler/framework/plugins: noderesources/fit.go insufficientResourcesOf,
// nodeports/node_ports.go ErrReason, interpodaffinity/filtering.go
// ErrReasonAntiAffinityRulesNotMatch and ErrReasonExistingAntiAffinityRulesNotMatch,
// podtopologyspread/plugin.go ErrReasonConstraintsNotMatch, nodevolumelimits/csi.go
// ErrReasonMaxVolumeCountExceeded, volumerestrictions/volume_restrictions.go
// ErrReasonReadWriteOncePodConflict, v1.37.1).
var crowded = []string{
	"Insufficient ", "Too many pods", freePorts, "anti-affinity rules", "topology spread constraints", "max volume count",
	"ReadWriteOncePod access mode",
}

// freePorts is in what the scheduler says where host ports are taken.
const freePorts = "free ports"

// CrowdedOut reports whether the scheduler found no node for a Pod because of those that
// are on the nodes.
func CrowdedOut(p *corev1.Pod) bool {
	message, _ := Unschedulable(p)
	return slices.ContainsFunc(crowded, func(reason string) bool { return strings.Contains(message, reason) })
}

// PortsTaken reports whether the scheduler found no node for a Pod, and of all that Pods on nodes
// take, host ports alone keep it off.
func PortsTaken(p *corev1.Pod) bool {
	message, _ := Unschedulable(p)
	return strings.Contains(message, freePorts) && !slices.ContainsFunc(crowded, func(reason string) bool {
		return reason != freePorts && strings.Contains(message, reason)
	})
}

// HoldsPort reports whether a Pod takes a host port that another one asks for.
func HoldsPort(p, other *corev1.Pod) bool {
	taken := hostPorts(&p.Spec)
	return slices.ContainsFunc(hostPorts(&other.Spec), func(port string) bool { return slices.Contains(taken, port) })
}

// Unschedulable reports whether the scheduler found no node for a Pod, and why as it says.
func Unschedulable(p *corev1.Pod) (message string, waits bool) {
	i := slices.IndexFunc(p.Status.Conditions, func(c corev1.PodCondition) bool { return c.Type == corev1.PodScheduled })
	if i < 0 || p.Spec.NodeName != "" {
		return "", false
	}
	c := p.Status.Conditions[i]
	if c.Status != corev1.ConditionFalse || c.Reason != corev1.PodReasonUnschedulable {
		return "", false
	}
	return c.Message, true
}

// Reasons are why no node fits, of what the scheduler says. Behind them stands what each of its
// PostFilter plugins came to, such as "no new claims to deallocate" and then "preemption: …"
// (FitError.Error of pkg/scheduler/framework/types.go, RunPostFilterPlugins of
// pkg/scheduler/framework/runtime/framework.go, v1.37.1).
func Reasons(message string) string {
	if why, _, more := strings.Cut(message, ". "); more && strings.HasPrefix(why, "0/") {
		return why
	}
	return strings.TrimSuffix(message, ".")
}

// insufficient is a resource that nodes lack for a Pod.
var insufficient = regexp.MustCompile(`\bInsufficient ([^ ,]*[^ ,.])`)

// AwaitsAs reports whether what crowded a Pod out keeps another one off as well: this asks
// for no less of anything that the scheduler named.
func AwaitsAs(p, waiting *corev1.Pod) bool {
	if !WantsNoOther(waiting, p) || !equality.Semantic.DeepEqual(waiting.Spec.TopologySpreadConstraints, p.Spec.TopologySpreadConstraints) {
		return false
	}
	message, _ := Unschedulable(waiting)
	if strings.Contains(message, freePorts) && !within(hostPorts(&waiting.Spec), hostPorts(&p.Spec)) {
		return false
	}
	now, was := admission.Requests(p), admission.Requests(waiting)
	for _, m := range insufficient.FindAllStringSubmatch(message, -1) {
		least, request := was[corev1.ResourceName(m[1])], now[corev1.ResourceName(m[1])]
		if request.Cmp(least) < 0 {
			return false
		}
	}
	return true
}

// AsksNoMore reports whether a Pod fits wherever the other was: it asks the scheduler for
// nothing else, and for no more.
func AsksNoMore(p, gone *corev1.Pod) bool {
	a, b := &p.Spec, &gone.Spec
	return WantsNoOther(p, gone) && equality.Semantic.DeepEqual(a.TopologySpreadConstraints, b.TopologySpreadConstraints) &&
		equality.Semantic.DeepEqual(a.ResourceClaims, b.ResourceClaims) &&
		within(hostPorts(a), hostPorts(b)) && fits(admission.Requests(p), admission.Requests(gone))
}

// Leaves reports whether the place of a Pod that goes is one for a Pod that waits: the
// scheduler preempted it for that one (whose nomination keeps others of no higher priority
// off, pkg/scheduler/framework/runtime/framework.go addGENominatedPods, v1.37.1), or for none,
// and what waits asks for no more.
func Leaves(gone, waits *corev1.Pod) bool {
	if Preempted(gone) != nil {
		return waits.Status.NominatedNodeName == gone.Spec.NodeName
	}
	return AsksNoMore(waits, gone)
}

// Preempted is the condition that the scheduler deletes a Pod for another one, nil without.
//
//go:noinline // a call is shorter than what it does
func Preempted(p *corev1.Pod) *corev1.PodCondition {
	i := slices.IndexFunc(p.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.DisruptionTarget && c.Status == corev1.ConditionTrue && c.Reason == corev1.PodReasonPreemptionByScheduler
	})
	if i < 0 {
		return nil
	}
	return &p.Status.Conditions[i]
}

// WantsNoOther reports whether no rule keeps a Pod from a node that did not keep the other
// from it, however much is free there.
func WantsNoOther(p, other *corev1.Pod) bool {
	a, b := &p.Spec, &other.Spec
	return equality.Semantic.DeepEqual(a.NodeSelector, b.NodeSelector) && equality.Semantic.DeepEqual(a.Affinity, b.Affinity) &&
		equality.Semantic.DeepEqual(tolerations(a), tolerations(b)) && within(claims(a), claims(b))
}

// tolerations are those of a Pod without the ones that admission adds to each
// (plugin/pkg/admission/defaulttolerationseconds/admission.go, v1.37.1).
func tolerations(s *corev1.PodSpec) []corev1.Toleration {
	return slices.DeleteFunc(slices.Clone(s.Tolerations), func(t corev1.Toleration) bool {
		return t.TolerationSeconds != nil && (t.Key == corev1.TaintNodeNotReady || t.Key == corev1.TaintNodeUnreachable)
	})
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
