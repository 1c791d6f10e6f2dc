package health

import (
	"cmp"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

var now = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

// pod is a Pod of one container, on a node and not ready for ten minutes, with
// what the text says of its status.
func pod(t *testing.T, spec, status string) *corev1.Pod {
	t.Helper()
	text := "metadata: {name: p, namespace: shop, uid: u, creationTimestamp: '2026-07-01T11:00:00Z'}\n" + spec + "\n" + status
	var p corev1.Pod
	if err := yaml.UnmarshalStrict([]byte(text), &p); err != nil {
		t.Fatal(err)
	}
	return &p
}

const (
	onNode   = `spec: {nodeName: n1, containers: [{name: app, image: shop/edge:1.9}]}`
	probed   = `spec: {nodeName: n1, containers: [{name: app, image: i, readinessProbe: {}}]}`
	slow     = `spec: {nodeName: n1, containers: [{name: app, image: i, startupProbe: {}}]}`
	unbound  = `spec: {containers: [{name: app, image: i}]}`
	withInit = `spec: {nodeName: n1, initContainers: [{name: migrate, image: i}], containers: [{name: app, image: i}]}`
	withCar  = `spec: {nodeName: n1, initContainers: [{name: mesh, image: i, restartPolicy: Always, startupProbe: {}}], containers: [{name: app, image: i}]}`
	gates    = `spec: {nodeName: n1, readinessGates: [{conditionType: lb/ready}], containers: [{name: app, image: i}]}`
)

// status is that of a Pod which is not ready since an instant of the hour 11, or
// of 12, with its only container in a state.
func status(since, container string) string {
	return "status: {phase: Running, conditions: [{type: Initialized, status: 'True', lastTransitionTime: '2026-07-01T11:00:01Z'}, {type: Ready, status: 'False', lastTransitionTime: '2026-07-01T" +
		since + "Z'}], containerStatuses: [{name: app, " + container + "}]}"
}

func readySince(since, more string) string {
	return "status: {phase: Running, conditions: [{type: Ready, status: 'True', lastTransitionTime: '2026-07-01T" + since + "Z'}], containerStatuses: [{name: app, ready: true, started: true, " + more + "}]}"
}

// often is an event that was seen several times.
func often(e *corev1.Event) *corev1.Event {
	e.Count = 3
	return e
}

func event(reason, message, last string) *corev1.Event {
	at, err := time.Parse(time.RFC3339, "2026-07-01T"+last+"Z")
	if err != nil {
		panic(err)
	}
	return &corev1.Event{ObjectMeta: metav1.ObjectMeta{Name: "e"}, Reason: reason, Message: message,
		InvolvedObject: corev1.ObjectReference{UID: "u"}, LastTimestamp: metav1.NewTime(at)}
}

// about is an event about a container.
func about(container string, e *corev1.Event) *corev1.Event {
	e.InvolvedObject.FieldPath = "spec.containers{" + container + "}"
	return e
}

func TestCauses(t *testing.T) {
	const oom = `restartCount: 17, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {reason: OOMKilled, exitCode: 137, finishedAt: '2026-07-01T11:58:00Z'}}`
	tests := []struct {
		name         string
		spec, status string
		events       []*corev1.Event
		options      Options
		// want is reason, label, container: message.
		want    string
		blocked bool
		// at is from when it blocks, "" for never told.
		at string
	}{
		{name: "ready", spec: onNode, status: readySince("11:00:00", "state: {running: {}}")},
		{name: "ready for too short", spec: onNode, status: readySince("11:59:50", "state: {running: {}}"), options: Options{MinReady: 30 * time.Second},
			want: "MinReadySeconds, waiting for minReadySeconds: ready for 10s of minReadySeconds (30s)"},
		{name: "ready again for too short", spec: probed, status: readySince("11:59:50", "state: {running: {startedAt: '2026-07-01T11:49:20Z'}}"), options: Options{MinReady: 30 * time.Second},
			events: []*corev1.Event{often(event("Unhealthy", "Readiness probe failed: 503", "11:59:20"))},
			want:   "MinReadySeconds, readiness probe failed lately: ready for 10s of minReadySeconds (30s), which each failure starts anew; 40s ago: Readiness probe failed: 503"},
		{name: "ready again, once", spec: probed, status: readySince("11:59:50", "state: {running: {startedAt: '2026-07-01T11:49:20Z'}}"), options: Options{MinReady: 30 * time.Second},
			events: []*corev1.Event{event("Unhealthy", "Readiness probe failed: 503", "11:59:20")},
			want:   "MinReadySeconds, waiting for minReadySeconds: ready for 10s of minReadySeconds (30s)"},
		{name: "ready again, long after", spec: probed, status: readySince("11:59:50", "state: {running: {startedAt: '2026-07-01T11:49:20Z'}}"), options: Options{MinReady: 30 * time.Second},
			events: []*corev1.Event{often(event("Unhealthy", "Readiness probe failed: 503", "11:59:19"))},
			want:   "MinReadySeconds, waiting for minReadySeconds: ready for 10s of minReadySeconds (30s)"},
		{name: "ready for the first time", spec: probed, status: readySince("11:59:50", "state: {running: {startedAt: '2026-07-01T11:49:21Z'}}"), options: Options{MinReady: 30 * time.Second},
			events: []*corev1.Event{often(event("Unhealthy", "Readiness probe failed: 503", "11:59:40"))},
			want:   "MinReadySeconds, waiting for minReadySeconds: ready for 10s of minReadySeconds (30s)"},
		{name: "just ready enough, since 1.34", spec: onNode, status: readySince("11:59:30", "state: {running: {}}"), options: Options{MinReady: 30 * time.Second, Exact: true}},
		{name: "just ready enough, before", spec: onNode, status: readySince("11:59:30", "state: {running: {}}"), options: Options{MinReady: 30 * time.Second},
			want: "MinReadySeconds, waiting for minReadySeconds: ready for 30s of minReadySeconds (30s)"},
		{name: "unschedulable", spec: unbound,
			status: `status: {conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable, message: '0/12 nodes are available: 12 Insufficient cpu.', lastTransitionTime: '2026-07-01T11:58:00Z'}]}`,
			want:   "Unschedulable, Unschedulable (Insufficient cpu): 0/12 nodes are available: 12 Insufficient cpu.", blocked: true, at: "12:00:00"},
		{name: "unschedulable a moment less", spec: unbound,
			status: `status: {conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable, message: m, lastTransitionTime: '2026-07-01T11:58:01Z'}]}`,
			want:   "Unschedulable, Unschedulable: m", at: "12:00:01"},
		{name: "the volume of a claim is gone", spec: unbound,
			status: `status: {conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable, message: '0/3 nodes are available: persistentvolumeclaim "data" bound to non-existent persistentvolume "pv-1".', lastTransitionTime: '2026-07-01T11:58:00Z'}]}`,
			want:   `Unschedulable, PVC Lost (data): PersistentVolume pv-1 of PersistentVolumeClaim data is gone, and the claim gets no other; 0/3 nodes are available: persistentvolumeclaim "data" bound to non-existent persistentvolume "pv-1".`, blocked: true, at: "12:00:00"},
		{name: "nodes are added", spec: unbound,
			status: `status: {conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable, message: m, lastTransitionTime: '2026-07-01T11:40:00Z'}]}`,
			events: []*corev1.Event{event("TriggeredScaleUp", "pool 3->4", "11:50:00")},
			want:   "Unschedulable, Unschedulable: m; the cluster autoscaler adds nodes since 10m: pool 3->4", at: "12:05:00"},
		{name: "no scheduler", spec: `spec: {schedulerName: mine, containers: [{name: app}]}`, status: "status: {}",
			want: "Pending, not scheduled: no scheduler has looked at it: mine", blocked: true, at: "11:02:00"},
		{name: "gated", spec: `spec: {schedulingGates: [{name: queue/admit}], containers: [{name: app}]}`,
			status: `status: {conditions: [{type: PodScheduled, status: 'False', reason: SchedulingGated, lastTransitionTime: '2026-07-01T11:57:00Z'}]}`,
			want:   "SchedulingGated, SchedulingGated: scheduling gates: queue/admit", at: "12:02:00"},
		{name: "image not found", spec: onNode, status: status("11:59:59", `state: {waiting: {reason: ErrImagePull, message: 'rpc error: manifest for shop/edge:1.9 not found: manifest unknown'}}`),
			want: "ErrImagePull, image not found, app: image shop/edge:1.9 not found", blocked: true, at: "11:59:59"},
		{name: "image of another platform", spec: onNode, status: status("11:59:59", `state: {waiting: {reason: ErrImagePull, message: 'failed to pull image "shop/edge:1.9": no match for platform in manifest: not found'}}`),
			want: "ErrImagePull, image of another platform, app: image shop/edge:1.9 is not built for the platform of its node", blocked: true, at: "11:59:59"},
		{name: "an image whose name says something", spec: `spec: {nodeName: n1, containers: [{name: app, image: shop/denied-429:429}]}`, status: status("11:59:59", `state: {waiting: {reason: ErrImagePull, message: 'failed to resolve "docker.io/shop/denied-429:429": not found, sha256:a4290'}}`),
			want: "ErrImagePull, image not found, app: image shop/denied-429:429 not found", blocked: true, at: "11:59:59"},
		{name: "registry is busy, in short", spec: onNode, status: status("11:58:01", `state: {waiting: {reason: ErrImagePull, message: 'status 429 for shop/edge:1.9, not found in cache'}}`),
			want: "ErrImagePull, image pull rate-limited, app: image shop/edge:1.9 cannot be pulled: status 429 for shop/edge:1.9, not found in cache", at: "12:00:01"},
		{name: "image denied", spec: onNode, status: status("11:59:59", `state: {waiting: {reason: ImagePullBackOff, message: 'Back-off pulling image "x": ErrImagePull: pull access denied, repository does not exist'}}`),
			want: "ErrImagePull, image pull denied, app: image shop/edge:1.9 denied by the registry; the Pod has no imagePullSecrets", blocked: true, at: "11:59:59"},
		{name: "image name", spec: onNode, status: status("11:59:59", `state: {waiting: {reason: InvalidImageName}}`),
			want: "InvalidImageName, invalid image name, app: image shop/edge:1.9 is no valid name", blocked: true, at: "11:59:59"},
		{name: "never pulled", spec: onNode, status: status("11:59:59", `state: {waiting: {reason: ErrImageNeverPull}}`),
			want: "ErrImageNeverPull, image not on its node, app: image shop/edge:1.9 is not on the node, and imagePullPolicy is Never", blocked: true, at: "11:59:59"},
		{name: "registry is busy", spec: onNode, status: status("11:58:01", `state: {waiting: {reason: ErrImagePull, message: '429 Too Many Requests'}}`),
			want: "ErrImagePull, image pull rate-limited, app: image shop/edge:1.9 cannot be pulled: 429 Too Many Requests", at: "12:00:01"},
		{name: "registry counts requests", spec: onNode, status: status("11:58:01", `state: {waiting: {reason: ErrImagePull, message: 'toomanyrequests: You have reached your pull rate limit'}}`),
			want: "ErrImagePull, image pull rate-limited, app: image shop/edge:1.9 cannot be pulled: toomanyrequests: You have reached your pull rate limit", at: "12:00:01"},
		{name: "registry is down", spec: onNode, status: status("11:58:00", `state: {waiting: {reason: ErrImagePull, message: 'dial tcp: lookup r: no such host'}}`),
			want: "ErrImagePull, registry not reachable, app: image shop/edge:1.9 cannot be pulled: dial tcp: lookup r: no such host", blocked: true, at: "12:00:00"},
		{name: "registry is not trusted", spec: onNode, status: status("11:58:00", `state: {waiting: {reason: ErrImagePull, message: 'tls: failed to verify certificate: x509: certificate signed by unknown authority'}}`),
			want: "ErrImagePull, registry certificate not trusted, app: image shop/edge:1.9 cannot be pulled: tls: failed to verify certificate: x509: certificate signed by unknown authority", blocked: true, at: "12:00:00"},
		{name: "disk is full", spec: onNode, status: status("11:58:00", `state: {waiting: {reason: ErrImagePull, message: 'failed to extract layer: no space left on device'}}`),
			want: "ErrImagePull, no space for the image, app: image shop/edge:1.9 cannot be pulled: failed to extract layer: no space left on device", blocked: true, at: "12:00:00"},
		{name: "registry fails", spec: onNode, status: status("11:58:00", `state: {waiting: {reason: ErrImagePull, message: '503 Service Unavailable'}}`),
			want: "ErrImagePull, image pull failing, app: image shop/edge:1.9 cannot be pulled: 503 Service Unavailable", blocked: true, at: "12:00:00"},
		{name: "an event tells", spec: onNode, status: status("11:59:59", `state: {waiting: {reason: ImagePullBackOff, message: Back-off pulling image "shop/edge:1.9"}}`),
			events: []*corev1.Event{event("Failed", `Failed to pull image "shop/edge:1.9": shop/edge:1.9: not found`, "11:59:59")},
			want:   "ErrImagePull, image not found, app: image shop/edge:1.9 not found", blocked: true, at: "11:59:59"},
		{name: "no event tells", spec: onNode, status: status("11:59:59", `state: {waiting: {reason: ImagePullBackOff, message: Back-off pulling image "shop/edge:1.9"}}`),
			want: `ErrImagePull, image pull failing, app: image shop/edge:1.9 cannot be pulled: Back-off pulling image "shop/edge:1.9"`, at: "12:01:59"},
		{name: "out of memory", spec: onNode, status: status("11:19:00", oom),
			want: "OOMKilled, OOMKilled, app: OOMKilled (137), 17 restarts, last 2m ago", blocked: true, at: "11:19:00"},
		{name: "crashed twice", spec: onNode, status: status("11:19:00", `restartCount: 2, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {reason: Error, exitCode: 1, finishedAt: '2026-07-01T11:59:30Z'}}`),
			want: "CrashLoopBackOff, CrashLoopBackOff, app: Error (1), 2 restarts, last 30s ago"},
		{name: "ended once", spec: onNode, status: status("11:59:40", `state: {terminated: {reason: Error, exitCode: 1, finishedAt: '2026-07-01T11:59:57Z'}}`),
			want: "Error, Error, app: Error (1), 0 restarts, last 3s ago"},
		{name: "lost its node once", spec: onNode, status: status("11:59:00", `restartCount: 1, state: {waiting: {reason: ContainerCreating}}, lastState: {terminated: {reason: ContainerStatusUnknown, exitCode: 137, finishedAt: '2026-07-01T11:59:30Z'}}`),
			want: "ContainerStatusUnknown, ContainerStatusUnknown, app: ContainerStatusUnknown (137), 1 restart, last 30s ago"},
		{name: "waits for no reason", spec: onNode, status: status("11:19:00", `restartCount: 5, state: {waiting: {message: m}}, lastState: {terminated: {exitCode: 1}}`),
			want: "CrashLoopBackOff, CrashLoopBackOff, app: Error (1), 5 restarts", blocked: true, at: "11:19:00"},
		{name: "between two crashes", spec: onNode, status: status("11:19:00", `restartCount: 3, state: {running: {startedAt: '2026-07-01T11:59:50Z'}}, lastState: {terminated: {reason: Error, exitCode: 1, finishedAt: '2026-07-01T11:59:30Z'}}`),
			want: "CrashLoopBackOff, CrashLoopBackOff, app: Error (1), 3 restarts, last 30s ago", blocked: true, at: "11:19:00"},
		{name: "crashes long ago", spec: probed, status: status("11:59:00", `restartCount: 9, state: {running: {startedAt: '2026-07-01T11:49:59Z'}}, lastState: {terminated: {reason: Error, exitCode: 1}}`),
			want: "ContainersNotReady, not ready, app: runs, and its readiness probe does not succeed", at: "12:09:00"},
		{name: "before its probe begins", spec: `spec: {nodeName: n1, containers: [{name: app, image: i, readinessProbe: {initialDelaySeconds: 300}}]}`, status: status("11:58:00", `state: {running: {startedAt: '2026-07-01T11:59:00Z'}}`),
			want: "ContainersNotReady, not ready, app: runs, and its readiness probe begins in 4m (initialDelaySeconds 300)", at: "12:09:00"},
		{name: "its probe has begun", spec: `spec: {nodeName: n1, containers: [{name: app, image: i, readinessProbe: {initialDelaySeconds: 30}}]}`, status: status("11:58:00", `state: {running: {startedAt: '2026-07-01T11:59:00Z'}}`),
			want: "ContainersNotReady, not ready, app: runs, and its readiness probe does not succeed", at: "12:09:00"},
		{name: "ready for a moment", spec: onNode, options: Options{MinReady: time.Hour},
			status: readySince("11:59:30", `restartCount: 4, state: {running: {startedAt: '2026-07-01T11:59:20Z'}}, lastState: {terminated: {reason: Error, exitCode: 1, finishedAt: '2026-07-01T11:59:00Z'}}`),
			want:   "CrashLoopBackOff, CrashLoopBackOff, app: Error (1), 4 restarts, last 60s ago", blocked: true, at: "11:59:00"},
		{name: "liveness", spec: onNode,
			status: status("11:19:00", `restartCount: 5, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {reason: Error, exitCode: 137, startedAt: '2026-07-01T11:57:00Z', finishedAt: '2026-07-01T11:58:00Z'}}`),
			events: []*corev1.Event{event("Unhealthy", "Liveness probe failed: 500", "11:57:50"), event("Unhealthy", "Readiness probe failed: 503", "11:58:00")},
			want:   "CrashLoopBackOff, liveness probe failing, app: Error (137), 5 restarts, last 2m ago; Liveness probe failed: 500", blocked: true, at: "11:19:00"},
		{name: "postStart hook", spec: onNode,
			status: status("11:19:00", `restartCount: 5, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {reason: Error, exitCode: 137, startedAt: '2026-07-01T11:57:00Z', finishedAt: '2026-07-01T11:58:00Z'}}`),
			events: []*corev1.Event{event("FailedPostStartHook", "PostStartHook failed", "11:57:30")},
			want:   "CrashLoopBackOff, postStart hook failing, app: Error (137), 5 restarts, last 2m ago; its postStart hook failed", blocked: true, at: "11:19:00"},
		{name: "postStart hook, of a run that ended by itself", spec: onNode,
			status: status("11:19:00", `restartCount: 5, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {reason: Error, exitCode: 1, startedAt: '2026-07-01T11:57:00Z', finishedAt: '2026-07-01T11:58:00Z'}}`),
			events: []*corev1.Event{event("FailedPostStartHook", "PostStartHook failed", "11:57:30")},
			want:   "CrashLoopBackOff, CrashLoopBackOff, app: Error (1), 5 restarts, last 2m ago; its postStart hook failed", blocked: true, at: "11:19:00"},
		{name: "postStart hook, of a run before", spec: onNode,
			status: status("11:19:00", `restartCount: 5, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {reason: Error, exitCode: 137, startedAt: '2026-07-01T11:57:00Z', finishedAt: '2026-07-01T11:58:00Z'}}`),
			events: []*corev1.Event{event("FailedPostStartHook", "PostStartHook failed", "11:56:30")},
			want:   "CrashLoopBackOff, CrashLoopBackOff, app: Error (137), 5 restarts, last 2m ago", blocked: true, at: "11:19:00"},
		{name: "config", spec: onNode, status: status("11:59:30", `state: {waiting: {reason: CreateContainerConfigError, message: configmap "web" not found}}`),
			want: `CreateContainerConfigError, without ConfigMap "web", app: configmap "web" not found`, blocked: true, at: "12:00:00"},
		{name: "config, after a crash", spec: onNode, status: status("11:59:00", `restartCount: 1, state: {waiting: {reason: CreateContainerConfigError, message: configmap "web" not found}}, lastState: {terminated: {reason: Error, exitCode: 1, finishedAt: '2026-07-01T11:59:30Z'}}`),
			want: `CreateContainerConfigError, without ConfigMap "web", app: configmap "web" not found; before: Error (1), 1 restart, last 30s ago`, blocked: true, at: "12:00:00"},
		{name: "config, after many crashes", spec: onNode, status: status("11:50:00", `restartCount: 7, state: {waiting: {reason: CreateContainerConfigError, message: configmap "web" not found}}, lastState: {terminated: {reason: Error, exitCode: 1, finishedAt: '2026-07-01T11:50:00Z'}}`),
			want: `CreateContainerConfigError, without ConfigMap "web", app: configmap "web" not found; before: Error (1), 7 restarts, last 10m ago`, blocked: true, at: "11:50:30"},
		{name: "not created, after a crash", spec: onNode, status: status("11:40:00", `restartCount: 2, state: {waiting: {reason: CreateContainerError, message: m}}, lastState: {terminated: {reason: Error, exitCode: 1, finishedAt: '2026-07-01T11:49:59Z'}}`),
			want: "CreateContainerError, CreateContainerError, app: m; before: Error (1), 2 restarts, last 10m ago", blocked: true, at: "11:59:59"},
		{name: "not created, after many crashes", spec: onNode, status: status("11:40:00", `restartCount: 3, state: {waiting: {reason: CreateContainerError, message: m}}, lastState: {terminated: {reason: Error, exitCode: 1, finishedAt: '2026-07-01T11:59:00Z'}}`),
			want: "CreateContainerError, CreateContainerError, app: m; Error (1), 3 restarts, last 60s ago", blocked: true, at: "11:40:00"},
		{name: "readiness", spec: probed, status: status("11:51:00", `state: {running: {startedAt: '2026-07-01T11:50:00Z'}}`), options: Options{Deadline: 9 * time.Minute},
			events: []*corev1.Event{event("Unhealthy", "Readiness probe failed: 503", "11:59:00")},
			want:   "Unhealthy, readiness probe failing, app: Readiness probe failed: 503", blocked: true, at: "12:00:00"},
		{name: "readiness, before the condition", spec: probed, status: status("11:51:00", `state: {running: {startedAt: '2026-07-01T11:50:00Z'}}`),
			events: []*corev1.Event{event("Unhealthy", "Readiness probe failed: 503", "11:50:59")},
			want:   "Unhealthy, readiness probe failing, app: Readiness probe failed: 503", at: "12:01:00"},
		{name: "readiness, of an earlier run", spec: probed, status: status("11:51:00", `state: {running: {startedAt: '2026-07-01T11:50:00Z'}}`),
			events: []*corev1.Event{event("Unhealthy", "Readiness probe failed: 503", "11:49:59")},
			want:   "ContainersNotReady, not ready, app: runs, and its readiness probe does not succeed", at: "12:01:00"},
		{name: "readiness, of another container", spec: probed, status: status("11:51:00", `state: {running: {startedAt: '2026-07-01T11:50:00Z'}}`),
			events: []*corev1.Event{about("mesh", event("Unhealthy", "Readiness probe failed: 503", "11:59:00"))},
			want:   "ContainersNotReady, not ready, app: runs, and its readiness probe does not succeed", at: "12:01:00"},
		{name: "readiness, of the container", spec: probed, status: status("11:51:00", `state: {running: {startedAt: '2026-07-01T11:50:00Z'}}`),
			events: []*corev1.Event{about("app", event("Unhealthy", "Readiness probe failed: 503", "11:59:00"))},
			want:   "Unhealthy, readiness probe failing, app: Readiness probe failed: 503", at: "12:01:00"},
		{name: "readiness, no deadline", spec: probed, status: status("11:51:00", `state: {running: {startedAt: '2026-07-01T11:50:00Z'}}`),
			want: "ContainersNotReady, not ready, app: runs, and its readiness probe does not succeed", at: "12:01:00"},
		{name: "startup", spec: slow, status: status("11:51:00", `started: false, state: {running: {startedAt: '2026-07-01T11:50:00Z'}}`),
			events: []*corev1.Event{event("Unhealthy", "Startup probe failed: refused", "11:59:00")},
			want:   "Unhealthy, startup probe failing, app: Startup probe failed: refused", at: "12:01:00"},
		{name: "startup after the startup probe ended a run", spec: slow, status: status("11:51:00", `started: false, restartCount: 1, state: {running: {startedAt: '2026-07-01T11:58:00Z'}}, lastState: {terminated: {reason: Error, exitCode: 137, startedAt: '2026-07-01T11:51:00Z', finishedAt: '2026-07-01T11:57:30Z'}}`),
			events: []*corev1.Event{event("Unhealthy", "Startup probe failed: refused", "11:59:00"), event("Killing", "Container app failed startup probe, will be restarted", "11:57:00")},
			want:   "Unhealthy, startup probe failing, app: Startup probe failed: refused; before: Error (137), 1 restart, last 2m30s ago", at: "12:01:00"},
		{name: "startup after another run", spec: slow, status: status("11:51:00", `started: false, restartCount: 1, state: {running: {startedAt: '2026-07-01T11:58:00Z'}}, lastState: {terminated: {reason: Error, exitCode: 1, startedAt: '2026-07-01T11:51:00Z', finishedAt: '2026-07-01T11:57:30Z'}}`),
			events: []*corev1.Event{event("Killing", "Container app failed startup probe, will be restarted", "11:50:59")},
			want:   "ContainersNotReady, restarted after Error (1), app: runs, and its startup probe has not succeeded; before: Error (1), 1 restart, last 2m30s ago", at: "12:08:00"},
		{name: "the startup probe ends each run", spec: slow, status: status("11:51:00", `started: false, restartCount: 3, state: {running: {startedAt: '2026-07-01T11:58:00Z'}}, lastState: {terminated: {reason: Error, exitCode: 137, startedAt: '2026-07-01T11:51:00Z', finishedAt: '2026-07-01T11:57:30Z'}}`),
			events: []*corev1.Event{event("Killing", "Container app failed startup probe, will be restarted", "11:57:00")},
			want:   "CrashLoopBackOff, startup probe failing, app: Error (137), 3 restarts, last 2m30s ago", blocked: true, at: "11:51:00"},
		{name: "the liveness probe ends a run", spec: onNode, status: status("11:51:00", `restartCount: 2, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {reason: Error, exitCode: 137, startedAt: '2026-07-01T11:51:00Z', finishedAt: '2026-07-01T11:57:30Z'}}`),
			events: []*corev1.Event{event("Killing", "Container app failed liveness probe, will be restarted", "11:57:00")},
			want:   "CrashLoopBackOff, liveness probe failing, app: Error (137), 2 restarts, last 2m30s ago"},
		{name: "another container fails as well", spec: `spec: {nodeName: n1, containers: [{name: app, image: i}, {name: log, image: j}, {name: slow, image: k}]}`,
			status: `status: {phase: Running, conditions: [{type: Ready, status: 'False', lastTransitionTime: '2026-07-01T11:30:00Z'}], containerStatuses: [{name: app, restartCount: 6, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {reason: Error, exitCode: 3}}}, {name: log, state: {waiting: {reason: InvalidImageName}}}, {name: slow, state: {waiting: {reason: ContainerCreating}}}]}`,
			want:   "CrashLoopBackOff, CrashLoopBackOff, app: Error (3), 6 restarts; log: invalid image name", blocked: true, at: "11:30:00"},
		{name: "a crash loop comes before a probe that fails for long", spec: `spec: {nodeName: n1, containers: [{name: app, image: i, readinessProbe: {}}, {name: log, image: j}]}`,
			status: `status: {phase: Running, conditions: [{type: Ready, status: 'False', lastTransitionTime: '2026-07-01T11:30:00Z'}], containerStatuses: [{name: app, state: {running: {startedAt: '2026-07-01T11:30:00Z'}}}, {name: log, restartCount: 6, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {reason: Error, exitCode: 3}}}]}`,
			events: []*corev1.Event{event("Unhealthy", "Readiness probe failed: refused", "11:59:00")},
			want:   "CrashLoopBackOff, CrashLoopBackOff, log: Error (3), 6 restarts; app: readiness probe failing", blocked: true, at: "11:30:00"},
		{name: "another container is ready between two crashes", spec: `spec: {nodeName: n1, containers: [{name: app, image: i, readinessProbe: {}}, {name: db, image: j}]}`,
			status: `status: {phase: Running, conditions: [{type: Ready, status: 'False', lastTransitionTime: '2026-07-01T11:30:00Z'}], containerStatuses: [{name: app, state: {running: {startedAt: '2026-07-01T11:30:00Z'}}}, {name: db, ready: true, restartCount: 20, state: {running: {startedAt: '2026-07-01T11:59:00Z'}}, lastState: {terminated: {reason: OOMKilled, exitCode: 137, finishedAt: '2026-07-01T11:58:59Z'}}}]}`,
			events: []*corev1.Event{event("Unhealthy", "Readiness probe failed: refused", "11:59:00")},
			want:   "Unhealthy, readiness probe failing, app: Readiness probe failed: refused; db: OOMKilled (137), 20 restarts", blocked: true, at: "11:40:00"},
		{name: "a key is missing", spec: onNode, status: status("11:50:00", `state: {waiting: {reason: CreateContainerConfigError, message: "couldn't find key LOG_LEVEL in ConfigMap shop/edge-env"}}`),
			want: "CreateContainerConfigError, without key LOG_LEVEL of ConfigMap edge-env, app: couldn't find key LOG_LEVEL in ConfigMap shop/edge-env", blocked: true, at: "11:50:30"},
		{name: "runs as root", spec: onNode, status: status("11:50:00", `state: {waiting: {reason: CreateContainerConfigError, message: "container has runAsNonRoot and image will run as root (pod: x, container: app)"}}`),
			want: "CreateContainerConfigError, refused by runAsNonRoot, app: container has runAsNonRoot and image will run as root (pod: x, container: app)", blocked: true, at: "11:50:30"},
		{name: "init fails", spec: withInit,
			status: `status: {phase: Pending, conditions: [{type: Ready, status: 'False', lastTransitionTime: '2026-07-01T11:30:00Z'}], initContainerStatuses: [{name: migrate, restartCount: 6, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {reason: Error, exitCode: 3}}}], containerStatuses: [{name: app, state: {waiting: {reason: PodInitializing}}}]}`,
			want:   "CrashLoopBackOff, Init:CrashLoopBackOff, migrate: Error (3), 6 restarts", blocked: true, at: "11:30:00"},
		{name: "init runs", spec: withInit,
			status: `status: {phase: Pending, conditions: [{type: Ready, status: 'False', lastTransitionTime: '2026-07-01T11:30:00Z'}], initContainerStatuses: [{name: migrate, state: {running: {startedAt: '2026-07-01T11:55:00Z'}}}], containerStatuses: [{name: app, state: {waiting: {reason: PodInitializing}}}]}`,
			want:   "PodInitializing, initializing, migrate: init container has run for 5m", at: "12:05:00"},
		{name: "sidecar", spec: withCar,
			status: `status: {phase: Pending, conditions: [{type: Ready, status: 'False', lastTransitionTime: '2026-07-01T11:30:00Z'}], initContainerStatuses: [{name: mesh, started: false, state: {running: {startedAt: '2026-07-01T11:30:00Z'}}}], containerStatuses: [{name: app, state: {waiting: {reason: PodInitializing}}}]}`,
			want:   "ContainersNotReady, not ready, mesh: runs, and its startup probe has not succeeded", blocked: true, at: "11:40:00"},
		{name: "the startup probe ends each run of a sidecar", spec: withCar,
			status: `status: {phase: Pending, conditions: [{type: Ready, status: 'False', lastTransitionTime: '2026-07-01T11:30:00Z'}], initContainerStatuses: [{name: mesh, started: false, restartCount: 14, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {reason: Error, exitCode: 137, startedAt: '2026-07-01T11:57:00Z', finishedAt: '2026-07-01T11:58:00Z'}}}], containerStatuses: [{name: app, state: {waiting: {reason: PodInitializing}}}]}`,
			events: []*corev1.Event{event("Killing", "Init container mesh failed startup probe", "11:57:59"), event("Unhealthy", "Startup probe failed: refused", "11:57:50")},
			want:   "CrashLoopBackOff, startup probe failing, mesh: Error (137), 14 restarts, last 2m ago; Startup probe failed: refused", blocked: true, at: "11:30:00"},
		{name: "the liveness probe ends a run of a sidecar", spec: withCar,
			status: `status: {phase: Running, conditions: [{type: Ready, status: 'False', lastTransitionTime: '2026-07-01T11:30:00Z'}], initContainerStatuses: [{name: mesh, started: false, restartCount: 2, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {reason: Error, exitCode: 137, startedAt: '2026-07-01T11:57:00Z', finishedAt: '2026-07-01T11:58:00Z'}}}], containerStatuses: [{name: app, ready: true, state: {running: {}}}]}`,
			events: []*corev1.Event{event("Killing", "Init container mesh failed liveness probe", "11:57:59")},
			want:   "CrashLoopBackOff, liveness probe failing, mesh: Error (137), 2 restarts, last 2m ago"},
		{name: "volume", spec: onNode, status: status("11:59:30", `state: {waiting: {reason: ContainerCreating}}`),
			events: []*corev1.Event{event("FailedMount", `MountVolume.SetUp failed for volume "c" : secret "s" not found`, "11:59:50")},
			want:   `FailedMount, without Secret "s": MountVolume.SetUp failed for volume "c" : secret "s" not found`, blocked: true, at: "12:00:00"},
		{name: "volume attached elsewhere", spec: onNode, status: status("11:59:30", `state: {waiting: {reason: ContainerCreating}}`),
			events:  []*corev1.Event{event("FailedMount", "Unable to attach or mount volumes: timed out", "11:59:50"), event("FailedAttachVolume", `Multi-Attach error for volume "v" Volume is already exclusively attached to one node`, "11:58:00")},
			options: Options{attached: func(v string) (string, string) { return "csi-" + v, "n2" }},
			want:    `FailedAttachVolume, volume attached to another node: Multi-Attach error for volume "v" Volume is already exclusively attached to one node; volumeattachment/csi-v attaches it to node n2`, at: "12:09:30"},
		{name: "volume attached elsewhere, as of Kubernetes 1.37", spec: onNode, status: status("11:59:30", `state: {waiting: {reason: ContainerCreating}}`),
			events: []*corev1.Event{event("FailedAttachVolume", `Waiting for detach for volume "v" Volume is already used by pod(s) old`, "11:58:00")},
			want:   `FailedAttachVolume, volume attached to another node: Waiting for detach for volume "v" Volume is already used by pod(s) old`, at: "12:09:30"},
		{name: "volume attached since", spec: onNode, status: status("11:59:30", `state: {waiting: {reason: ContainerCreating}}`),
			events: []*corev1.Event{event("SuccessfulAttachVolume", "a", "11:58:01"), event("FailedAttachVolume", `Multi-Attach error for volume "v" `, "11:58:00")},
			want:   "ContainerCreating, ContainerCreating, app: the kubelet of node n1 starts it", at: "12:09:30"},
		{name: "volume attached since, while it waits", spec: onNode, status: status("11:40:30", `state: {waiting: {reason: ContainerCreating}}`),
			events: []*corev1.Event{event("SuccessfulAttachVolume", "a", "11:58:01"), event("FailedAttachVolume", `Multi-Attach error for volume "v" `, "11:58:00")},
			want:   "ContainerCreating, ContainerCreating, app: the kubelet of node n1 starts it", blocked: true, at: "11:50:30"},
		{name: "volume attached elsewhere, and no Secret", spec: onNode, status: status("11:59:30", `state: {waiting: {reason: ContainerCreating}}`),
			events: []*corev1.Event{event("FailedMount", `MountVolume.SetUp failed for volume "c" : secret "s" not found`, "11:59:50"), event("FailedAttachVolume", `Multi-Attach error for volume "v" `, "11:58:00")},
			want:   `FailedMount, without Secret "s": MountVolume.SetUp failed for volume "c" : secret "s" not found`, blocked: true, at: "12:00:00"},
		{name: "volume mounted since", spec: onNode, status: status("11:45:30", `state: {waiting: {reason: ContainerCreating}}`),
			events: []*corev1.Event{event("FailedMount", `MountVolume.SetUp failed for volume "c" : secret "s" not found`, "11:59:50"), event("Pulling", `Pulling image "shop/edge:1.9"`, "11:59:50")},
			want:   "Pulling, pulling image, app: image shop/edge:1.9 is being pulled for 10s", at: "12:09:50"},
		{name: "volume not mounted in the sandbox that comes next", spec: onNode, status: status("11:59:30", `state: {waiting: {reason: ContainerCreating}}`),
			events: []*corev1.Event{event("FailedMount", `MountVolume.SetUp failed for volume "c" : secret "s" not found`, "11:59:50"), event("Started", `Started container app`, "11:59:49")},
			want:   `FailedMount, without Secret "s": MountVolume.SetUp failed for volume "c" : secret "s" not found`, blocked: true, at: "12:00:00"},
		{name: "volume attached, as a container that runs shows", spec: `spec: {nodeName: n1, containers: [{name: app, image: i}, {name: log, image: j}]}`,
			status: `status: {phase: Pending, conditions: [{type: Ready, status: 'False', lastTransitionTime: '2026-07-01T11:59:30Z'}], containerStatuses: [{name: app, state: {waiting: {reason: ContainerCreating}}}, {name: log, ready: true, state: {running: {startedAt: '2026-07-01T11:59:55Z'}}}]}`,
			events: []*corev1.Event{event("FailedAttachVolume", `Multi-Attach error for volume "v" `, "11:59:50"), event("FailedMount", "Unable to attach or mount volumes: timed out", "11:59:50")},
			want:   "ContainerCreating, ContainerCreating, app: the kubelet of node n1 starts it", at: "12:09:30"},
		{name: "a sandbox is there", spec: onNode,
			status: `status: {phase: Pending, conditions: [{type: PodReadyToStartContainers, status: 'True', lastTransitionTime: '2026-07-01T11:59:52Z'}, {type: Ready, status: 'False', lastTransitionTime: '2026-07-01T11:59:30Z'}], containerStatuses: [{name: app, state: {waiting: {reason: ContainerCreating}}}]}`,
			events: []*corev1.Event{event("FailedCreatePodSandBox", "no address is left", "11:59:50")},
			want:   "ContainerCreating, ContainerCreating, app: the kubelet of node n1 starts it", at: "12:09:30"},
		{name: "a sandbox was there before", spec: onNode,
			status: `status: {phase: Pending, conditions: [{type: PodReadyToStartContainers, status: 'True', lastTransitionTime: '2026-07-01T11:59:49Z'}, {type: Ready, status: 'False', lastTransitionTime: '2026-07-01T11:59:30Z'}], containerStatuses: [{name: app, state: {waiting: {reason: ContainerCreating}}}]}`,
			events: []*corev1.Event{event("FailedMount", "timed out", "11:59:50")},
			want:   "FailedMount, FailedMount: timed out", at: "12:09:30"},
		{name: "a sandbox is not there", spec: onNode,
			status: `status: {phase: Pending, conditions: [{type: PodReadyToStartContainers, status: 'False', lastTransitionTime: '2026-07-01T11:59:30Z'}, {type: Ready, status: 'False', lastTransitionTime: '2026-07-01T11:59:30Z'}], containerStatuses: [{name: app, state: {waiting: {reason: ContainerCreating}}}]}`,
			events: []*corev1.Event{event("FailedCreatePodSandBox", "no address is left", "11:59:50")},
			want:   "FailedCreatePodSandBox, FailedCreatePodSandBox: no address is left", at: "12:09:30"},
		{name: "volume attached, as an init container that ran shows", spec: withInit,
			status: `status: {phase: Pending, conditions: [{type: Ready, status: 'False', lastTransitionTime: '2026-07-01T11:59:30Z'}], initContainerStatuses: [{name: migrate, state: {terminated: {reason: Completed, finishedAt: '2026-07-01T11:59:55Z'}}}], containerStatuses: [{name: app, state: {waiting: {reason: PodInitializing}}}]}`,
			events: []*corev1.Event{event("FailedAttachVolume", `Multi-Attach error for volume "v" `, "11:59:50")},
			want:   "PodInitializing, PodInitializing, app: the kubelet of node n1 starts it", at: "12:09:55"},
		{name: "pulling", spec: onNode, status: status("11:59:30", `state: {waiting: {reason: ContainerCreating}}`),
			events: []*corev1.Event{event("Pulling", `Pulling image "shop/edge:1.9"`, "11:59:00"), event("Pulled", `Container image "other" already present on machine`, "11:59:10")},
			want:   "Pulling, pulling image, app: image shop/edge:1.9 is being pulled for 60s", at: "12:09:30"},
		{name: "pulled", spec: onNode, status: status("11:59:30", `state: {waiting: {reason: ContainerCreating}}`),
			events: []*corev1.Event{event("Pulling", `Pulling image "shop/edge:1.9"`, "11:59:00"), event("Pulled", `Successfully pulled image "shop/edge:1.9" in 9s`, "11:59:09")},
			want:   "ContainerCreating, ContainerCreating, app: the kubelet of node n1 starts it", at: "12:09:30"},
		{name: "no pull secret", spec: onNode, status: status("11:59:59", `state: {waiting: {reason: ErrImagePull, message: '401 Unauthorized'}}`),
			events: []*corev1.Event{event("FailedToRetrieveImagePullSecret", "Unable to retrieve some image pull secrets (regcred); attempting to pull the image may not succeed.", "11:59:59")},
			want:   "ErrImagePull, image pull denied (imagePullSecret not found), app: image shop/edge:1.9 denied by the registry; imagePullSecrets that the kubelet can't read: regcred", blocked: true, at: "11:59:59"},
		{name: "wrote why", spec: onNode, status: status("11:19:00", `restartCount: 4, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {reason: Error, exitCode: 3, message: "loading\n\tno license found \n", finishedAt: '2026-07-01T11:59:00Z'}}`),
			want: `CrashLoopBackOff, CrashLoopBackOff, app: Error (3), 4 restarts, last 60s ago; … no license found`, blocked: true, at: "11:19:00"},
		{name: "wrote much", spec: onNode, status: status("11:19:00", `restartCount: 4, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {reason: Error, exitCode: 3, message: "`+strings.Repeat("é", 201)+`", finishedAt: '2026-07-01T11:59:00Z'}}`),
			want: "CrashLoopBackOff, CrashLoopBackOff, app: Error (3), 4 restarts, last 60s ago; " + strings.Repeat("é", 200) + "…", blocked: true, at: "11:19:00"},
		{name: "wrote what was redacted", spec: onNode, status: status("11:19:00", `restartCount: 4, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {reason: Error, exitCode: 3, message: redacted-4, finishedAt: '2026-07-01T11:59:00Z'}}`),
			want: `CrashLoopBackOff, CrashLoopBackOff, app: Error (3), 4 restarts, last 60s ago`, blocked: true, at: "11:19:00"},
		{name: "wrote before it ran again", spec: onNode, status: status("11:59:30", `restartCount: 1, state: {running: {startedAt: '2026-07-01T11:59:30Z'}}, lastState: {terminated: {reason: Error, exitCode: 3, message: no license found, finishedAt: '2026-07-01T11:59:00Z'}}`),
			want: `ContainersNotReady, restarted after Error (3), app: runs, and is not ready yet; before: Error (3), 1 restart, last 60s ago; no license found`, at: "12:09:30"},
		{name: "does not start", spec: onNode, status: status("11:19:00", `restartCount: 4, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {reason: StartError, exitCode: 128, message: 'exec: "x": not found', finishedAt: '2026-07-01T11:59:00Z'}}`),
			want: `StartError, StartError, app: StartError (128), 4 restarts, last 60s ago; exec: "x": not found`, blocked: true, at: "11:19:00"},
		{name: "creating", spec: onNode, status: status("11:59:30", `state: {waiting: {reason: ContainerCreating}}`),
			want: "ContainerCreating, ContainerCreating, app: the kubelet of node n1 starts it", at: "12:09:30"},
		{name: "gate", spec: gates, status: `status: {phase: Running, conditions: [{type: Ready, status: 'False', reason: ReadinessGatesNotReady, lastTransitionTime: '2026-07-01T11:30:00Z'}, {type: lb/ready, status: 'False', message: no target, lastTransitionTime: '2026-07-01T11:55:00Z'}], containerStatuses: [{name: app, ready: true, state: {running: {}}}]}`,
			want: "ReadinessGatesNotReady, readiness gate not ready: readiness gate lb/ready is False: no target", at: "12:05:00"},
		{name: "node", spec: onNode, status: `status: {phase: Running, conditions: [{type: Ready, status: 'False', lastTransitionTime: '2026-07-01T11:30:00Z'}], containerStatuses: [{name: app, ready: true, state: {running: {}}}]}`,
			want: "NodeNotReady, node not ready: all containers are ready, and the Pod is not: node n1 may not report to the API server", blocked: true, at: "11:40:00"},
		{name: "node, by its reason", spec: onNode, status: `status: {phase: Running, conditions: [{type: Ready, status: 'False', reason: NodeNotReady, lastTransitionTime: '2026-07-01T11:30:00Z'}], containerStatuses: [{name: app, ready: true, state: {running: {}}}]}`,
			want: "NodeNotReady, node not ready: all containers are ready, and the Pod is not: node n1 may not report to the API server", blocked: true, at: "11:40:00"},
		{name: "its kubelet says it is not", spec: onNode, status: `status: {phase: Running, conditions: [{type: Ready, status: 'False', reason: ContainersNotReady, message: 'containers with unready status: [app]', lastTransitionTime: '2026-07-01T11:55:00Z'}], containerStatuses: [{name: app, ready: true, state: {running: {}}}]}`,
			want: "ContainersNotReady, not ready (ContainersNotReady): all containers are ready, and the Pod is not: its kubelet reports ContainersNotReady: containers with unready status: [app]", at: "12:05:00"},
		{name: "no condition", spec: onNode, status: `status: {phase: Running, containerStatuses: [{name: app, ready: true, state: {running: {}}}]}`,
			want: "NotReady, not ready: all containers are ready, and the Pod is not"},
		{name: "evicted", spec: onNode, status: `status: {phase: Failed, reason: Evicted, message: 'The node was low on resource: memory.'}`,
			want: "Evicted, Evicted (node low on memory): The node was low on resource: memory.", blocked: true},
		{name: "failed", spec: onNode, status: `status: {phase: Failed, containerStatuses: [{name: app, state: {terminated: {reason: Error, exitCode: 2, finishedAt: '2026-07-01T11:30:00Z'}}}]}`,
			want: "Failed, Failed, app: Error (2)", blocked: true, at: "11:30:00"},
		{name: "restarted, and no state reported", spec: onNode, status: status("11:59:30", `restartCount: 7`),
			want: "ContainersNotReady, not ready, app: not ready, 7 restarts; its state is not reported", at: "12:09:30"},
		{name: "nothing reported", spec: onNode, status: "status: {phase: Pending}",
			want: "ContainerCreating, ContainerCreating, app: the kubelet of node n1 starts it"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			tc.options.Now = now
			c, ok := Pod(pod(t, tc.spec, tc.status), tc.events, tc.options)
			if !ok {
				if tc.want != "" {
					t.Fatalf("no cause, want %s", tc.want)
				}
				return
			}
			got := c.Reason + ", " + c.Label
			if c.Container != "" {
				got += ", " + c.Container
			}
			if got += ": " + c.Message; got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
			if c.Blocked != tc.blocked {
				t.Errorf("blocked %v, want %v", c.Blocked, tc.blocked)
			}
			at := ""
			if !c.BlockedAt.IsZero() {
				at = c.BlockedAt.UTC().Format("15:04:05")
			}
			if at != tc.at {
				t.Errorf("blocks at %q, want %q", at, tc.at)
			}
			if c.Evidence == "" {
				t.Error("no evidence")
			}
		})
	}
}

func TestDeletion(t *testing.T) {
	tests := []struct {
		name, meta, spec, status string
		want                     string
		blocked                  bool
		label, next              string
	}{
		{name: "within grace", meta: "deletionTimestamp: '2026-07-01T12:00:10Z', deletionGracePeriodSeconds: 30", status: status("11:59:50", "state: {running: {}}"),
			want: "container app is being stopped"},
		{name: "dead node", meta: "deletionTimestamp: '2026-07-01T11:59:30Z', deletionGracePeriodSeconds: 30", status: status("11:50:50", "state: {running: {}}"),
			want: "being deleted for 60s: container app still runs on node n1 after the grace period, as far as its kubelet reported", blocked: true},
		{name: "lost node", meta: "deletionTimestamp: '2026-07-01T11:59:31Z'", status: "status: {reason: NodeLost, containerStatuses: [{name: app, state: {running: {}}}]}",
			want: "node n1 does not answer, and does not confirm the deletion"},
		{name: "finalizer", meta: "deletionTimestamp: '2026-07-01T11:00:00Z', finalizers: [a/b, c/d]", status: "status: {phase: Succeeded}",
			want: "being deleted for 60m: finalizers: a/b, c/d", blocked: true, label: "Terminating with a finalizer"},
		{name: "finalizer within grace", meta: "deletionTimestamp: '2026-07-01T12:00:10Z', deletionGracePeriodSeconds: 30, finalizers: [a/b]", status: status("11:59:50", "state: {running: {}}"),
			want: "container app is being stopped; finalizers: a/b"},
		{name: "a long grace period", meta: "deletionTimestamp: '2026-07-01T12:45:00Z', deletionGracePeriodSeconds: 3600", status: status("11:50:50", "state: {running: {}}"),
			want: "container app is being stopped, within 45m", label: "Terminating (grace period 60m)", next: "kubectl describe pod p -n shop"},
		{name: "finalizer and dead node", meta: "deletionTimestamp: '2026-07-01T11:59:30Z', deletionGracePeriodSeconds: 30, finalizers: [a/b]", status: status("11:50:50", "state: {running: {}}"),
			want: "being deleted for 60s: container app still runs on node n1 after the grace period, as far as its kubelet reported; finalizers: a/b", blocked: true, label: "Terminating with a finalizer"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			p := pod(t, onNode, tc.status)
			if err := yaml.Unmarshal([]byte("metadata: {"+tc.meta+"}"), p); err != nil {
				t.Fatal(err)
			}
			c, ok := Pod(p, nil, Options{Now: now})
			if !ok || c.Reason != "Terminating" || c.Message != tc.want || c.Blocked != tc.blocked {
				t.Errorf("%v %+v", ok, c)
			}
			if tc.label != "" && (c.Label != tc.label || c.Next != cmp.Or(tc.next, "kubectl get pod "+p.Name+" -n "+p.Namespace+" -o yaml")) {
				t.Errorf("%q, next %q", c.Label, c.Next)
			}
		})
	}
}

// TestNotKilled: what the kubelet reports since the deletion that it can't do is the cause,
// also beside a finalizer.
func TestNotKilled(t *testing.T) {
	const runs = "container app still runs on node n1 after the grace period, as far as its kubelet reported"
	for _, tc := range []struct{ name, finalizers, at, label, want string }{
		{"since", "", "11:59:10", "Terminating (FailedKillPod)", "error killing pod: timed out; " + runs},
		{"with a finalizer", "[a/b]", "11:59:10", "Terminating (FailedKillPod)", "error killing pod: timed out; " + runs + "; finalizers: a/b"},
		{"before", "", "11:58:10", "Terminating", runs},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := pod(t, onNode, status("11:50:50", "state: {running: {}}"))
			meta := "metadata: {uid: u, deletionTimestamp: '2026-07-01T11:59:30Z', deletionGracePeriodSeconds: 30, finalizers: " + tc.finalizers + "}"
			if err := yaml.Unmarshal([]byte(meta), p); err != nil {
				t.Fatal(err)
			}
			c, ok := Pod(p, []*corev1.Event{event("FailedKillPod", "error killing pod: timed out", tc.at)}, Options{Now: now})
			if want := "being deleted for 60s: " + tc.want; !ok || c.Label != tc.label || c.Message != want || !c.Blocked {
				t.Errorf("%v %+v", ok, c)
			}
		})
	}
}

func TestColumns(t *testing.T) {
	tests := []struct{ spec, status, want string }{
		{onNode, status("11:50:50", "state: {waiting: {reason: ImagePullBackOff}}"), "0/1 ImagePullBackOff"},
		{onNode, readySince("11:00:00", "state: {running: {}}"), "1/1 Running"},
		{withInit, "status: {phase: Pending, initContainerStatuses: [{name: migrate, state: {running: {}}}], containerStatuses: [{name: app, state: {waiting: {reason: PodInitializing}}}]}", "0/1 Init:0/1"},
		{withInit, "status: {phase: Pending, initContainerStatuses: [{name: migrate, state: {waiting: {reason: CrashLoopBackOff}}}]}", "0/1 Init:CrashLoopBackOff"},
		{withInit, "status: {phase: Pending, initContainerStatuses: [{name: migrate, state: {terminated: {exitCode: 4}}}]}", "0/1 Init:ExitCode:4"},
		{withCar, "status: {phase: Running, initContainerStatuses: [{name: mesh, ready: true, started: true, state: {running: {}}}], containerStatuses: [{name: app, state: {terminated: {signal: 9, exitCode: 137}}}]}", "1/2 Signal:9"},
		{onNode, "status: {phase: Failed, reason: Evicted}", "0/1 Evicted"},
		{unbound, "status: {phase: Pending, conditions: [{type: PodScheduled, reason: SchedulingGated}]}", "0/1 SchedulingGated"},
	}
	for _, tc := range tests {
		p := pod(t, tc.spec, tc.status)
		if got := Ready(p) + " " + statusColumn(p); got != tc.want {
			t.Errorf("got %q, want %q", got, tc.want)
		}
	}
	gone := pod(t, onNode, "status: {phase: Running}")
	gone.DeletionTimestamp = &metav1.Time{Time: now}
	if got := statusColumn(gone); got != "Terminating" {
		t.Errorf("got %q", got)
	}
	gone.Status.Reason = "NodeLost"
	if got := statusColumn(gone); got != "Unknown" {
		t.Errorf("got %q", got)
	}
}

// TestSources holds each grace to a source.
func TestSources(t *testing.T) {
	for class, g := range graces {
		if !strings.Contains(g.Source, "/") {
			t.Errorf("%s has no source", class)
		}
		if g.Never && (g.After != 0 || g.Deadline) {
			t.Errorf("%s never blocks, and does after %s", class, g.After)
		}
	}
}
