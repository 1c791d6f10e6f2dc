package health

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/places"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// taintOf is a taint in the scheduler's message, and onlyTaints one that names none of them
// (pkg/scheduler/framework/plugins/tainttoleration, v1.34.1 and, since v1.34.4 at the latest, v1.37.1).
var (
	taintOf    = regexp.MustCompile(`\buntolerated taint \{([^:}]+): `)
	onlyTaints = regexp.MustCompile(`^(0/\d+ nodes are available: )(\d+) node\(s\) had untolerated taint\(s\)\.`)
)

// volumeConflict is how the scheduler says that a volume can't be used on a node
// (pkg/scheduler/framework/plugins/volumebinding ErrReasonNodeConflict, v1.32.10 and, since
// 1.33, v1.37.1).
const (
	volumeConflict = "volume node affinity conflict"
	volumeMismatch = "didn't match PersistentVolume's node affinity"
)

// spelled is a message about taints alone with the taints that nodes have, as far as these
// are what the scheduler has seen.
func (l look) spelled(message string) string {
	m := onlyTaints.FindStringSubmatch(message)
	if m == nil || l.untolerated == nil {
		return message
	}
	n, nodes := 0, l.untolerated(l.pod)
	var parts []string
	for _, taint := range slices.Sorted(maps.Keys(nodes)) {
		n += nodes[taint]
		parts = append(parts, fmt.Sprintf("%d node(s) had untolerated taint %s", nodes[taint], taint))
	}
	if strconv.Itoa(n) != m[2] {
		return message
	}
	return m[1] + strings.Join(parts, ", ") + strings.TrimPrefix(message, strings.TrimSuffix(m[0], "."))
}

// keptFrom adds to a finding which nodes have a taint that the lifecycle of nodes sets, or
// that the scheduler's message leaves out, and which volume is on a node that takes no Pods.
// said is the message with the taints.
func (l look) keptFrom(f *finding, said string) {
	nameless := onlyTaints.MatchString(f.message)
	var keys []string
	for _, m := range taintOf.FindAllStringSubmatch(said, -1) {
		keys = append(keys, m[1])
	}
	if strings.Contains(said, " node(s) were unschedulable") { // the scheduler names no taint of theirs
		keys = append(keys, corev1.TaintNodeUnschedulable)
	}
	for _, key := range keys {
		what := conditions[key]
		if what == "" && nameless {
			what = "taint " + key
		}
		if what == "" || l.tainted == nil {
			continue
		}
		names := l.tainted(key)
		if len(names) == 0 {
			continue
		}
		f.message = fmt.Sprintf("%s; %s: %s", strings.TrimSuffix(f.message, "."), what, format.Some(names[:min(len(names), fewNodes)], len(names)))
		if f.next == "" && key != corev1.TaintNodeUnschedulable && slices.Index(misfits(said), what) == 0 {
			f.next = describe("node", "", names[0])
		}
	}
	if l.pinned == nil || !strings.Contains(f.message, volumeConflict) && !strings.Contains(f.message, volumeMismatch) {
		return
	}
	for _, claim := range view.ClaimsOf(l.pod) {
		if why := l.pinned(claim); why != "" {
			f.message = why + "; " + f.message
		}
	}
}

// everyNode is what is read for Pods that the scheduler keeps from nodes.
func everyNode(ifMissing string) view.Need {
	return view.Need{Kind: view.Nodes, IfMissing: ifMissing, Explains: true, Spare: true}
}

// taintedNodes reads the nodes with a taint, or that are cordoned before they get theirs, for Pods
// that wait for one without it. Those of each taint are one look.
func taintedNodes(r *view.Reader) func(key string) []string {
	known := map[string][]string{}
	return func(key string) []string {
		names, looked := known[key]
		if looked {
			return names
		}
		for _, n := range view.List[*corev1.Node](r, everyNode("which nodes have a taint is not known"), nil) {
			if key == corev1.TaintNodeUnschedulable && n.Spec.Unschedulable || slices.ContainsFunc(n.Spec.Taints, func(t corev1.Taint) bool { return t.Key == key }) {
				names = append(names, n.Name)
			}
		}
		known[key] = names
		return names
	}
}

// untolerated counts, for a Pod, nodes by the taint that keeps it off first, as the scheduler
// wrote them. Pods that tolerate the same, as those of one template do, are one look.
func untolerated(r *view.Reader) func(*corev1.Pod) map[string]int {
	var counted map[string]int
	var tolerated []corev1.Toleration
	return func(p *corev1.Pod) map[string]int {
		if counted != nil && equality.Semantic.DeepEqual(p.Spec.Tolerations, tolerated) {
			return counted
		}
		counted, tolerated = map[string]int{}, p.Spec.Tolerations
		for _, n := range view.List[*corev1.Node](r, everyNode("which nodes have a taint is not known"), nil) {
			if t, found := places.Untolerated(p, n); found {
				counted["{"+t.Key+": "+t.Value+"}"]++
			}
		}
		return counted
	}
}

// pinned says of a volume claim that its volume can be used only on nodes that are not
// there, cordoned or NotReady; empty for another one. It reads the claim, its volume, and the
// nodes.
func pinned(r *view.Reader, namespace string) func(claim string) string {
	const ifMissing = "on which node a volume can be used is not known"
	return func(claim string) string {
		pvc, found := view.Get[*corev1.PersistentVolumeClaim](r, view.Need{
			Kind: view.PersistentVolumeClaims, Namespace: namespace, Name: claim, IfMissing: ifMissing, Explains: true, Spare: true,
		})
		if !found || pvc.Spec.VolumeName == "" {
			return ""
		}
		pv, found := view.Get[*corev1.PersistentVolume](r, view.Need{
			Kind: view.PersistentVolumes, Name: pvc.Spec.VolumeName, IfMissing: ifMissing, Explains: true, Spare: true,
		})
		if !found {
			return ""
		}
		hosts, need := places.HostsOf(pv), everyNode("whether the node of a volume is there is not known")
		if len(hosts) == 0 {
			return ""
		}
		need.Detail = view.Full
		why := closed(places.Hosting(view.List[*corev1.Node](r, need, nil), hosts))
		if why == "" || r.Err(need) != nil || r.Provisional() {
			return ""
		}
		return fmt.Sprintf("PersistentVolume %s of claim %s can be used only on node %s, which is %s", pv.Name, claim, format.Some(hosts, len(hosts)), why)
	}
}

// closed is why none of some nodes takes new Pods, empty where one may. Of several, it is
// that of the last.
func closed(nodes []*corev1.Node) (why string) {
	why = "not there"
	for _, n := range nodes {
		shut := ""
		if n.Spec.Unschedulable {
			shut = "cordoned"
		}
		for i := range n.Status.Conditions {
			if c := &n.Status.Conditions[i]; c.Type == corev1.NodeReady && c.Status != corev1.ConditionTrue {
				shut = "NotReady"
			}
		}
		if why = shut; shut == "" {
			return ""
		}
	}
	return why
}

// leaderless makes a finding about a Pod at which no scheduler has looked that of the
// kube-scheduler, where none is active.
func (l look) leaderless(f *finding) {
	if f.class != Queued || l.idle == nil || !l.overlooked() {
		return
	}
	const none = "no active kube-scheduler"
	f.class, f.label, f.briefs = Unschedulable, "not scheduled ("+none+")", []string{none}
	f.message = none + ": lease " + l.idle.Namespace + "/" + l.idle.Name + " last renewed " + format.Age(l.idle.Spec.RenewTime.Time, l.Now) + " ago"
	f.evidence = "lease/" + l.idle.Name + " spec.renewTime"
	f.next = "kubectl get pods -n " + l.idle.Namespace + " -l component=" + l.idle.Name // as kubeadm labels them
}

// afterPreemption adds to a finding about a Pod that others keep from nodes that Pods like it were
// preempted, whose place it has not. That preempting for it is no help is not said as well.
func (l look) afterPreemption(f *finding) {
	said := l.preempted[l.pod.GenerateName]
	label, reasoned := strings.CutSuffix(f.label, ")")
	if said == "" || f.class != Unschedulable || !reasoned || !places.CrowdedOut(l.pod) {
		return
	}
	f.message = said + "; " + inVain.ReplaceAllString(f.message, "")
	f.label, f.briefs = label+", preempted)", append([]string{f.label}, f.briefs...)
}
