package health

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/eviction"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Eviction returns when the taints of its node delete a Pod; nil where they don't, and
// where the node was not read. It reads the node.
func Eviction(r *view.Reader, pod *corev1.Pod) *decision.TaintEviction {
	if pod.Spec.NodeName == "" || pod.DeletionTimestamp != nil {
		return nil
	}
	return eviction.Of(node(r, pod.Spec.NodeName, false), pod, r.Now())
}

// nodes reads the nodes of Pods for which that matters.
func nodes(r *view.Reader) func(string) *corev1.Node {
	return func(name string) *corev1.Node { return node(r, name, false) }
}

// moreNodes reads the nodes of Pods that start, as far as they are held. Others are asked
// for where few Pods start: the nodes of many would be one list of all.
func moreNodes(r *view.Reader, starting int) func(string) *corev1.Node {
	return func(name string) *corev1.Node {
		held, _ := r.Held(view.Nodes, "", name)
		if n, whole := held.(*corev1.Node); whole || starting > fewPods {
			return n
		}
		return node(r, name, true)
	}
}

// absent stands for a node that does not exist, and lacking for one that is not in files which
// hold others.
var absent, lacking = &corev1.Node{}, &corev1.Node{}

func node(r *view.Reader, name string, extra bool) *corev1.Node {
	need := view.Need{Kind: view.Nodes, Name: name, Detail: view.Full, IfMissing: "whether the nodes of Pods are ready is not known", Explains: true, Extra: extra}
	if n, ok := view.Get[*corev1.Node](r, need); ok {
		return n
	}
	switch not, certain := r.Absent(need); {
	case !not:
		return nil
	case certain:
		return absent
	}
	return lacking
}

// ofNode are the reasons of a Pod's condition Ready that are those of its node. The node
// lifecycle controller leaves out any (pkg/controller/util/node/controller_utils.go
// MarkPodsNotReady, v1.37.1), and the kubelet always gives one.
var ofNode = map[string]bool{"NodeNotReady": true, "NodeLost": true}

// nodeReady reports whether the Pod's node is known to be ready.
func (l look) nodeReady() bool {
	if l.node == nil {
		return false
	}
	n := l.node(l.pod.Spec.NodeName)
	return n != nil && slices.ContainsFunc(n.Status.Conditions, func(c corev1.NodeCondition) bool {
		return c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue
	})
}

// lost is a node whose kubelet does not report that it is ready, or that does not exist.
type lost struct {
	name, why string
	// label is how labels name it.
	label string
	since time.Time
	// silent: its kubelet does not report at all.
	silent bool
	// collected says that the Pod garbage collector deletes the Pod, empty where it does not.
	collected string
}

// brief is what stands for a label where there is less room.
func (n lost) brief() string { return "on " + strings.TrimSuffix(n.label, " "+n.name) }

// ofAbsent is what becomes of Pods whose node does not exist: the Pod garbage collector looks
// every 20s, and again 40s later, before it deletes them (pkg/controller/podgc/
// gc_controller.go gcOrphaned, v1.37.1).
const ofAbsent = "the Pod garbage collector deletes the Pod by force within 80s"

// OfAbsentNode says what becomes of a Pod whose node does not exist, empty for others. It is
// not certain where files hold other nodes, which may lack this one. It reads the node.
func OfAbsentNode(r *view.Reader, pod *corev1.Pod) (message string, certain bool) {
	name := pod.Spec.NodeName
	if name == "" || pod.DeletionTimestamp != nil {
		return "", false
	}
	switch node(r, name, false) {
	case absent:
		return "node " + name + " does not exist: " + ofAbsent, true
	case lacking:
		return unlisted(name), false
	}
	return "", false
}

func unlisted(node string) string {
	return "node " + node + " is not in the input: if it does not exist, " + ofAbsent
}

// unlisted says of a Pod whose node files may lack what becomes of it if there is none.
func (l look) unlisted(f finding) finding {
	if l.node != nil && l.node(l.pod.Spec.NodeName) == lacking {
		f.message += "; " + unlisted(l.pod.Spec.NodeName)
		f.next = "kubectl get node " + l.pod.Spec.NodeName
	}
	return f
}

// lost returns the Pod's node if that is not ready or does not exist, as far as it was read.
// Pods that are being deleted on one that is out of service are deleted by force, in the
// next pass (pkg/controller/podgc/gc_controller.go gcTerminating, v1.37.1).
func (l look) lost() (lost, bool) {
	if l.node == nil || l.pod.Spec.NodeName == "" {
		return lost{}, false
	}
	n := l.node(l.pod.Spec.NodeName)
	switch n {
	case nil, lacking:
		return lost{}, false
	case absent:
		name := l.pod.Spec.NodeName
		return lost{name: name, label: "absent node " + name, silent: true, collected: ofAbsent}, true
	}
	for _, c := range n.Status.Conditions {
		if c.Type == corev1.NodeReady && c.Status != corev1.ConditionTrue {
			how := lost{name: n.Name, label: "NotReady node " + n.Name, why: c.Message, since: c.LastTransitionTime.Time, silent: c.Status == corev1.ConditionUnknown}
			if l.pod.DeletionTimestamp != nil && view.OutOfService(n) {
				how.label, how.collected = "out-of-service node "+n.Name, "with its taint "+corev1.TaintNodeOutOfService+", the Pod garbage collector deletes the Pod by force within 20s"
			}
			return how, true
		}
	}
	return lost{}, false
}

// next is the command that shows the node, empty where there is none.
func (n lost) next() string {
	if n.collected == ofAbsent {
		return ""
	}
	return describe("node", "", n.name)
}

// says how a node is, since when, and why.
func (n lost) says(now time.Time) string {
	if n.collected == ofAbsent {
		return "node " + n.name + " does not exist"
	}
	text := fmt.Sprintf("node %s is NotReady", n.name)
	if !n.since.IsZero() {
		text += " for " + format.Age(n.since, now)
	}
	if n.why != "" {
		text += " (" + n.why + ")"
	}
	return text
}

// onLost is a finding about a Pod whose node may not be ready, and when the node's taints
// delete the Pod.
func (l look) onLost(f finding) finding {
	if n, found := l.lost(); found {
		f.reason, f.label, f.briefs = "NodeNotReady", "on "+n.label, []string{n.brief()}
		f.message, f.next, f.root = n.says(l.Now), n.next(), true
		if f.since.IsZero() && !n.since.IsZero() {
			f.since = l.latest(n.since, l.created())
		}
		if n.collected != "" { // soon, however long ago the kubelet reported last
			f.message, f.began = f.message+": "+n.collected, time.Time{}
		}
	}
	f = l.unlisted(f)
	if l.node == nil {
		return f
	}
	if f.eviction = eviction.Of(l.node(l.pod.Spec.NodeName), l.pod, l.Now); f.eviction != nil {
		f.message += "; " + f.eviction.Message
	}
	return f
}

// silent is how long a kubelet says nothing at least until its node is NotReady
// (pkg/controller/nodelifecycle/config/v1alpha1/defaults.go, NodeMonitorGracePeriod: 40s,
// since 1.32 50s).
const silent = 40 * time.Second

// stalled is a finding about a container that is not ready: of a Pod whose node is not ready
// it is what the kubelet reported last, and nothing of it ends before the node is back. Of a
// kubelet that reports that its node is not ready, what it says of a container holds, and so
// does what one reported last whose node is gone: soon, the Pod is as well.
func (l look) stalled(f finding) finding {
	if l.Now.Sub(l.latest(f.since, f.began)) < silent {
		return f
	}
	l.node = l.startNode
	n, found := l.lost()
	if !found || n.collected != "" || f.class != Step && !n.silent {
		return f
	}
	last := f
	f = l.onLost(finding{class: Step, since: f.since, began: f.began, evidence: "status.conditions[Ready]"})
	if last.class != Step {
		f.since, f.began = l.latest(f.since, n.since), l.latest(f.began, n.since)
		f.message += "; reported last: " + last.called()
		if last.ended != "" {
			f.message += ", " + last.ended
		}
	}
	return f
}
