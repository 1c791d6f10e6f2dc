package oracle

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/states"
)

// String shows a mismatch: what differs, the state as a sketch to make a
// golden of, and the request for the oracle itself.
func (m Mismatch) String() string {
	return fmt.Sprintf("seed %d:\n  %s\n%s", m.Seed, strings.Join(m.Differences, "\n  "), Report(m.Question.Request))
}

// Report shows a state as a sketch (package clusterdsl) and as JSON. A sketch
// cannot say everything: what it lacks is a remark behind the line.
func Report(req *contract.Request) string {
	var b strings.Builder
	for _, rs := range req.ReplicaSets {
		b.WriteString(setLine("rs", rs, rs.Spec.Replicas, rs.Spec.MinReadySeconds, rs.Spec.Selector))
	}
	for _, rc := range req.ReplicationControllers {
		b.WriteString(setLine("rc", rc, rc.Spec.Replicas, rc.Spec.MinReadySeconds, &metav1.LabelSelector{MatchLabels: rc.Spec.Selector}))
	}
	for _, p := range req.Pods {
		b.WriteString(podLine(p))
	}
	fmt.Fprintf(&b, "%s\n", encode(req))
	return b.String()
}

// setLine is one set as a line of a sketch, without its status.
func setLine(kind string, set metav1.Object, replicas *int32, minReady int32, selector *metav1.LabelSelector) string {
	words := append([]string{kind, set.GetName(), "uid=" + string(set.GetUID())}, ownerWords(set)...)
	words = append(words, fmt.Sprintf("replicas=%d", *replicas))
	if minReady > 0 {
		words = append(words, fmt.Sprintf("minReady=%d", minReady))
	}
	if set.GetDeletionTimestamp() != nil {
		words = append(words, "deleting")
	}
	text := metav1.FormatLabelSelector(selector)
	if strings.ContainsAny(text, " <") {
		return strings.Join(words, " ") + " # selector " + text + "\n"
	}
	return strings.Join(append(words, "selector="+text), " ") + "\n"
}

func ownerWords(obj metav1.Object) []string {
	ref := metav1.GetControllerOfNoCopy(obj)
	if ref == nil {
		return nil
	}
	return []string{"of=" + strings.ToLower(ref.Kind) + "/" + ref.Name + "@" + string(ref.UID)}
}

// podLine is one pod as a line of a sketch.
func podLine(p *corev1.Pod) string {
	words := append([]string{"pod", p.Name, "uid=" + string(p.UID)}, ownerWords(p)...)
	add := func(key, value string) {
		if value != "" {
			words = append(words, key+"="+value)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(p.Labels)) {
		add(key, p.Labels[key])
	}
	add("node", p.Spec.NodeName)
	add("phase", string(p.Status.Phase))
	add("age", states.Now.Sub(p.CreationTimestamp.Time).String())
	if cost, ok := p.Annotations[corev1.PodDeletionCost]; ok {
		words = append(words, "cost="+cost)
	}
	if p.DeletionTimestamp != nil {
		words = append(words, "deleting")
	}
	return strings.Join(append(words, statusWords(p)...), " ") + "\n"
}

func statusWords(p *corev1.Pod) []string {
	var words []string
	for _, c := range p.Status.Conditions {
		switch {
		case c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue:
			words = append(words, "ready="+states.Now.Sub(c.LastTransitionTime.Time).String())
		case c.Type == corev1.PodReady:
			words = append(words, "notready")
		}
	}
	for _, c := range p.Status.ContainerStatuses {
		words = append(words, fmt.Sprintf("restarts=%d", c.RestartCount))
	}
	for _, c := range p.Status.InitContainerStatuses {
		words = append(words, fmt.Sprintf("%s=%d", c.Name, c.RestartCount))
	}
	return words
}
