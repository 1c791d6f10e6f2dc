package states

import (
	"fmt"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// mostly is a Deployment of which the last of 3 Pods is not as the others.
func (c *cluster) mostly(t corev1.PodTemplateSpec) *corev1.Pod {
	_, _, pods := c.stable("edge", 3, t)
	return pods[2]
}

const (
	lbGate   = "target-health.elbv2.k8s.aws/k8s-shop-edge-1a2b3c4d5e"
	lastPod  = "pod/edge-7c9d5f6b8-c5m2t"
	describe = "kubectl describe pod edge-7c9d5f6b8-c5m2t -n shop"
)

// askedStates are those that people ask about in forums and issues.
var askedStates = []state{
	{
		name: "load-balancer-gate", target: "deploy/edge",
		cluster: func(c *cluster) {
			t := template("edge", "shop/edge:1.9")
			t.Spec.ReadinessGates = []corev1.PodReadinessGate{{ConditionType: lbGate}}
			for _, p := range c.half("edge", t, 26*minute) {
				runs(p, p.Spec.NodeName, 25*minute)
				set(p, corev1.PodReady, corev1.ConditionFalse, "ReadinessGatesNotReady", `corresponding condition of pod readiness gate "`+lbGate+`" does not exist.`, 25*minute)
			}
			c.timedOut("edge", "edge-5b46dc9f7", 15*minute)
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 4 updated, 3 available", cause: "2 gate not ready, deadline exceeded",
			reason: "ReadinessGatesNotReady", object: "pod/edge-5b46dc9f7-4x7kq", next: "kubectl describe pod edge-5b46dc9f7-4x7kq -n shop",
			said: []string{"readiness gate " + lbGate + " has no condition yet"}, plan: 3, wait: 3,
		},
	},
	{
		name: "init-crashes", target: "deploy/edge",
		cluster: func(c *cluster) {
			t := template("edge", "shop/edge:1.9")
			t.Spec.InitContainers = []corev1.Container{{Name: "wait-for-db", Image: "busybox:1.36"}}
			defaults(&t.Spec)
			p := c.mostly(t)
			unready(p, 22*minute)
			p.Status.Phase, p.Status.ContainerStatuses[0].State = corev1.PodPending, corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "PodInitializing"}}
			p.Status.ContainerStatuses[0].Ready, p.Status.ContainerStatuses[0].Started = false, new(false)
			s := &p.Status.InitContainerStatuses[0]
			s.Ready, s.RestartCount = false, 8
			s.State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff", Message: fmt.Sprintf("back-off 5m0s restarting failed container=wait-for-db pod=%s_shop(%s)", p.Name, p.UID)}}
			s.LastTerminationState.Terminated = &corev1.ContainerStateTerminated{ExitCode: 1, Reason: "Error", StartedAt: ago(4 * minute), FinishedAt: ago(3 * minute), ContainerID: s.ContainerID}
			set(p, corev1.PodInitialized, corev1.ConditionFalse, "ContainersNotInitialized", "containers with incomplete status: [wait-for-db]", 22*minute)
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 3 available", cause: "1 Init:CrashLoopBackOff",
			reason: "CrashLoopBackOff", object: lastPod, next: "kubectl logs edge-7c9d5f6b8-c5m2t -c wait-for-db --previous -n shop",
			said: []string{"wait-for-db: Error (1), 8 restarts, last 3m ago"}, plan: 3, wait: 3,
		},
	},
	{
		name: "config-map-key-missing", target: "deploy/edge",
		cluster: func(c *cluster) {
			p := c.mostly(template("edge", "shop/edge:1.9"))
			waits(p, "CreateContainerConfigError", "couldn't find key LOG_LEVEL in ConfigMap shop/edge-env", 9*minute)
			c.warn(p, "Failed", "Error: couldn't find key LOG_LEVEL in ConfigMap shop/edge-env", 44, 9*minute, 8*time.Second)
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 3 available", cause: "1 without key LOG_LEVEL of ConfigMap edge-env",
			reason: "CreateContainerConfigError", object: lastPod, next: describe,
			said: []string{"couldn't find key LOG_LEVEL in ConfigMap shop/edge-env"}, plan: 3, wait: 3,
		},
	},
	{
		name: "runs-as-root", target: "deploy/edge",
		cluster: func(c *cluster) {
			for _, p := range c.half("edge", template("edge", "shop/edge:1.9"), 9*minute) {
				waits(p, "CreateContainerConfigError", fmt.Sprintf(`container has runAsNonRoot and image will run as root (pod: "%s_shop(%s)", container: app)`, p.Name, p.UID), 9*minute)
			}
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 4 updated, 3 available", cause: "2 refused by runAsNonRoot",
			reason: "CreateContainerConfigError", object: "pod/edge-5b46dc9f7-4x7kq", next: "kubectl describe pod edge-5b46dc9f7-4x7kq -n shop",
			said: []string{"container has runAsNonRoot and image will run as root"}, plan: 3, wait: 3,
		},
	},
	{
		name: "sidecar-crashes", target: "deploy/edge",
		cluster: func(c *cluster) {
			t := template("edge", "shop/edge:1.9")
			t.Spec.InitContainers = []corev1.Container{{Name: "proxy", Image: "shop/proxy:1.3", RestartPolicy: new(corev1.ContainerRestartPolicyAlways)}}
			defaults(&t.Spec)
			p := c.mostly(t)
			unready(p, 31*minute)
			s := &p.Status.InitContainerStatuses[0]
			s.Ready, s.Started, s.RestartCount = false, new(false), 11
			s.State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff", Message: fmt.Sprintf("back-off 5m0s restarting failed container=proxy pod=%s_shop(%s)", p.Name, p.UID)}}
			s.LastTerminationState.Terminated = &corev1.ContainerStateTerminated{ExitCode: 2, Reason: "Error", StartedAt: ago(4*minute + 10*time.Second), FinishedAt: ago(4 * minute), ContainerID: s.ContainerID}
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 3 available", cause: "1 CrashLoopBackOff",
			reason: "CrashLoopBackOff", object: lastPod, next: "kubectl logs edge-7c9d5f6b8-c5m2t -c proxy --previous -n shop",
			said: []string{"proxy: Error (2), 11 restarts, last 4m ago"}, plan: 3, wait: 3,
		},
	},
	{
		name: "claim-waits-for-consumer", target: "deploy/edge",
		cluster: func(c *cluster) {
			t := template("edge", "shop/edge:1.9")
			t.Spec.Volumes = []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "edge-data"}}}}
			_, _, pods := c.stable("edge", 1, t)
			c.event(c.pending("edge-data", "local"), "PersistentVolumeClaim", "v1", "WaitForPodScheduled", "waiting for pod "+pods[0].Name+" to be scheduled", 120, 31*minute, 11*time.Second)
			unscheduled(pods[0], "0/4 nodes are available: "+controlPlane+", 3 node(s) didn't find available persistent volumes to bind."+unhelpful, 31*minute)
		},
		want: want{
			state: decision.StateBlocked, counts: "0 of 1 available", cause: "1 Unschedulable (no PersistentVolume to bind)",
			reason: "Unschedulable", object: "pod/edge-7c9d5f6b8-4x7kq", next: "kubectl describe pvc edge-data -n shop",
			said: []string{"no PersistentVolume there fits PersistentVolumeClaim edge-data; 0/4 nodes are available: " + controlPlane + ", 3 node(s) didn't find available persistent volumes to bind"}, plan: 3, wait: 3,
		},
	},
	{
		name: "claim-being-provisioned", target: "deploy/edge",
		cluster: func(c *cluster) {
			t := template("edge", "shop/edge:1.9")
			t.Spec.Volumes = []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "edge-data"}}}}
			_, _, pods := c.stable("edge", 1, t)
			pods[0].Spec.NodeName, pods[0].CreationTimestamp = "", ago(6*minute)
			pods[0].Status = corev1.PodStatus{Phase: corev1.PodPending, QOSClass: pods[0].Status.QOSClass}
			claim := c.pending("edge-data", "fast")
			claim.Annotations = map[string]string{"volume.kubernetes.io/selected-node": "n1", "volume.kubernetes.io/storage-provisioner": "csi.example.com"}
			c.event(claim, "PersistentVolumeClaim", "v1", "ExternalProvisioning", "Waiting for a volume to be created either by the external provisioner 'csi.example.com' or manually by the system administrator.", 24, 6*minute, 9*time.Second)
		},
		want: want{
			state: decision.StateBlocked, counts: "0 of 1 available", cause: "1 PVC not bound (ExternalProvisioning)",
			reason: "Pending", object: "pod/edge-7c9d5f6b8-4x7kq", next: "kubectl describe pvc edge-data -n shop",
			said:  []string{"PersistentVolumeClaim edge-data is not bound: ExternalProvisioning: Waiting for a volume to be created", "default-scheduler has chosen node n1, and waits for the claim's provisioner"},
			never: []string{"no scheduler has looked at it", "not scheduled"}, plan: 3, wait: 3,
		},
	},
	{
		name: "preempts", target: "deploy/edge",
		cluster: func(c *cluster) {
			p := c.mostly(template("edge", "shop/edge:1.9"))
			unscheduled(p, "0/4 nodes are available: "+controlPlane+", 3 Insufficient cpu. preemption: not eligible due to preemptionPolicy=Never.", 7*minute)
			p.Spec.PriorityClassName, p.Spec.Priority, p.Spec.PreemptionPolicy = "batch", new(int32(-10)), new(corev1.PreemptNever)
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 3 available", cause: "1 Unschedulable (Insufficient cpu)",
			reason: "Unschedulable", object: lastPod, next: describe,
			said: []string{"not eligible due to preemptionPolicy=Never"}, plan: 3, wait: 3,
		},
	},
	{
		name: "no-scale-up", target: "deploy/edge",
		cluster: func(c *cluster) {
			p := c.mostly(template("edge", "shop/edge:1.9"))
			unscheduled(p, "0/4 nodes are available: "+controlPlane+", 3 Insufficient memory. preemption: 0/4 nodes are available: 1 Preemption is not helpful for scheduling, 3 No preemption victims found for incoming pod.", 12*minute)
			c.warn(p, "NotTriggerScaleUp", "pod didn't trigger scale-up: 2 max node group size reached, 1 Insufficient memory", 24, 12*minute, 20*time.Second)
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 3 available", cause: "1 Unschedulable (Insufficient memory)",
			reason: "Unschedulable", object: lastPod, next: describe,
			said: []string{"the cluster autoscaler adds no node: 2 max node group size reached, 1 Insufficient memory"}, plan: 3, wait: 3,
		},
	},
	{
		name: "preempted", target: "deploy/edge",
		cluster: func(c *cluster) {
			p := c.mostly(template("edge", "shop/edge:1.9"))
			unscheduled(p, "0/4 nodes are available: "+controlPlane+", 3 Insufficient cpu. preemption: 0/4 nodes are available: 1 Preemption is not helpful for scheduling, 3 No preemption victims found for incoming pod.", 3*minute)
			_, _, pods := c.stable("live", 1, template("live", "shop/live:2.0"))
			pods[0].Spec.Priority = new(int32(100000))
			gone := p.DeepCopy()
			gone.Name, gone.UID = p.GenerateName+"zx4wq", "b0a4c3a2-1f6d-4d5e-9a53-2d9c6a4f7e10"
			c.event(gone, "Pod", "v1", "Preempted", "Preempted by pod "+string(pods[0].UID)+" on node n2", 1, 3*minute, 3*minute).Type = corev1.EventTypeNormal
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 3 available", cause: "1 Unschedulable (Insufficient cpu, preempted)",
			reason: "Unschedulable", object: lastPod, next: describe,
			said: []string{"was preempted 3m ago by pod live-", "(priority 100000)"}, plan: 3, wait: 3,
		},
	},
	{
		name: "scheduler-missing", target: "deploy/edge",
		cluster: func(c *cluster) {
			t := template("edge", "shop/edge:1.9")
			t.Spec.SchedulerName = "volcano"
			p := c.mostly(t)
			p.Spec.NodeName, p.CreationTimestamp = "", ago(19*minute)
			p.Spec.SchedulerName = "volcano"
			p.Status = corev1.PodStatus{Phase: corev1.PodPending, QOSClass: p.Status.QOSClass}
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 3 available", cause: "1 not scheduled",
			reason: "Pending", object: lastPod, next: describe,
			said: []string{"no scheduler has looked at it: volcano"}, plan: 3, wait: 3,
		},
	},
	{
		name: "scheduler-idle", target: "deploy/edge",
		cluster: func(c *cluster) {
			p := c.mostly(template("edge", "shop/edge:1.9"))
			p.Spec.NodeName, p.CreationTimestamp = "", ago(5*minute)
			p.Status = corev1.PodStatus{Phase: corev1.PodPending, QOSClass: p.Status.QOSClass}
			c.renewed("kube-scheduler", 6*minute)
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 3 available", cause: "1 not scheduled (no active kube-scheduler)",
			reason: "Pending", object: lastPod, next: "kubectl get pods -n kube-system -l component=kube-scheduler",
			said: []string{"no active kube-scheduler: lease kube-system/kube-scheduler last renewed 6m ago"}, plan: 3, wait: 3,
		},
	},
	{
		name: "volume-driver-missing", target: "deploy/edge",
		cluster: func(c *cluster) {
			t := template("edge", "shop/edge:1.9")
			t.Spec.Volumes = []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "edge-data"}}}}
			_, _, pods := c.stable("edge", 1, t)
			c.claim("edge-data")
			waits(pods[0], "ContainerCreating", "", 16*minute)
			c.warn(pods[0], "FailedMount", `MountVolume.MountDevice failed for volume "pv-edge-data" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name ebs.csi.aws.com not found in the list of registered CSI drivers`, 15, 16*minute, 40*time.Second)
		},
		want: want{
			state: decision.StateBlocked, counts: "0 of 1 available", cause: "1 without CSI driver ebs.csi.aws.com",
			reason: "FailedMount", object: "pod/edge-7c9d5f6b8-4x7kq", next: "kubectl describe pod edge-7c9d5f6b8-4x7kq -n shop",
			said: []string{"driver name ebs.csi.aws.com not found in the list of registered CSI drivers"}, plan: 3, wait: 3,
		},
	},
	{
		name: "volume-of-its-own-old-pod", target: "deploy/edge", cluster: heldVolume(1),
		want: want{
			state: decision.StateBlocked, counts: "1 of 1 available", cause: "1 volume held by its own old Pod",
			reason: "FailedAttachVolume", object: "pod/edge-5b46dc9f7-4x7kq", next: "kubectl ctrl plan deployment/edge -n shop --max-unavailable 1 --until-stable",
			said: []string{"the rollout deletes pod/edge-7c9d5f6b8-4x7kq only when a new Pod is available"}, plan: 3, wait: 3,
		},
	},
	{
		name: "volume-of-two-old-pods", target: "deploy/edge", cluster: heldVolume(2),
		want: want{
			state: decision.StateBlocked, counts: "1 of 2 updated", cause: "1 volume held by its own old Pod",
			reason: "FailedAttachVolume", object: "pod/edge-5b46dc9f7-4x7kq", next: "kubectl ctrl plan deployment/edge -n shop --max-unavailable 2 --until-stable",
			said: []string{"the rollout deletes pod/edge-7c9d5f6b8-4x7kq, pod/edge-7c9d5f6b8-9zvbn only when a new Pod is available: maxUnavailable 2 or strategy Recreate frees the volume first"}, plan: 3, wait: 3,
		},
	},
	{
		name: "port-of-its-own-old-pods", target: "deploy/proxy",
		cluster: func(c *cluster) {
			t := template("proxy", "shop/proxy:1.9")
			t.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 8080, HostPort: 8080, Protocol: corev1.ProtocolTCP}}
			from := *t.DeepCopy()
			from.Spec.Containers[0].Image = "shop/proxy:1.8"
			d, before, after := c.rollout("proxy", 3, from, t, 15*minute)
			*after.Spec.Replicas = 1
			c.pods(before, 3, 3*day)
			message := "0/4 nodes are available: " + controlPlane + ", 3 node(s) didn't have free ports for the requested pod ports. preemption: 0/4 nodes are available: 1 Preemption is not helpful for scheduling, 3 No preemption victims found for incoming pod."
			unscheduled(c.pods(after, 1, 15*minute)[0], message, 15*minute)
			c.timedOut(d.Name, after.Name, 5*minute)
		},
		want: want{
			state: decision.StateBlocked, counts: "1 of 3 updated", cause: "1 host port held by old Pod, deadline exceeded",
			reason: "Unschedulable", object: "pod/proxy-5b46dc9f7-4x7kq", next: "kubectl ctrl plan deployment/proxy -n shop --max-unavailable 1 --until-stable",
			said: []string{"the rollout deletes pod/proxy-7c9d5f6b8-4x7kq only when a new Pod is available"}, plan: 3, wait: 3,
		},
	},
	{
		name: "runtime-class-missing", target: "deploy/indexer",
		cluster: func(c *cluster) {
			c.refused("indexer", 0, forbidden("indexer-7c9d5f6b8-w5kpl", `pod rejected: RuntimeClass "gvisor" not found`), hour)
		},
		want: want{
			state: decision.StateBlocked, counts: "0 of 5 Pods created", cause: "RuntimeClass gvisor not found",
			reason: "RuntimeClassNotFound", object: "replicaset/indexer-7c9d5f6b8", next: "kubectl get runtimeclasses",
			said: []string{`RuntimeClass "gvisor" not found`}, plan: 3, wait: 3,
		},
	},
	{
		name: "paused-while-failing", target: "deploy/edge",
		cluster: func(c *cluster) {
			for _, p := range c.half("edge", template("edge", "shop/edge:1.9"), 50*minute) {
				crashes(p, 14, 1, "Error", 50*minute-3*time.Second)
			}
			d := find[*appsv1.Deployment](c, "edge")
			d.Spec.Paused = true
			c.progress(d, progressing("DeploymentPaused", "Deployment is paused", 40*minute))
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 4 updated, 3 available", cause: "2 CrashLoopBackOff, paused",
			reason: "CrashLoopBackOff", object: "pod/edge-5b46dc9f7-4x7kq", next: "kubectl logs edge-5b46dc9f7-4x7kq -c app --previous -n shop",
			said: []string{"app: Error (1), 14 restarts, last 2m ago"}, plan: 3, wait: 3,
		},
	},
	{
		name: "too-many-pods", target: "deploy/edge",
		cluster: func(c *cluster) {
			for _, p := range c.half("edge", template("edge", "shop/edge:1.9"), 6*minute) {
				unscheduled(p, "0/4 nodes are available: "+controlPlane+", 3 Too many pods."+unhelpful, 6*minute)
			}
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 4 updated, 3 available", cause: "2 Unschedulable (Too many pods)",
			reason: "Unschedulable", object: "pod/edge-5b46dc9f7-4x7kq", next: "kubectl describe pod edge-5b46dc9f7-4x7kq -n shop",
			said: []string{"3 Too many pods"}, plan: 3, wait: 3,
		},
	},
	{
		name: "old-all-crash", target: "deploy/edge",
		cluster: func(c *cluster) {
			_, before, after := c.rollout("edge", 4, template("edge", "shop/edge:1.8"), template("edge", "shop/edge:1.9"), 24*time.Second)
			*before.Spec.Replicas, *after.Spec.Replicas = 4, 1
			for _, p := range c.pods(before, 4, 4*hour) {
				crashes(p, 38, 1, "Error", 3*hour)
			}
			waits(c.pods(after, 1, 24*time.Second)[0], "ContainerCreating", "", 20*time.Second)
		},
		want: want{
			state: decision.StateReconciling, counts: "1 of 4 updated, 0 available", cause: "4 CrashLoopBackOff",
			reason: "CrashLoopBackOff", object: "pod/edge-7c9d5f6b8-4x7kq", next: "kubectl logs edge-7c9d5f6b8-4x7kq -c app --previous -n shop",
			said: []string{"app: Error (1), 38 restarts, last 2m ago"}, plan: 1, planned: "will scale replicaset/edge-7c9d5f6b8 from 4 to 3", wait: 1,
		},
	},
	{
		name: "two-containers-fail", target: "deploy/edge",
		cluster: func(c *cluster) {
			t := template("edge", "shop/edge:1.9")
			t.Spec.Containers = append(t.Spec.Containers, corev1.Container{Name: "log", Image: "shop/log:1"})
			defaults(&t.Spec)
			p := c.mostly(t)
			crashes(p, 7, 1, "Error", 12*minute)
			s := &p.Status.ContainerStatuses[1]
			s.Ready, s.Started, s.State = false, new(false), corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ImagePullBackOff", Message: `Back-off pulling image "shop/log:1": ErrImagePull: rpc error: code = NotFound desc = not found`}}
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 3 available", cause: "1 CrashLoopBackOff",
			reason: "CrashLoopBackOff", object: lastPod, next: "kubectl logs edge-7c9d5f6b8-c5m2t -c app --previous -n shop",
			said: []string{"app: Error (1), 7 restarts, last 2m ago; log: image not found"}, plan: 3, wait: 3,
		},
	},
	{
		name: "cloneset-image-not-reported", target: "clone/cart",
		cluster: func(c *cluster) {
			s := c.cart(4, strategy("InPlaceIfPossible", 2, 1, nil))
			s.run(3, revisionBefore, s.before, 5*day)
			p := s.run(1, revisionAfter, s.after, 5*day)[0]
			unready(p, 41*minute)
			set(p, corev1.PodReady, corev1.ConditionFalse, "ReadinessGatesNotReady", "", 41*minute)
			set(p, corev1.ContainersReady, corev1.ConditionTrue, "", "", 5*day)
			set(p, "InPlaceUpdateReady", corev1.ConditionFalse, "StartInPlaceUpdate", "", 41*minute)
			enter(p, "Updating", 41*minute)
			st := &p.Status.ContainerStatuses[0]
			st.Image = "shop/cart:1.8"
			p.Annotations["apps.kruise.io/inplace-update-state"] = `{"revision":"` + revisionAfter + `","updateTimestamp":"` + now.Add(-41*minute).Format(time.RFC3339) + `","lastContainerStatuses":{"app":{"imageID":"` + st.ImageID + `"}}}`
			s.done(2)
		},
		want: want{
			state: decision.StateBlocked, counts: "1 of 2 updated, 3 available", cause: "1 update in place not finished",
			reason: "ReadinessGatesNotReady", object: "pod/cart-fjw8d", next: "kubectl describe pod cart-fjw8d -n shop",
			said: []string{"the kubelet of node n1 still reports image shop/cart:1.8 of container app, not shop/cart:1.9"}, plan: 3, wait: 3,
		},
	},
	{
		name: "cloneset-deletion-held", target: "clone/cart", plan: []string{"--keep", "cart-c5m2t"},
		cluster: func(c *cluster) {
			s := c.cart(2, hooked(strategy("ReCreate", 0, 1, nil), "preDelete"))
			for _, p := range s.run(3, revisionAfter, s.after, 3*day) {
				p.Labels["example.com/unready-blocker"] = "true"
			}
			enter(s.pods[2], "PreparingDelete", 25*minute)
			s.done(2)
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 2 available", cause: "1 held by the preDelete hook",
			reason: "LifecycleHook", object: "pod/cart-c5m2t", next: "kubectl get pod cart-c5m2t -n shop -o yaml",
			plans: "NOT KEPT cart-c5m2t: its deletion has begun; the preDelete hook holds it until label example.com/unready-blocker=true is removed; spec.replicas 3 or more takes that back; no pod-deletion-cost spares it",
			plan:  3, wait: 3,
		},
	},
}

// heldVolume is a rollout whose new Pod waits for a volume that so many old Pods use on another node.
func heldVolume(replicas int32) func(*cluster) {
	return func(c *cluster) {
		t := template("edge", "shop/edge:1.9")
		t.Spec.Volumes = []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "edge-data"}}}}
		from := *t.DeepCopy()
		from.Spec.Containers[0].Image = "shop/edge:1.8"
		_, before, after := c.rollout("edge", replicas, from, t, 6*minute)
		*after.Spec.Replicas = 1
		c.claim("edge-data")
		old, fresh := c.pods(before, int(replicas), 3*day), c.pods(after, 1, 6*minute)[0]
		fresh.Spec.NodeName = "node-2"
		var names []string
		for _, p := range old {
			p.Spec.NodeName = "node-1"
			names = append(names, p.Name)
		}
		waits(fresh, "ContainerCreating", "", 6*minute)
		c.warn(fresh, "FailedAttachVolume", `Multi-Attach error for volume "pv-edge-data" Volume is already used by pod(s) `+strings.Join(names, ", "), 1, 5*minute+50*time.Second, 5*minute+50*time.Second)
	}
}
