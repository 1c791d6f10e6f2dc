package health

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

func read[T any](t *testing.T, text string) *T {
	t.Helper()
	var obj T
	if err := yaml.UnmarshalStrict([]byte(text), &obj); err != nil {
		t.Fatal(err)
	}
	return &obj
}

// TestPlacement: what files hold of nodes and volumes says why no node fits.
func TestPlacement(t *testing.T) {
	const onHost = `spec: {nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [%]}]}]}}}`
	const inZone = `spec: {nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [a]}]}]}}}`
	b := view.NewOpenBuilder(now)
	b.Add(view.Nodes, read[corev1.Node](t, `{metadata: {name: n1, labels: {kubernetes.io/hostname: h1}}}`))
	b.Add(view.Nodes, read[corev1.Node](t, `{metadata: {name: n2, labels: {kubernetes.io/hostname: h2}}, spec: {taints: [{key: node.kubernetes.io/disk-pressure, effect: NoSchedule}]}}`))
	b.Add(view.Nodes, read[corev1.Node](t, `{metadata: {name: n3, labels: {kubernetes.io/hostname: h3}}, spec: {unschedulable: true}}`))
	b.Add(view.Nodes, read[corev1.Node](t, `{metadata: {name: n4, labels: {kubernetes.io/hostname: h4}}, status: {conditions: [{type: Ready, status: Unknown}]}}`))
	for name, spec := range map[string]string{"there": "h1", "gone": "h9", "shut": "h3", "lost": "h4", "either": "h3, h1"} {
		b.Add(view.PersistentVolumeClaims, read[corev1.PersistentVolumeClaim](t, `{metadata: {namespace: shop, name: `+name+`}, spec: {volumeName: pv-`+name+`}}`))
		b.Add(view.PersistentVolumes, read[corev1.PersistentVolume](t, "metadata: {name: pv-"+name+"}\n"+strings.Replace(onHost, "%", spec, 1)))
	}
	b.Add(view.PersistentVolumeClaims, read[corev1.PersistentVolumeClaim](t, `{metadata: {namespace: shop, name: zone}, spec: {volumeName: pv-zone}}`))
	b.Add(view.PersistentVolumes, read[corev1.PersistentVolume](t, "metadata: {name: pv-zone}\n"+inZone))
	b.Add(view.PersistentVolumeClaims, read[corev1.PersistentVolumeClaim](t, `{metadata: {namespace: shop, name: unbound}}`))
	r := b.View().Reader()
	const unfit = "0/2 nodes are available: "
	for _, tt := range []struct{ claim, message, want string }{
		{"gone", "2 node(s) had volume node affinity conflict.", "PersistentVolume pv-gone of claim gone can be used only on node h9, which is not there; " + unfit + "2 node(s) had volume node affinity conflict."},
		{"gone", "2 Insufficient cpu.", unfit + "2 Insufficient cpu."},
		{"gone", "2 node(s) didn't match PersistentVolume's node affinity.", "PersistentVolume pv-gone of claim gone can be used only on node h9, which is not there; " + unfit + "2 node(s) didn't match PersistentVolume's node affinity."},
		{"there", "2 node(s) had volume node affinity conflict.", unfit + "2 node(s) had volume node affinity conflict."},
		{"shut", "2 node(s) had volume node affinity conflict.", "PersistentVolume pv-shut of claim shut can be used only on node h3, which is cordoned; " + unfit + "2 node(s) had volume node affinity conflict."},
		{"lost", "2 node(s) had volume node affinity conflict.", "PersistentVolume pv-lost of claim lost can be used only on node h4, which is NotReady; " + unfit + "2 node(s) had volume node affinity conflict."},
		{"either", "2 node(s) had volume node affinity conflict.", unfit + "2 node(s) had volume node affinity conflict."},
		{"zone", "2 node(s) had volume node affinity conflict.", unfit + "2 node(s) had volume node affinity conflict."},
		{"unbound", "2 node(s) had volume node affinity conflict.", unfit + "2 node(s) had volume node affinity conflict."},
		{"there", "1 node(s) had untolerated taint {node.kubernetes.io/disk-pressure: }.", unfit + "1 node(s) had untolerated taint {node.kubernetes.io/disk-pressure: }; node DiskPressure: n2"},
		{"there", "1 node(s) had untolerated taint {node.kubernetes.io/not-ready: }.", unfit + "1 node(s) had untolerated taint {node.kubernetes.io/not-ready: }."},
	} {
		p := pod(t, `spec: {volumes: [{name: v, persistentVolumeClaim: {claimName: `+tt.claim+`}}]}`, "status: {}")
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: "Unschedulable", Message: unfit + tt.message}}
		if all := Pods(r, []*corev1.Pod{p}, Options{Now: now}); len(all) != 1 || all[0].Message != tt.want {
			t.Errorf("%s: %v\nwant %s", tt.claim, all, tt.want)
		}
	}
}

// TestPodsThatFail: Pods that fail one after another are a cause where one is missing, and
// one that is available and restarts blocks nothing.
func TestPodsThatFail(t *testing.T) {
	failed := func(name, reason, created string) *corev1.Pod {
		p := pod(t, onNode, "status: {phase: Failed, reason: "+reason+", message: no GPU}")
		p.Name, p.CreationTimestamp = name, read[corev1.Pod](t, "metadata: {creationTimestamp: '2026-07-01T"+created+"Z'}").CreationTimestamp
		return p
	}
	creating := pod(t, onNode, status("11:59:30", `state: {waiting: {reason: ContainerCreating}}`))
	ready := pod(t, onNode, readySince("11:00:00", "state: {running: {}}"))
	flaps := pod(t, onNode, readySince("11:59:30", `restartCount: 6, state: {running: {startedAt: '2026-07-01T11:59:20Z'}}, lastState: {terminated: {reason: Error, exitCode: 137, startedAt: '2026-07-01T11:50:00Z', finishedAt: '2026-07-01T11:59:00Z'}}`))
	calm := pod(t, onNode, readySince("11:59:30", `restartCount: 2, state: {running: {startedAt: '2026-07-01T11:59:20Z'}}, lastState: {terminated: {reason: Error, exitCode: 137, finishedAt: '2026-07-01T11:59:00Z'}}`))
	quiet := pod(t, onNode, readySince("11:59:30", `restartCount: 3, state: {running: {startedAt: '2026-07-01T11:59:20Z'}}, lastState: {terminated: {reason: Completed, exitCode: 0, finishedAt: '2026-07-01T11:59:00Z'}}`))
	old := pod(t, onNode, readySince("11:49:30", `restartCount: 6, state: {running: {startedAt: '2026-07-01T11:49:20Z'}}, lastState: {terminated: {reason: Error, exitCode: 137, finishedAt: '2026-07-01T11:49:00Z'}}`))
	leaks := pod(t, onNode, readySince("11:31:30", `restartCount: 6, state: {running: {startedAt: '2026-07-01T11:31:20Z'}}, lastState: {terminated: {reason: OOMKilled, exitCode: 137, finishedAt: '2026-07-01T11:31:00Z'}}`))
	leaked := pod(t, onNode, readySince("10:31:30", `restartCount: 6, state: {running: {startedAt: '2026-07-01T10:31:20Z'}}, lastState: {terminated: {reason: OOMKilled, exitCode: 137, finishedAt: '2026-07-01T10:31:00Z'}}`))
	car := pod(t, withCar, readySince("11:59:30", "state: {running: {}}"))
	car.Status.InitContainerStatuses = read[corev1.Pod](t, `status: {initContainerStatuses: [{name: mesh, ready: true, started: true, restartCount: 4, state: {running: {startedAt: '2026-07-01T11:59:20Z'}}, lastState: {terminated: {reason: Error, exitCode: 1, finishedAt: '2026-07-01T11:59:00Z'}}}]}`).Status.InitContainerStatuses
	sandbox := pod(t, withInit, status("11:59:30", `state: {waiting: {reason: PodInitializing}}`))
	sandbox.Status.InitContainerStatuses = read[corev1.Pod](t, `status: {initContainerStatuses: [{name: migrate, restartCount: 3, state: {running: {startedAt: '2026-07-01T11:59:00Z'}}, lastState: {terminated: {reason: Completed, exitCode: 0, finishedAt: '2026-07-01T11:58:00Z'}}}]}`).Status.InitContainerStatuses
	loop := []*corev1.Pod{failed("a", "UnexpectedAdmissionError", "11:58:00"), failed("b", "UnexpectedAdmissionError", "11:55:00"), failed("c", "Evicted", "11:58:00"), failed("d", "UnexpectedAdmissionError", "10:59:00")}
	for _, tt := range []struct {
		name string
		pods []*corev1.Pod
		want string
	}{
		{"in a loop", append(loop, creating), "pod/p ContainerCreating: the kubelet of node n1 starts it; pod/a 2 Pods rejected on n1 (UnexpectedAdmissionError): 2 Pods rejected on n1 (UnexpectedAdmissionError): no GPU; "},
		{"in a loop, and all is there", append(loop, ready), ""},
		{"flaps", []*corev1.Pod{flaps, ready}, "pod/p restarting: available now; Error (137), 6 restarts, last 60s ago; "},
		{"ended with 0", []*corev1.Pod{quiet}, "pod/p restarting: available now; Completed (0), 3 restarts, last 60s ago; "},
		{"restarted", []*corev1.Pod{calm}, ""},
		{"restarted long ago", []*corev1.Pod{old}, ""},
		{"was killed for its memory", []*corev1.Pod{leaks}, "pod/p restarting: available now; OOMKilled (137), 6 restarts, last 29m ago; "},
		{"was so long ago", []*corev1.Pod{leaked}, ""},
		{"a sidecar flaps", []*corev1.Pod{car}, "pod/p restarting: available now; Error (1), 4 restarts, last 60s ago; "},
		{"init container of a new sandbox", []*corev1.Pod{sandbox}, "pod/p initializing: init container has run for 60s; "},
	} {
		got := ""
		for _, c := range Pods(view.NewOpenBuilder(now).View().Reader(), tt.pods, Options{Now: now}) {
			got += c.Object.String() + " " + c.Label + ": " + c.Message + "; "
			if c.Blocked {
				t.Errorf("%s: blocked by %s", tt.name, c.Label)
			}
		}
		if got != tt.want {
			t.Errorf("%s: got  %s\nwant %s", tt.name, got, tt.want)
		}
	}
}
