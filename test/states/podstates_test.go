package states

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

const (
	controlPlane = "1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }"
	unhelpful    = " preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling."
)

// half is a rollout of 4 replicas that has got as far as it can with new Pods that are
// not available since a while.
func (c *cluster) half(name string, to corev1.PodTemplateSpec, since time.Duration) []*corev1.Pod {
	d, before, after := c.rollout(name, 4, template(name, "shop/"+name+":1.8"), to, since)
	*before.Spec.Replicas, *after.Spec.Replicas = 3, 2
	c.pods(before, 3, 3*day)
	pods := c.pods(after, 2, since)
	for _, p := range pods {
		failsProbe(p, since-3*time.Second)
	}
	c.progress(d, progressing("ReplicaSetUpdated", fmt.Sprintf("ReplicaSet %q is progressing.", after.Name), since))
	return pods
}

// warn is an event of the kubelet, or of the scheduler, about a Pod.
func (c *cluster) warn(p *corev1.Pod, reason, message string, count int32, first, last time.Duration) {
	c.event(p, "Pod", "v1", reason, message, count, first, last)
}

// podStates are those in which Pods of a Deployment do not become available.
var podStates = []state{
	{
		name: "unschedulable-cpu", target: "deploy/edge",
		cluster: func(c *cluster) {
			_, _, pods := c.stable("edge", 5, template("edge", "shop/edge:1.9"))
			for _, p := range pods[3:] {
				message := "0/4 nodes are available: " + controlPlane + ", 3 Insufficient cpu. preemption: 0/4 nodes are available: " +
					"1 Preemption is not helpful for scheduling, 3 No preemption victims found for incoming pod."
				unscheduled(p, message, 58*minute)
				c.warn(p, "FailedScheduling", message, 12, 58*minute, 3*minute)
			}
		},
		want: want{
			state: decision.StateBlocked, counts: "3 of 5 available", cause: "2 Unschedulable (Insufficient cpu)",
			reason: "Unschedulable", object: "pod/edge-7c9d5f6b8-fjw8d", next: "kubectl describe pod edge-7c9d5f6b8-fjw8d -n shop",
			said: []string{"3 Insufficient cpu"}, plan: 3, wait: 3,
		},
	},
	{
		name: "unschedulable-place-freed", target: "deploy/edge",
		cluster: func(c *cluster) {
			_, rs, pods := c.stable("edge", 3, template("edge", "shop/edge:1.9"))
			unscheduled(pods[2], "0/4 nodes are available: "+controlPlane+", 3 node(s) didn't have free ports for the requested pod ports."+unhelpful, 7*minute)
			before := len(c.objects)
			going := c.pods(rs, 4, 3*day)[3]
			c.objects = append(c.objects[:before], going)
			going.DeletionTimestamp, going.DeletionGracePeriodSeconds = new(ago(-2*minute)), new(int64(600))
		},
		want: want{
			state: decision.StateProgressing, counts: "2 of 3 available", cause: "1 waiting for a place (within 2m)",
			reason: "Unschedulable", object: "pod/edge-7c9d5f6b8-c5m2t", next: "kubectl describe pod edge-7c9d5f6b8-c5m2t -n shop",
			said: []string{"edge-7c9d5f6b8-fjw8d on node n1 is being deleted and leaves such a place within 2m"}, wait: 1, mends: true,
		},
	},
	{
		name: "unschedulable-place-cordoned", target: "deploy/edge",
		cluster: func(c *cluster) {
			_, rs, pods := c.stable("edge", 3, template("edge", "shop/edge:1.9"))
			unscheduled(pods[2], "0/4 nodes are available: "+controlPlane+", 1 node(s) were unschedulable, 2 node(s) didn't have free ports for the requested pod ports."+unhelpful, 7*minute)
			before := len(c.objects)
			going := c.pods(rs, 4, 3*day)[3]
			c.objects = append(c.objects[:before], going)
			going.DeletionTimestamp, going.DeletionGracePeriodSeconds = new(ago(-2*minute)), new(int64(600))
			find[*corev1.Node](c, going.Spec.NodeName).Spec.Unschedulable = true
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 3 available", cause: "1 Unschedulable (host ports in use, cordoned)",
			reason: "Unschedulable", object: "pod/edge-7c9d5f6b8-c5m2t", next: "kubectl describe pod edge-7c9d5f6b8-c5m2t -n shop",
			plan: 3, wait: 3,
		},
	},
	{
		name: "unschedulable-taints", target: "deploy/edge",
		cluster: func(c *cluster) {
			for _, p := range c.half("edge", template("edge", "shop/edge:1.9"), 7*minute) {
				unscheduled(p, "0/4 nodes are available: "+controlPlane+", 3 node(s) had untolerated taint {dedicated: batch}."+unhelpful, 7*minute)
			}
			for _, n := range []string{"n1", "n2", "n3"} {
				node := find[*corev1.Node](c, n)
				node.Spec.Taints = append(node.Spec.Taints, corev1.Taint{Key: "dedicated", Value: "batch", Effect: corev1.TaintEffectNoSchedule})
			}
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 4 updated, 3 available", cause: "2 Unschedulable (untolerated taint)",
			reason: "Unschedulable", object: "pod/edge-5b46dc9f7-4x7kq", next: "kubectl describe pod edge-5b46dc9f7-4x7kq -n shop",
			said: []string{"untolerated taint {dedicated: batch}"}, plan: 3, wait: 3,
		},
	},
	{
		name: "unschedulable-volume-zone", target: "deploy/edge",
		cluster: func(c *cluster) {
			t := template("edge", "shop/edge:1.9")
			t.Spec.Volumes = []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "edge-data"}}}}
			_, _, pods := c.stable("edge", 1, t)
			c.claim("edge-data")
			unscheduled(pods[0], "0/4 nodes are available: "+controlPlane+", 1 Insufficient memory, 2 node(s) had volume node affinity conflict."+unhelpful, 31*minute)
		},
		want: want{
			state: decision.StateBlocked, counts: "0 of 1 available", cause: "1 Unschedulable (volume node affinity conflict)",
			reason: "Unschedulable", object: "pod/edge-7c9d5f6b8-4x7kq", next: "kubectl describe pod edge-7c9d5f6b8-4x7kq -n shop",
			said: []string{"2 node(s) had volume node affinity conflict"}, plan: 3, wait: 3,
		},
	},
	{
		name: "claim-missing", target: "deploy/edge",
		cluster: func(c *cluster) {
			t := template("edge", "shop/edge:1.9")
			t.Spec.Volumes = []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "edge-data"}}}}
			_, _, pods := c.stable("edge", 1, t)
			unscheduled(pods[0], `0/4 nodes are available: persistentvolumeclaim "edge-data" not found.`+unhelpful, 31*minute)
		},
		want: want{
			state: decision.StateBlocked, counts: "0 of 1 available", cause: `1 without PVC "edge-data"`,
			reason: "Unschedulable", object: "pod/edge-7c9d5f6b8-4x7kq", next: "kubectl describe pod edge-7c9d5f6b8-4x7kq -n shop",
			said: []string{`persistentvolumeclaim "edge-data" not found`}, plan: 3, wait: 3,
		},
	},
	{
		name: "claim-without-class", target: "deploy/edge",
		cluster: func(c *cluster) {
			t := template("edge", "shop/edge:1.9")
			t.Spec.Volumes = []corev1.Volume{
				{Name: "old", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "edge-old"}}},
				{Name: "data", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "edge-data"}}},
			}
			_, _, pods := c.stable("edge", 1, t)
			c.claim("edge-old")
			c.event(c.pending("edge-data", "fast"), "PersistentVolumeClaim", "v1", "ProvisioningFailed", `storageclass.storage.k8s.io "fast" not found`, 120, 31*minute, 11*time.Second)
			unscheduled(pods[0], "0/4 nodes are available: pod has unbound immediate PersistentVolumeClaims."+unhelpful, 31*minute)
		},
		want: want{
			state: decision.StateBlocked, counts: "0 of 1 available", cause: "1 PVC not bound (StorageClass fast not found)",
			reason: "Unschedulable", object: "pod/edge-7c9d5f6b8-4x7kq", next: "kubectl describe pvc edge-data -n shop",
			said: []string{`PersistentVolumeClaim edge-data is not bound: ProvisioningFailed: storageclass.storage.k8s.io "fast" not found`}, plan: 3, wait: 3,
		},
	},
	{
		name: "image-not-found", target: "deploy/edge",
		cluster: func(c *cluster) {
			for _, p := range c.half("edge", template("edge", "shop/edge:1.9"), 8*minute) {
				waits(p, "ImagePullBackOff", `Back-off pulling image "shop/edge:1.9": ErrImagePull: rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/shop/edge:1.9": failed to resolve reference "docker.io/shop/edge:1.9": docker.io/shop/edge:1.9: not found`, 8*minute)
			}
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 4 updated, 3 available", cause: "2 image not found",
			reason: "ErrImagePull", object: "pod/edge-5b46dc9f7-4x7kq", next: "kubectl describe pod edge-5b46dc9f7-4x7kq -n shop",
			said: []string{"image shop/edge:1.9 not found"}, plan: 3, wait: 3,
		},
	},
	{
		name: "image-denied", target: "deploy/edge",
		cluster: func(c *cluster) {
			for _, p := range c.half("edge", template("edge", "registry.example.com/shop/edge:1.9"), 8*minute) {
				waits(p, "ErrImagePull", `failed to pull and unpack image "registry.example.com/shop/edge:1.9": failed to resolve reference "registry.example.com/shop/edge:1.9": pull access denied, repository does not exist or may require authorization: authorization failed: no basic auth credentials`, 8*minute)
			}
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 4 updated, 3 available", cause: "2 image pull denied",
			reason: "ErrImagePull", object: "pod/edge-5b46dc9f7-4x7kq", next: "kubectl describe pod edge-5b46dc9f7-4x7kq -n shop",
			said: []string{"image registry.example.com/shop/edge:1.9 denied by the registry"}, plan: 3, wait: 3,
		},
	},
	{
		name: "image-too-many-requests", target: "deploy/edge",
		cluster: func(c *cluster) {
			for _, p := range c.half("edge", template("edge", "shop/edge:1.9"), 80*time.Second) {
				waits(p, "ImagePullBackOff", `Back-off pulling image "shop/edge:1.9": ErrImagePull: failed to pull and unpack image "docker.io/shop/edge:1.9": failed to copy: httpReadSeeker: failed open: unexpected status code https://registry-1.docker.io/v2/shop/edge/manifests/sha256:0b5c1f: 429 Too Many Requests - Server message: toomanyrequests: You have reached your unauthenticated pull rate limit. https://www.docker.com/increase-rate-limit`, 75*time.Second)
			}
		},
		want: want{
			state: decision.StateProgressing, counts: "2 of 4 updated, 3 available", cause: "2 image pull rate-limited",
			reason: "ErrImagePull", object: "pod/edge-5b46dc9f7-4x7kq", next: "kubectl describe pod edge-5b46dc9f7-4x7kq -n shop",
			said: []string{"429 Too Many Requests"}, wait: 1,
		},
	},
	{
		name: "image-pull-on-one-node", target: "deploy/edge",
		cluster: func(c *cluster) {
			_, _, pods := c.stable("edge", 3, template("edge", "shop/edge:1.9"))
			waits(pods[2], "ImagePullBackOff", `Back-off pulling image "shop/edge:1.9": ErrImagePull: rpc error: code = Unknown desc = x509: certificate signed by unknown authority`, 3*minute)
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 3 available", cause: "1 registry certificate not trusted",
			reason: "ErrImagePull", object: "pod/edge-7c9d5f6b8-c5m2t", next: "kubectl describe pod edge-7c9d5f6b8-c5m2t -n shop",
			said: []string{"cannot be pulled (on node n3; it runs on n1, n2)"}, plan: 3, wait: 3,
		},
	},
	{
		name: "crash-loop", target: "deploy/edge",
		cluster: func(c *cluster) {
			for _, p := range c.half("edge", template("edge", "shop/edge:1.9"), 9*minute) {
				crashes(p, 6, 1, "Error", 9*minute-3*time.Second)
				c.warn(p, "BackOff", fmt.Sprintf("Back-off restarting failed container app in pod %s_shop(%s)", p.Name, p.UID), 31, 8*minute, 20*time.Second)
			}
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 4 updated, 3 available", cause: "2 CrashLoopBackOff",
			reason: "CrashLoopBackOff", object: "pod/edge-5b46dc9f7-4x7kq", next: "kubectl logs edge-5b46dc9f7-4x7kq -c app --previous -n shop",
			said: []string{"app: Error (1), 6 restarts, last 2m ago"}, plan: 3, wait: 3,
		},
	},
	{
		name: "restarting", target: "deploy/edge",
		cluster: func(c *cluster) {
			_, _, pods := c.stable("edge", 3, template("edge", "shop/edge:1.9"))
			restarted(pods[1], 14, 1, "Error", 40*time.Second)
			restarted(pods[2], 5, 0, "Completed", 4*minute)
		},
		want: want{
			state: decision.StateStable, counts: "3 of 3 replicas available", cause: "2 restarting",
			reason: "CrashLoopBackOff", object: "pod/edge-7c9d5f6b8-c5m2t", next: "kubectl logs edge-7c9d5f6b8-c5m2t -c app --previous -n shop", waited: "stable, 3 of 3 replicas available",
			said: []string{"app: available now; Error (1), 14 restarts, last 40s ago", "app: available now; Completed (0), 5 restarts, last 4m ago"},
		},
	},
	{
		name: "oom-killed", target: "deploy/edge",
		cluster: func(c *cluster) {
			_, _, pods := c.stable("edge", 3, template("edge", "shop/edge:1.9"))
			crashes(pods[1], 17, 137, "OOMKilled", 41*minute)
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 3 available", cause: "1 OOMKilled",
			reason: "OOMKilled", object: "pod/edge-7c9d5f6b8-9zvbn", next: "kubectl describe pod edge-7c9d5f6b8-9zvbn -n shop",
			said: []string{"app: OOMKilled (137), 17 restarts, last 2m ago"}, plan: 3, wait: 3,
		},
	},
	{
		name: "readiness-probe", target: "deploy/edge",
		cluster: func(c *cluster) {
			_, _, pods := c.stable("edge", 3, template("edge", "shop/edge:1.9"))
			failsProbe(pods[2], 26*minute)
			c.warn(pods[2], "Unhealthy", "Readiness probe failed: HTTP probe failed with statuscode: 503", 156, 26*minute, 9*time.Second)
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 3 available", cause: "1 readiness probe failing",
			reason: "Unhealthy", object: "pod/edge-7c9d5f6b8-c5m2t", next: "kubectl describe pod edge-7c9d5f6b8-c5m2t -n shop",
			said: []string{"HTTP probe failed with statuscode: 503"}, plan: 3, wait: 3,
		},
	},
	{
		name: "startup-probe", target: "deploy/edge",
		cluster: func(c *cluster) {
			t := template("edge", "shop/edge:1.9")
			t.Spec.Containers[0].StartupProbe = &corev1.Probe{FailureThreshold: 60, PeriodSeconds: 10, ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/status"}}}
			_, _, pods := c.stable("edge", 3, t)
			crashes(pods[2], 1, 137, "Error", 17*minute)
			s := &pods[2].Status.ContainerStatuses[0]
			s.State = corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: ago(6 * minute)}}
			s.LastTerminationState.Terminated.StartedAt, s.LastTerminationState.Terminated.FinishedAt = ago(17*minute), ago(6*minute+6*time.Second)
			c.warn(pods[2], "Unhealthy", "Startup probe failed: HTTP probe failed with statuscode: 503", 92, 17*minute, 6*time.Second)
			c.warn(pods[2], "Killing", "Container app failed startup probe, will be restarted", 1, 6*minute+36*time.Second, 6*minute+36*time.Second)
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 3 available", cause: "1 startup probe failing",
			reason: "Unhealthy", object: "pod/edge-7c9d5f6b8-c5m2t", next: "kubectl logs edge-7c9d5f6b8-c5m2t -c app -n shop",
			said: []string{"HTTP probe failed with statuscode: 503; before: Error (137), 1 restart, last 6m6s ago"}, plan: 3, wait: 3,
		},
	},
	{
		name: "both-revisions-failing", target: "deploy/edge",
		cluster: func(c *cluster) {
			fresh := c.half("edge", template("edge", "shop/edge:1.9"), 6*minute)
			for _, p := range append(fresh, c.ownedBy(find[*appsv1.ReplicaSet](c, "edge-7c9d5f6b8"))...) {
				failsProbe(p, 6*minute)
				c.warn(p, "Unhealthy", "Readiness probe failed: HTTP probe failed with statuscode: 503", 36, 6*minute, 9*time.Second)
			}
		},
		want: want{
			state: decision.StateProgressing, counts: "2 of 4 updated, 0 available", cause: "5 readiness probe failing", plan: 0, wait: 1,
			reason: "Unhealthy", object: "pod/edge-5b46dc9f7-4x7kq", next: "kubectl describe pod edge-5b46dc9f7-4x7kq -n shop",
			said: []string{"edge-7c9d5f6b8-4x7kq"},
		},
	},
	{
		name: "init-stuck", target: "deploy/edge",
		cluster: func(c *cluster) {
			t := template("edge", "shop/edge:1.9")
			t.Spec.InitContainers = []corev1.Container{{Name: "migrate", Image: "shop/migrate:1.9"}}
			defaults(&t.Spec)
			for _, p := range c.half("edge", t, 14*minute) {
				p.Status.Phase, p.Status.ContainerStatuses[0].State = corev1.PodPending, corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "PodInitializing"}}
				p.Status.ContainerStatuses[0].Started = new(false)
				s := &p.Status.InitContainerStatuses[0]
				s.Ready, s.State = false, corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: ago(14*minute - 3*time.Second)}}
				set(p, corev1.PodInitialized, corev1.ConditionFalse, "ContainersNotInitialized", "containers with incomplete status: [migrate]", 14*minute)
			}
			c.timedOut("edge", "edge-5b46dc9f7", 4*minute)
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 4 updated, 3 available", cause: "2 initializing, deadline exceeded",
			reason: "PodInitializing", object: "pod/edge-5b46dc9f7-4x7kq", next: "kubectl logs edge-5b46dc9f7-4x7kq -c migrate -n shop",
			said: []string{"migrate: init container has run for 13m"}, plan: 3, wait: 3,
		},
	},
	{
		name: "config-map-missing", target: "deploy/edge",
		cluster: func(c *cluster) {
			t := template("edge", "shop/edge:1.9")
			t.Spec.Containers[0].EnvFrom = []corev1.EnvFromSource{{ConfigMapRef: &corev1.ConfigMapEnvSource{LocalObjectReference: corev1.LocalObjectReference{Name: "edge-config"}}}}
			for _, p := range c.half("edge", t, 4*minute) {
				waits(p, "CreateContainerConfigError", `configmap "edge-config" not found`, 4*minute)
			}
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 4 updated, 3 available", cause: `2 without ConfigMap "edge-config"`,
			reason: "CreateContainerConfigError", object: "pod/edge-5b46dc9f7-4x7kq", next: "kubectl describe pod edge-5b46dc9f7-4x7kq -n shop",
			said: []string{`app: configmap "edge-config" not found`}, plan: 3, wait: 3,
		},
	},
	{
		name: "secret-missing", target: "deploy/edge",
		cluster: func(c *cluster) {
			t := template("edge", "shop/edge:1.9")
			t.Spec.Volumes = []corev1.Volume{{Name: "tls", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "edge-tls", DefaultMode: new(int32(420))}}}}
			for _, p := range c.half("edge", t, 4*minute) {
				waits(p, "ContainerCreating", "", 4*minute)
				c.warn(p, "FailedMount", `MountVolume.SetUp failed for volume "tls" : secret "edge-tls" not found`, 9, 4*minute, 20*time.Second)
			}
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 4 updated, 3 available", cause: `2 without Secret "edge-tls"`,
			reason: "FailedMount", object: "pod/edge-5b46dc9f7-4x7kq", next: "kubectl describe pod edge-5b46dc9f7-4x7kq -n shop",
			said: []string{`secret "edge-tls" not found`}, plan: 3, wait: 3,
		},
	},
	{
		name: "evicted", target: "deploy/edge", cluster: evicts,
		want: want{state: decision.StateStable, counts: "3 of 3 replicas available", said: []string{"2 Failed Pods (Evicted), the last one since 2026-10-29T12:00:00Z, are not counted"}},
	},
	{
		name: "replicaset-evicted", target: "rs/edge-7c9d5f6b8", cluster: evicts,
		want: want{state: decision.StateStable, counts: "3 of 3 replicas available", said: []string{"2 Failed Pods (Evicted), the last one since 2026-10-29T12:00:00Z, are not counted"}},
	},
}

// evicts is a Deployment with all its Pods, and two more that a kubelet has evicted.
func evicts(c *cluster) {
	_, rs, _ := c.stable("edge", 3, template("edge", "shop/edge:1.9"))
	for _, p := range c.pods(rs, 5, 5*day)[3:] {
		p.Status = corev1.PodStatus{
			Phase: corev1.PodFailed, Reason: "Evicted", QOSClass: corev1.PodQOSBurstable, StartTime: new(ago(5 * day)),
			Message: "The node was low on resource: ephemeral-storage. Threshold quantity: 1610612736, available: 1491364Ki. Container app was using 812Mi, request is 0, has larger consumption of ephemeral-storage. ",
		}
		set(p, corev1.DisruptionTarget, corev1.ConditionTrue, "TerminationByKubelet", "The node was low on resource: ephemeral-storage.", 3*day)
	}
	c.objects = append(c.objects[:len(c.objects)-5], c.objects[len(c.objects)-2:]...)
}
