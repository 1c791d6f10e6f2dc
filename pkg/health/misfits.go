package health

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// longestMisfit is up to how long a reason is that the scheduler gives for all nodes, and
// longestPair up to how long two reasons are that stand in one label.
const (
	longestMisfit = 60
	longestPair   = 60
)

// How the scheduler says why no node fits: how many nodes for each reason, or one reason
// for all, and behind that what became of preemption (pkg/scheduler/framework/types.go
// FitError.Error, v1.37.1).
var (
	noNodes = regexp.MustCompile(`^0/\d+ nodes are available: (.+?)\.(?:\s.*)?$`)
	misfit  = regexp.MustCompile(`^(\d+) (?:node\(s\) )?(?:had |were )?(.+)$`)
)

// controlPlane is a taint that keeps most Pods off, as it should.
const controlPlane = "untolerated taint {node-role.kubernetes.io/control-plane: }"

// misfits returns why nodes are no fit for a Pod, in short and the most frequent reason
// first; none where the scheduler's message says it in another way.
func misfits(message string) []string {
	found := noNodes.FindStringSubmatch(message)
	if found == nil {
		return nil
	}
	nodes, parts := map[string]int{}, strings.Split(found[1], ", ")
	for _, part := range parts {
		m := misfit.FindStringSubmatch(part)
		switch {
		case m == nil && len(parts) == 1 && len(part) <= longestMisfit:
			return parts
		case m == nil:
			return nil
		}
		n, _ := strconv.Atoi(m[1]) // digits
		nodes[m[2]] += n
	}
	if len(nodes) > 1 {
		delete(nodes, controlPlane)
	}
	return mostFirst(nodes)
}

// inShort are reasons that are unclear or long where "node(s)" is not before them.
var inShort = map[string]string{
	"unschedulable": "nodes cordoned",
	"didn't match Pod's node affinity/selector":    "node affinity/selector",
	"didn't match pod affinity rules":              "pod affinity",
	"didn't match pod anti-affinity rules":         "pod anti-affinity",
	"didn't match pod topology spread constraints": "topology spread",
	noVolume: noVolumeShort, volumeMismatch: volumeConflict, anyTaints: "untolerated taint",
	"didn't have free ports for the requested pod ports":                                                       "host ports in use",
	"didn't satisfy existing pods anti-affinity rules":                                                         "anti-affinity of existing Pods",
	"didn't match pod topology spread constraints (missing required label)":                                    "nodes without topologyKey",
	"exceed max volume count":                                                                                  "max volume count exceeded",
	"did not have enough free storage":                                                                         "not enough free storage",
	"unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod": usedByOne,
	"node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode":             usedByOne, // up to Kubernetes 1.33
}

// usedByOne is that another Pod uses a volume claim that only one may use.
const usedByOne = "ReadWriteOncePod PVC in use"

// conditions are the nodes that a taint of the node lifecycle controller is on
// (k8s.io/api/core/v1 well_known_taints.go, v0.37.1).
var conditions = map[string]string{
	corev1.TaintNodeNotReady: "node NotReady", corev1.TaintNodeUnreachable: "node unreachable", corev1.TaintNodeUnschedulable: "nodes cordoned",
	corev1.TaintNodeMemoryPressure: "node MemoryPressure", corev1.TaintNodeDiskPressure: "node DiskPressure",
	corev1.TaintNodePIDPressure: "node PIDPressure", corev1.TaintNodeNetworkUnavailable: "node without network",
}

// excluded are the reasons for which nodes are not meant for a Pod, besides taints that are
// no condition of a node: nodes with other reasons have passed these filters
// (pkg/scheduler/apis/config/v1/default_plugins.go, v1.37.1).
var excluded = []string{anyTaints, "didn't match Pod's node affinity/selector", "didn't match the requested node name"}

// anyTaints are taints that the scheduler does not name.
const anyTaints = "untolerated taint(s)"

// mostFirst returns reasons without the names of taints: those of nodes that are meant for
// the Pod before others, and of these those of the most nodes first.
func mostFirst(nodes map[string]int) []string {
	short, others := map[string]int{}, map[string]int{}
	for reason, n := range nodes {
		reason, taint, tainted := strings.Cut(reason, " {")
		key, _, _ := strings.Cut(taint, ":")
		name := cmp.Or(conditions[key], inShort[reason], reason)
		short[name] += n
		if tainted && conditions[key] == "" || slices.Contains(excluded, reason) {
			others[name] = 1
		}
	}
	all := slices.Collect(maps.Keys(short))
	slices.SortFunc(all, func(a, b string) int {
		return cmp.Or(cmp.Compare(others[a], others[b]), cmp.Compare(short[b], short[a]), cmp.Compare(a, b))
	})
	return all
}

// plain are reasons that alone say of a Pod that it has no node. Others name a rule, or a
// state of nodes.
var plain = regexp.MustCompile(`^(Insufficient |Too many |no PersistentVolume |pod has unbound |ReadWriteOncePod )`)

// lacks are what Pods lack that have no node for a reason: it says of them why in fewer words.
var lacks = map[string]string{
	"host ports in use": "without free host ports", "not enough free storage": "without enough storage",
	"node affinity/selector": "without matching node",
}

// terse says of Pods why they have no node in fewer words than a label with the reason does.
func terse(reason, why string) (briefs []string) {
	if plain.MatchString(why) {
		if briefs = []string{why}; len(reason) < len(why) {
			briefs = append(briefs, reason)
		}
		return briefs
	}
	if reason == corev1.PodReasonUnschedulable {
		briefs = []string{string(corev1.PodPending) + " (" + why + ")"}
	}
	if short := lacks[why]; short != "" {
		briefs = append(briefs, short)
	}
	return append(briefs, reason)
}

// unfit labels a Pod for which no node fits, for a reason, by what the scheduler says.
func unfit(reason, message string) (label string, briefs []string) {
	why := misfits(message)
	if len(why) == 0 {
		return "", nil
	}
	label = reason + " (" + why[0] + ")"
	briefs = terse(reason, why[0])
	if len(why) == 1 || len(why[0])+len(", ")+len(why[1]) > longestPair {
		return label, briefs
	}
	pair := reason + " (" + why[0] + ", " + why[1] + ")"
	briefs = append([]string{label}, briefs...)
	if short := strings.Replace(pair, "nodes cordoned", "cordoned", 1); short != pair {
		briefs = append([]string{short}, briefs...)
	}
	return pair, briefs
}
