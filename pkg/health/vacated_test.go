package health

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestVacated: a Pod waits for the place of one that is being deleted, unless nothing ends
// that deletion or the place does not fit. Each place is there for one Pod.
func TestVacated(t *testing.T) {
	waits := func(name, message string) *corev1.Pod {
		p := pod(t, `spec: {containers: [{name: app}]}`, "status: {}")
		p.Name = name
		p.Status.Conditions = []corev1.PodCondition{{
			Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable, Message: message, LastTransitionTime: metav1.NewTime(now.Add(-time.Hour)),
		}}
		return p
	}
	going := func(left time.Duration, edit func(*corev1.Pod)) *corev1.Pod {
		p := pod(t, onNode, "status: {phase: Running}")
		p.Name, p.DeletionTimestamp = "going", &metav1.Time{Time: now.Add(left)}
		if edit != nil {
			edit(p)
		}
		return p
	}
	const ports = "0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports."
	for name, tt := range map[string]struct {
		message string
		going   *corev1.Pod
		want    string
	}{
		"in time":        {ports, going(40*time.Second, nil), "waiting for the place of a Terminating Pod (within 40s)"},
		"just late":      {ports, going(-10*time.Second, nil), "waiting for the place of a Terminating Pod (any moment)"},
		"overdue":        {ports, going(-time.Minute, nil), "Unschedulable (host ports in use)"},
		"a finalizer":    {ports, going(time.Minute, func(p *corev1.Pod) { p.Finalizers = []string{"a/b"} }), "Unschedulable (host ports in use)"},
		"ended":          {ports, going(time.Minute, func(p *corev1.Pod) { p.Status.Phase = corev1.PodFailed }), "Unschedulable (host ports in use)"},
		"no node":        {ports, going(time.Minute, func(p *corev1.Pod) { p.Spec.NodeName = "" }), "Unschedulable (host ports in use)"},
		"a lost node":    {ports, going(time.Minute, func(p *corev1.Pod) { p.Spec.NodeName = "lost" }), "Unschedulable (host ports in use)"},
		"a cordoned one": {ports, going(time.Minute, func(p *corev1.Pod) { p.Spec.NodeName = "cordoned" }), "Unschedulable (host ports in use)"},
		"another place":  {ports, going(time.Minute, func(p *corev1.Pod) { p.Spec.NodeSelector = map[string]string{"a": "b"} }), "Unschedulable (host ports in use)"},
		"no crowd":       {"0/1 nodes are available: 1 node(s) were unschedulable.", going(time.Minute, nil), "Unschedulable (nodes cordoned)"},
	} {
		b := view.NewOpenBuilder(now)
		b.Add(view.Nodes, read[corev1.Node](t, `{metadata: {name: lost}, status: {conditions: [{type: Ready, status: Unknown}]}}`))
		b.Add(view.Nodes, read[corev1.Node](t, `{metadata: {name: cordoned}, spec: {unschedulable: true}, status: {conditions: [{type: Ready, status: "True"}]}}`))
		b.Add(view.Pods, tt.going)
		var got []string
		for _, c := range Pods(b.View().Reader(), []*corev1.Pod{waits("one", tt.message), waits("two", tt.message)}, Options{Now: now}) {
			if got = append(got, c.Label); strings.HasPrefix(c.Label, "waiting") == c.Blocked {
				t.Errorf("%s: %s blocks: %t", name, c.Label, c.Blocked)
			}
		}
		want := []string{tt.want, tt.want}
		if strings.HasPrefix(tt.want, "waiting") { // one of the two
			want[0] = "Unschedulable (host ports in use)"
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestVictims: a Pod waits for the last of those that were preempted for it, and one that is
// preempted for it leaves no place to others.
func TestVictims(t *testing.T) {
	b := view.NewOpenBuilder(now)
	victim := func(name string, left time.Duration) {
		p := pod(t, onNode, "status: {phase: Running, conditions: [{type: DisruptionTarget, status: 'True', reason: PreemptionByScheduler}]}")
		p.Name, p.DeletionTimestamp = name, &metav1.Time{Time: now.Add(left)}
		b.Add(view.Pods, p)
	}
	victim("first", 10*time.Second)
	victim("last", 20*time.Second)
	var waiting []*corev1.Pod
	for _, nominated := range []string{"n1", ""} {
		p := pod(t, `spec: {containers: [{name: app}]}`,
			`status: {conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable, message: "0/1 nodes are available: 1 Insufficient cpu.", lastTransitionTime: '2026-07-01T11:40:00Z'}]}`)
		p.Name, p.Status.NominatedNodeName = "waits-"+nominated, nominated
		waiting = append(waiting, p)
	}
	got := map[string]string{}
	for _, c := range Pods(b.View().Reader(), waiting, Options{Now: now}) {
		got[c.Object.Name] = c.Label
	}
	want := map[string]string{"waits-n1": "waiting for the place of a Terminating Pod (within 20s)", "waits-": "Unschedulable (Insufficient cpu)"}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestPreemptedStays: a Pod waits for the one that was preempted for it, where that is not
// removed.
func TestPreemptedStays(t *testing.T) {
	const disrupted = "{type: DisruptionTarget, status: 'True', reason: PreemptionByScheduler}"
	for name, tt := range map[string]struct{ nominated, condition, deleted, want string }{
		"overdue":         {"n1", disrupted, "11:50:00", "waiting for preempted Pod victim"},
		"another node":    {"n2", disrupted, "11:50:00", "Unschedulable (Insufficient cpu)"},
		"none":            {"", disrupted, "11:50:00", "Unschedulable (Insufficient cpu)"},
		"another's cause": {"n1", "{type: DisruptionTarget, status: 'True', reason: EvictionByEvictionAPI}", "11:50:00", "Unschedulable (Insufficient cpu)"},
		"in time":         {"n1", disrupted, "12:00:40", "waiting for the place of a Terminating Pod (within 40s)"}, // for which it asks for more
		"for another":     {"", disrupted, "12:00:40", "Unschedulable (Insufficient cpu)"},
	} {
		victim := pod(t, onNode, "status: {phase: Running, conditions: ["+tt.condition+"]}")
		at, _ := time.Parse(time.RFC3339, "2026-07-01T"+tt.deleted+"Z")
		victim.Name, victim.DeletionTimestamp = "victim", &metav1.Time{Time: at}
		waits := pod(t, `spec: {nodeSelector: {a: b}, containers: [{name: app}]}`,
			`status: {conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable, message: "0/1 nodes are available: 1 Insufficient cpu.", lastTransitionTime: '2026-07-01T11:40:00Z'}]}`)
		waits.Status.NominatedNodeName = tt.nominated
		b := view.NewOpenBuilder(now)
		b.Add(view.Pods, victim)
		c := Pods(b.View().Reader(), []*corev1.Pod{waits}, Options{Now: now})[0]
		if comes := strings.HasPrefix(tt.want, "waiting for the place"); c.Label != tt.want || c.Blocked == comes {
			t.Errorf("%s: %s, blocked %t", name, c.Label, c.Blocked)
		}
		if named := c.Next == "kubectl ctrl explain pod/victim -n shop"; named != strings.HasPrefix(c.Label, "waiting for preempted") {
			t.Errorf("%s: next %s", name, c.Next)
		}
	}
}
