package health

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// nodes reads the nodes of Pods for which that matters.
func nodes(r *view.Reader) func(string) *corev1.Node {
	return func(name string) *corev1.Node {
		n, ok := view.Get[*corev1.Node](r, view.Need{Kind: view.Nodes, Name: name, IfMissing: "whether the nodes of Pods are ready is not known", Explains: true})
		if !ok {
			return nil
		}
		return n
	}
}

// lost is a node whose kubelet does not report that it is ready.
type lost struct {
	name, why string
	since     time.Time
}

// lost returns the Pod's node if that is not ready, as far as it was read.
func (l look) lost() (lost, bool) {
	if l.node == nil || l.pod.Spec.NodeName == "" {
		return lost{}, false
	}
	n := l.node(l.pod.Spec.NodeName)
	if n == nil {
		return lost{}, false
	}
	for _, c := range n.Status.Conditions {
		if c.Type == corev1.NodeReady && c.Status != corev1.ConditionTrue {
			return lost{name: n.Name, why: c.Message, since: c.LastTransitionTime.Time}, true
		}
	}
	return lost{}, false
}

// says how a node is, since when, and why.
func (n lost) says(now time.Time) string {
	text := fmt.Sprintf("node %s is NotReady", n.name)
	if !n.since.IsZero() {
		text += " for " + format.Age(n.since, now)
	}
	if n.why != "" {
		text += " (" + n.why + ")"
	}
	return text
}
