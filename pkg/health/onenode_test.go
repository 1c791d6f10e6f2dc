package health

import (
	"slices"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestOnOneNode names the node of Pods that fail alike where it is the only one, and others of
// their revision are available elsewhere only.
func TestOnOneNode(t *testing.T) {
	on := func(node, revision string, up bool) *corev1.Pod {
		p := pod(t, "spec: {containers: [{name: app}]}", "status: {phase: Running}")
		p.Name, p.Spec.NodeName, p.Labels = node+revision, node, map[string]string{appsv1.ControllerRevisionHashLabelKey: revision}
		if up {
			p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
		}
		return p
	}
	ab := []*corev1.Pod{on("n3", "a", false), on("n3", "a", false)}
	for name, c := range map[string]struct {
		failing, others []*corev1.Pod
		class           Class
		want            string
	}{
		"all on one":                {ab, []*corev1.Pod{on("n1", "a", true)}, CrashLoop, "fails on n3"},
		"one alone":                 {ab[:1], []*corev1.Pod{on("n1", "a", true)}, CrashLoop, "fails"},
		"no other is there":         {ab, nil, CrashLoop, "fails"},
		"one is available there":    {ab, []*corev1.Pod{on("n1", "a", true), on("n3", "a", true)}, CrashLoop, "fails"},
		"another is not available":  {ab, []*corev1.Pod{on("n1", "a", false)}, CrashLoop, "fails"},
		"others of an old revision": {ab, []*corev1.Pod{on("n1", "b", true)}, CrashLoop, "fails"},
		"on two nodes":              {append(ab[:1:1], on("n2", "a", false)), []*corev1.Pod{on("n1", "a", true)}, CrashLoop, "fails"},
		"every Pod passes it":       {ab, []*corev1.Pod{on("n1", "a", true)}, Step, "fails"},
	} {
		causes := make([]decision.Cause, len(c.failing))
		for i := range causes {
			causes[i] = decision.Cause{Label: "fails", Class: string(c.class)}
		}
		onOneNode(causes, c.failing, slices.Concat(c.failing, c.others), &Options{Now: now})
		for i := range causes {
			if causes[i].Label != c.want {
				t.Errorf("%s: %q, want %q", name, causes[i].Label, c.want)
			}
		}
	}
}
