package health

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestAfterPreemption: of a Pod that waits for room it is said that Pods like it were preempted,
// and for which one.
func TestAfterPreemption(t *testing.T) {
	const room, after = "Unschedulable (Insufficient cpu)", "Unschedulable (Insufficient cpu, preempted)"
	victim := func(name, message string, ago time.Duration) *corev1.Event {
		return &corev1.Event{
			ObjectMeta:     metav1.ObjectMeta{Namespace: "shop", Name: fmt.Sprintf("%s.%d", name, ago)},
			InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: "shop", Name: name, UID: types.UID(name)},
			Reason:         "Preempted", Message: message, EventTime: metav1.NewMicroTime(now.Add(-ago)),
		}
	}
	const byKnown, byOther = "Preempted by pod u-1 on node n1", "Preempted by podgroup u-2 on node n1"
	related := victim("web-1-aaaaa", byOther, time.Minute)
	related.Related = &corev1.ObjectReference{Namespace: "live", Name: "web", UID: "u-2"}
	scheduled := victim("web-1-aaaaa", byKnown, time.Minute)
	scheduled.Reason = "Scheduled"
	for name, tt := range map[string]struct {
		events             []*corev1.Event
		lacks, label, said string
	}{
		"by a Pod":             {[]*corev1.Event{victim("web-1-aaaaa", byKnown, 2*time.Minute)}, "Insufficient cpu", after, "web-1-aaaaa was preempted 2m ago by pod live (priority 1000); 0/1 "},
		"the last of two":      {[]*corev1.Event{victim("web-1-aaaaa", byOther, 3*time.Minute), victim("web-1-bbbbb", byKnown, 2*time.Minute)}, "Insufficient cpu", after, "web-1-bbbbb was preempted 2m ago by pod live (priority 1000), and 1 more like it; "},
		"by what is not known": {[]*corev1.Event{victim("web-1-aaaaa", byOther, time.Minute)}, "Insufficient cpu", after, "web-1-aaaaa was preempted 60s ago by podgroup u-2; "},
		"from elsewhere":       {[]*corev1.Event{related}, "Insufficient cpu", after, "web-1-aaaaa was preempted 60s ago by podgroup live/web; "},
		"in other words":       {[]*corev1.Event{victim("web-1-aaaaa", "Preempted", time.Minute)}, "Insufficient cpu", after, "web-1-aaaaa was preempted 60s ago; "},
		"long ago":             {[]*corev1.Event{victim("web-1-aaaaa", byKnown, 2*time.Hour)}, "Insufficient cpu", room, "0/1 "},
		"of another set":       {[]*corev1.Event{victim("web-1-x-aaaaa", byKnown, time.Minute), victim("api-aaaaa", byKnown, time.Minute)}, "Insufficient cpu", room, "0/1 "},
		"another event":        {[]*corev1.Event{scheduled}, "Insufficient cpu", room, "0/1 "},
		"none":                 {nil, "Insufficient cpu", room, "0/1 "},
		"no lack of room":      {[]*corev1.Event{victim("web-1-aaaaa", byKnown, time.Minute)}, "node(s) were unschedulable", "Unschedulable (nodes cordoned)", "0/1 "},
	} {
		waits := pod(t, `spec: {containers: [{name: app}]}`, `status: {conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable, message: "0/1 nodes are available: 1 `+tt.lacks+`.", lastTransitionTime: '2026-07-01T11:40:00Z'}]}`)
		waits.Name, waits.GenerateName = "web-1-ccccc", "web-1-"
		live := pod(t, onNode, "status: {}")
		live.Name, live.UID, live.Spec.Priority = "live", "u-1", new(int32(1000))
		b := view.NewOpenBuilder(now)
		b.Add(view.Pods, live)
		for _, e := range tt.events {
			b.Add(view.Events, e)
		}
		r := b.View().Reader()
		c := Pods(r, []*corev1.Pod{waits}, Options{Now: now})[0]
		if c.Label != tt.label || !strings.HasPrefix(c.Message, tt.said) || !c.Blocked {
			t.Errorf("%s: %s: %s", name, c.Label, c.Message)
		}
		asked := false
		for _, read := range r.Asked() {
			asked = asked || strings.Contains(read.Fields, "reason=Preempted")
		}
		if asked != strings.HasPrefix(tt.lacks, "Insufficient") {
			t.Errorf("%s: events were asked for: %t", name, asked)
		}
	}
}
