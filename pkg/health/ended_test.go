package health_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
)

func TestNoteEnded(t *testing.T) {
	ended := func(phase corev1.PodPhase, reason, node string) *corev1.Pod {
		return &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: "web-1"}, Spec: corev1.PodSpec{NodeName: node},
			Status: corev1.PodStatus{Phase: phase, Reason: reason},
		}
	}
	going := ended(corev1.PodFailed, "Evicted", "n1")
	going.DeletionTimestamp = new(metav1.NewTime(time.Unix(0, 0)))
	drained := ended(corev1.PodFailed, "Terminated", "n1")
	drained.Status.Conditions = []corev1.PodCondition{{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(time.Unix(60, 0))}}
	const threshold = "; the Pod garbage collector starts beyond 12500 ended Pods in the cluster (default of --terminated-pod-gc-threshold), and deletes any whose node does not exist"
	for name, c := range map[string]struct {
		pods []*corev1.Pod
		want string
	}{
		"none":             {pods: []*corev1.Pod{ended(corev1.PodRunning, "", "n1"), going}},
		"one":              {[]*corev1.Pod{ended(corev1.PodFailed, "Evicted", "n1"), going}, "Failed Pod web-1 (Evicted, on node n1) is not counted, and stays until it is deleted"},
		"one without more": {[]*corev1.Pod{ended(corev1.PodSucceeded, "", "")}, "Succeeded Pod web-1 is not counted, and stays until it is deleted"},
		"one on its node":  {[]*corev1.Pod{ended(corev1.PodFailed, "", "n1")}, "Failed Pod web-1 (on node n1) is not counted, and stays until it is deleted"},
		"several":          {[]*corev1.Pod{ended(corev1.PodFailed, "Evicted", "n1"), ended(corev1.PodFailed, "Evicted", "n2")}, "2 Failed Pods (Evicted) are not counted, and stay until they are deleted"},
		"since":            {[]*corev1.Pod{drained}, "Failed Pod web-1 (Terminated, on node n1) since 1970-01-01T00:01:00Z is not counted, and stays until it is deleted"},
		"of several reasons": {
			[]*corev1.Pod{ended(corev1.PodSucceeded, "", "n2"), ended(corev1.PodFailed, "NodeAffinity", "n1"), ended(corev1.PodFailed, "Evicted", "n1"), ended(corev1.PodFailed, "Evicted", "n2")},
			"2 Failed Pods (Evicted), 1 Failed Pod (NodeAffinity), 1 Succeeded Pod are not counted, and stay until they are deleted",
		},
	} {
		d := &decision.Decision{}
		health.NoteEnded(d, c.pods)
		var got string
		for _, c := range d.Caveats {
			got += c.Message
		}
		if c.want != "" {
			c.want += threshold
		}
		if got != c.want {
			t.Errorf("%s: says\n%q, want\n%q", name, got, c.want)
		}
	}
}
