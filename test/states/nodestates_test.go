package states

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// takenFromLost is a Deployment of which a Pod was deleted on a node that is not ready, and
// replaced.
func takenFromLost(c *cluster, since time.Duration) {
	_, rs, pods := c.stable("web", 3, template("web", "shop/web:1.9"))
	c.lost(find[*corev1.Node](c, "n3"), 11*minute)
	set(pods[2], corev1.PodReady, corev1.ConditionFalse, "", "", 11*minute)
	set(pods[2], corev1.DisruptionTarget, corev1.ConditionTrue, "DeletionByTaintManager", "Taint manager: deleting due to NoExecute taint", since)
	deleted(pods[2], since)
	again := newPod("shop", rs.Name+"-q7w2d", rs.Spec.Template.Spec)
	again.GenerateName, again.Labels, again.OwnerReferences = rs.Name+"-", pods[0].Labels, pods[0].OwnerReferences
	runs(again, "n1", since-8*time.Second)
	add(c, again, since)
}

// nodeStates are those of nodes, and of Pods that are being deleted.
var nodeStates = []state{
	{
		name: "node-lost", target: "deploy/web",
		cluster: func(c *cluster) { takenFromLost(c, 6*minute) },
		want: want{
			state: decision.StateStable, counts: "3 of 3 replicas available", cause: "1 Terminating on NotReady node n3",
			reason: "Terminating", object: "pod/web-7c9d5f6b8-c5m2t", next: "kubectl describe node n3",
			said: []string{"being deleted for 6m: node n3 is NotReady for 11m (Kubelet stopped posting node status.)"}, planned: "stable, 3 of 3 replicas available; 1 Terminating on NotReady node n3.",
		},
	},
	{
		name: "node-lost-grace-over", target: "deploy/web",
		cluster: func(c *cluster) { takenFromLost(c, 40*time.Second) },
		want: want{
			state: decision.StateStable, counts: "3 of 3 replicas available", cause: "1 Terminating on NotReady node n3",
			reason: "Terminating", object: "pod/web-7c9d5f6b8-c5m2t", next: "kubectl describe node n3",
			said: []string{"being deleted for 40s: node n3 is NotReady for 11m"}, planned: "stable, 3 of 3 replicas available; 1 Terminating on NotReady node n3.",
		},
	},
	{
		name: "node-just-lost", target: "deploy/web",
		cluster: func(c *cluster) {
			_, _, pods := c.stable("web", 3, template("web", "shop/web:1.9"))
			c.lost(find[*corev1.Node](c, "n3"), 2*minute)
			set(pods[2], corev1.PodReady, corev1.ConditionFalse, "", "", 2*minute)
			c.warn(pods[2], "NodeNotReady", "Node is not ready", 1, 2*minute, 2*minute)
		},
		want: want{
			state: decision.StateProgressing, counts: "2 of 3 available", cause: "web-7c9d5f6b8-c5m2t on NotReady node n3",
			reason: "NodeNotReady", object: "pod/web-7c9d5f6b8-c5m2t", next: "kubectl describe node n3",
			said: []string{"node n3 is NotReady for 2m", "the node's taint node.kubernetes.io/unreachable deletes it in 3m5s (tolerated for 5m)"}, wait: 1,
		},
	},
	{
		name: "node-lost-starting", target: "deploy/web",
		cluster: func(c *cluster) {
			_, _, pods := c.stable("web", 3, template("web", "shop/web:1.9"))
			unready(pods[2], 3*minute)
			pods[2].Status.ContainerStatuses[0].Ready = false
			c.lost(find[*corev1.Node](c, "n3"), 2*minute)
			c.warn(pods[2], "NodeNotReady", "Node is not ready", 1, 2*minute, 2*minute)
		},
		want: want{
			state: decision.StateProgressing, counts: "2 of 3 available", cause: "web-7c9d5f6b8-c5m2t on NotReady node n3",
			reason: "NodeNotReady", object: "pod/web-7c9d5f6b8-c5m2t", next: "kubectl describe node n3",
			said: []string{"node n3 is NotReady for 2m", "the node's taint node.kubernetes.io/unreachable deletes it in 3m5s (tolerated for 5m)"}, wait: 1,
		},
	},
	{
		name: "node-lost-no-room", target: "deploy/web",
		cluster: func(c *cluster) {
			_, rs, pods := c.stable("web", 3, template("web", "shop/web:1.9"))
			c.lost(find[*corev1.Node](c, "n3"), 11*minute)
			set(pods[2], corev1.PodReady, corev1.ConditionFalse, "", "", 11*minute)
			deleted(pods[2], 6*minute)
			again := newPod("shop", rs.Name+"-q7w2d", rs.Spec.Template.Spec)
			again.GenerateName, again.Labels, again.OwnerReferences = rs.Name+"-", pods[0].Labels, pods[0].OwnerReferences
			unscheduled(again, "0/4 nodes are available: "+controlPlane+", 1 node(s) had untolerated taint {node.kubernetes.io/unreachable: }, 2 Insufficient memory. preemption: 0/4 nodes are available: 2 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.", 6*minute)
			add(c, again, 6*minute)
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 3 available", cause: "1 on NotReady node n3, 1 Insufficient memory",
			reason: "Terminating", object: "pod/web-7c9d5f6b8-c5m2t", next: "kubectl describe node n3", plan: 3, wait: 3,
		},
	},
	{
		name: "pod-finalizer", target: "rs/web-7c9d5f6b8",
		cluster: func(c *cluster) {
			_, rs, _ := c.stable("web", 2, template("web", "shop/web:1.9"))
			extra := c.pods(rs, 3, 4*day)
			c.remove(extra[0])
			c.remove(extra[1])
			deleted(extra[2], 40*minute)
			extra[2].Finalizers = []string{"batch.example.com/drain-queue"}
			extra[2].Status.Phase = corev1.PodRunning
			failsProbe(extra[2], 39*minute)
			extra[2].Status.ContainerStatuses[0].State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
				ExitCode: 0, Reason: "Completed", StartedAt: ago(4 * day), FinishedAt: ago(39 * minute),
			}}
		},
		want: want{
			state: decision.StateStable, counts: "2 of 2 replicas available", cause: "1 Terminating with a finalizer",
			reason: "Terminating", object: "pod/web-7c9d5f6b8-c5m2t", next: "kubectl get pod web-7c9d5f6b8-c5m2t -n shop -o yaml",
			said: []string{"being deleted for 40m: finalizers: batch.example.com/drain-queue"}, planned: "1 Terminating with a finalizer.",
		},
	},
	{
		name: "pod-finalizer-ended", target: "deploy/web",
		cluster: func(c *cluster) {
			_, rs, _ := c.stable("web", 2, template("web", "shop/web:1.9"))
			extra := c.pods(rs, 3, 4*day)
			c.remove(extra[0])
			c.remove(extra[1])
			deleted(extra[2], 40*minute)
			extra[2].Finalizers = []string{"batch.example.com/drain-queue"}
			extra[2].Status.Phase = corev1.PodFailed
			failsProbe(extra[2], 39*minute)
			extra[2].Status.ContainerStatuses[0].State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
				ExitCode: 137, Reason: "Error", StartedAt: ago(4 * day), FinishedAt: ago(39 * minute),
			}}
		},
		want: want{
			state: decision.StateStable, counts: "2 of 2 replicas available", cause: "1 Terminating with a finalizer",
			reason: "Terminating", object: "pod/web-7c9d5f6b8-c5m2t", next: "kubectl get pod web-7c9d5f6b8-c5m2t -n shop -o yaml",
			said: []string{"being deleted for 40m: finalizers: batch.example.com/drain-queue"}, planned: "1 Terminating with a finalizer.",
		},
	},
	{
		name: "crashes-on-one-node", target: "deploy/web",
		cluster: func(c *cluster) {
			_, _, pods := c.stable("web", 6, template("web", "shop/web:1.9"))
			crashes(pods[2], 9, 139, "Error", 20*minute)
			crashes(pods[5], 9, 139, "Error", 20*minute)
		},
		want: want{
			state: decision.StateBlocked, counts: "4 of 6 available", cause: "2 CrashLoopBackOff on n3",
			reason: "CrashLoopBackOff", object: "pod/web-7c9d5f6b8-c5m2t", next: "kubectl logs web-7c9d5f6b8-c5m2t -c app --previous -n shop",
			said: []string{"all 2 such Pods are on n3, others are available on n1, n2"}, plan: 3, wait: 3,
		},
	},
	{
		name: "cordoned", target: "deploy/web",
		cluster: func(c *cluster) {
			_, _, pods := c.stable("web", 3, template("web", "shop/web:1.9"))
			for _, n := range []string{"n1", "n2", "n3"} {
				node := find[*corev1.Node](c, n)
				node.Spec.Unschedulable = true
				node.Spec.Taints = []corev1.Taint{{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule, TimeAdded: new(ago(hour))}}
			}
			message := "0/4 nodes are available: " + controlPlane + ", 3 node(s) were unschedulable." + unhelpful
			unscheduled(pods[1], message, 25*minute)
			c.warn(pods[1], "FailedScheduling", message, 6, 25*minute, 4*minute)
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 3 available", cause: "1 Unschedulable (nodes cordoned)",
			reason: "Unschedulable", object: "pod/web-7c9d5f6b8-9zvbn", next: "kubectl describe pod web-7c9d5f6b8-9zvbn -n shop",
			said: []string{"3 node(s) were unschedulable"}, plan: 3, wait: 3,
		},
	},
	{
		name: "sidecar-not-started", target: "deploy/web",
		cluster: func(c *cluster) {
			t := template("web", "shop/web:1.9")
			t.Spec.InitContainers = []corev1.Container{{Name: "proxy", Image: "istio/proxyv2:1.27", RestartPolicy: new(corev1.ContainerRestartPolicyAlways),
				StartupProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{TCPSocket: &corev1.TCPSocketAction{Port: intstr.FromInt32(15021)}}, TimeoutSeconds: 1, PeriodSeconds: 5, SuccessThreshold: 1, FailureThreshold: 120}}}
			defaults(&t.Spec)
			for _, p := range c.half("web", t, 9*minute) {
				p.Status.Phase = corev1.PodPending
				set(p, corev1.PodInitialized, corev1.ConditionFalse, "ContainersNotInitialized", "containers with incomplete status: [proxy]", 9*minute)
				p.Status.ContainerStatuses[0].State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "PodInitializing"}}
				p.Status.ContainerStatuses[0].Started = new(false)
				s := &p.Status.InitContainerStatuses[0]
				s.Ready, s.Started, s.State = false, new(false), corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: ago(9*minute - 3*time.Second)}}
				c.warn(p, "Unhealthy", fmt.Sprintf("Startup probe failed: dial tcp %s:15021: connect: connection refused", p.Status.PodIP), 106, 9*minute, 4*time.Second)
			}
		},
		want: want{
			state: decision.StateProgressing, counts: "2 of 4 updated, 3 available", cause: "2 startup probe failing",
			reason: "Unhealthy", object: "pod/web-5b46dc9f7-4x7kq", next: "kubectl describe pod web-5b46dc9f7-4x7kq -n shop",
			said: []string{"proxy: Startup probe failed"}, wait: 1,
		},
	},
}
