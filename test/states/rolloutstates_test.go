package states

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// autoscaler is the HPA of a Deployment, which it has scaled: kubectl get shows that with
// --show-managed-fields.
func (c *cluster) autoscaler(name string, least, most, current, wanted int32, limited autoscalingv2.HorizontalPodAutoscalerCondition) {
	find[*appsv1.Deployment](c, name).ManagedFields = []metav1.ManagedFieldsEntry{{
		Manager: "kube-controller-manager", Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: "apps/v1", Subresource: "scale",
		FieldsType: "FieldsV1", FieldsV1: metav1.NewFieldsV1(`{"f:spec":{"f:replicas":{}}}`),
	}}
	add(c, &autoscalingv2.HorizontalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name},
		Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
			MinReplicas: &least, MaxReplicas: most,
			ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: name},
			Metrics: []autoscalingv2.MetricSpec{{Type: autoscalingv2.ResourceMetricSourceType, Resource: &autoscalingv2.ResourceMetricSource{
				Name: corev1.ResourceCPU, Target: autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType, AverageUtilization: new(int32(70))},
			}}},
		},
		Status: autoscalingv2.HorizontalPodAutoscalerStatus{
			CurrentReplicas: current, DesiredReplicas: wanted, LastScaleTime: new(ago(2 * hour)),
			Conditions: []autoscalingv2.HorizontalPodAutoscalerCondition{
				{Type: autoscalingv2.AbleToScale, Status: corev1.ConditionTrue, Reason: "ReadyForNewScale", Message: "recommended size matches current size", LastTransitionTime: ago(20 * day)},
				{Type: autoscalingv2.ScalingActive, Status: corev1.ConditionTrue, Reason: "ValidMetricFound", Message: "the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)", LastTransitionTime: ago(20 * day)},
				limited,
			},
		},
	}, 20*day)
}

// notYetAvailable is a rollout of an age whose new Pod is ready for less than minReadySeconds.
func (c *cluster) notYetAvailable(age time.Duration) {
	d, before, after := c.rollout("web", 1, template("web", "shop/web:1.8"), template("web", "shop/web:1.9"), age)
	least := int32(3 * age / time.Second)
	d.Spec.MinReadySeconds, before.Spec.MinReadySeconds, after.Spec.MinReadySeconds = least, least, least
	*after.Spec.Replicas = 1
	c.pods(before, 1, 3*day)
	c.pods(after, 1, age)
	c.progress(d, progressing("ReplicaSetUpdated", `ReplicaSet "web-5b46dc9f7" is progressing.`, age-5*time.Second))
}

// rolloutStates are those of rollouts, and of what holds them.
var rolloutStates = []state{
	{
		name: "set-scaled-by-hand", target: "deploy/web",
		cluster: func(c *cluster) {
			_, rs, _ := c.stable("web", 3, template("web", "shop/web:1.9"))
			c.countSet(rs)
			c.stale[rs.Name] = true
			rs.Generation, *rs.Spec.Replicas = rs.Generation+1, 6
		},
		want: want{
			state: decision.StateReconciling, counts: "3 of 3 available", cause: "next sync scales 1 ReplicaSet", plan: 1, wait: 1,
			planned: "will scale replicaset/web-7c9d5f6b8 from 6 to 3", plans: "replicaset/web-7c9d5f6b8 may create up to 3 Pods before it is scaled back",
			said: []string{"THEN replicaset/web-7c9d5f6b8 has nothing to do"}, never: []string{"not created yet", "due in the next sync"},
		},
	},
	{
		name: "history-limit-lowered", target: "deploy/web",
		cluster: func(c *cluster) {
			d, before, after := c.rollout("web", 2, template("web", "shop/web:1.8"), template("web", "shop/web:1.9"), 9*day)
			*before.Spec.Replicas, *after.Spec.Replicas = 0, 2
			c.pods(after, 2, 9*day)
			c.countSet(before)
			c.countSet(after)
			c.countDeployment(d)
			c.stale[d.Name] = true
			d.Generation, d.Spec.RevisionHistoryLimit = d.Generation+1, new(int32(0))
		},
		want: want{
			state: decision.StateReconciling, counts: "2 of 2 available", cause: "the sync after next deletes 1 ReplicaSet",
			reason: "GenerationNotObserved", object: "deployment/web", plan: 1, wait: 1,
			planned: "will delete 1 ReplicaSet, in the sync after one that only writes status",
			plans:   "1 to delete", said: []string{"its controller has observed generation 4, and generation 5 is stored"},
			never: []string{"nothing to do"},
		},
	},
	{
		name: "paused", target: "deploy/web",
		cluster: func(c *cluster) {
			d, before, after := c.rollout("web", 4, template("web", "shop/web:1.8"), template("web", "shop/web:1.9"), hour)
			c.pods(before, 4, 3*day)
			d.Spec.Paused = true
			c.remove(after)
			d.Annotations["deployment.kubernetes.io/revision"] = "1"
			c.progress(d, progressing("DeploymentPaused", "Deployment is paused", 50*minute))
		},
		want: want{
			state: decision.StateBlocked, counts: "0 of 4 updated", cause: "paused with outstanding updates",
			reason: "Paused", object: "deployment/web", next: "kubectl rollout resume deployment/web -n shop", plan: 3, wait: 3,
			said: []string{"it is not rolled out until it is resumed"}, never: []string{"nothing to do"},
		},
	},
	{
		name: "deadline-exceeded", target: "deploy/web",
		cluster: func(c *cluster) {
			for _, p := range c.half("web", template("web", "shop/web:1.9"), 35*minute) {
				p.Spec.Containers[0].ReadinessProbe.FailureThreshold = 30
			}
			c.timedOut("web", "web-5b46dc9f7", 25*minute)
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 4 updated, 3 available", cause: "2 not ready, deadline exceeded",
			reason: "ContainersNotReady", object: "pod/web-5b46dc9f7-4x7kq", next: "kubectl describe pod web-5b46dc9f7-4x7kq -n shop",
			said: []string{"no progress within progressDeadlineSeconds (600)"}, plan: 3, wait: 3,
		},
	},
	{ // another template since
		name: "deadline-of-another", target: "deploy/web",
		cluster: func(c *cluster) {
			for _, p := range c.half("web", template("web", "shop/web:1.9"), 35*minute) {
				p.Spec.Containers[0].ReadinessProbe.FailureThreshold = 30
			}
			c.timedOut("web", "web-7c9d5f6b8", 25*minute)
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 4 updated, 3 available", cause: "2 not ready",
			reason: "ContainersNotReady", object: "pod/web-5b46dc9f7-4x7kq", next: "kubectl describe pod web-5b46dc9f7-4x7kq -n shop",
			never: []string{"no progress within", "deadline exceeded"}, plan: 3, wait: 3,
		},
	},
	{
		name: "recreate-stuck", target: "deploy/web",
		cluster: func(c *cluster) { c.recreating() },
		want: want{
			state: decision.StateBlocked, counts: "0 of 2 available", cause: "1 Terminating",
			reason: "Terminating", object: "pod/web-7c9d5f6b8-9zvbn", next: "kubectl describe pod web-7c9d5f6b8-9zvbn -n shop", plan: 3, wait: 3,
		},
	},
	{
		name: "recreate-long-grace", target: "deploy/web",
		cluster: func(c *cluster) {
			p := c.recreating()
			p.Spec.TerminationGracePeriodSeconds = new(int64(3600))
			deleted(p, 20*minute)
		},
		want: want{
			state: decision.StateBlocked, counts: "0 of 2 available", cause: "1 Terminating (grace 60m), deadline exceeded",
			reason: "ProgressDeadlineExceeded", object: "deployment/web", next: "kubectl describe pod web-7c9d5f6b8-9zvbn -n shop",
			said: []string{"container app is being stopped, within 40m"}, plan: 3, wait: 3,
		},
	},
	{
		name: "recreate-not-killed", target: "deploy/web",
		cluster: func(c *cluster) {
			c.event(c.recreating(), "Pod", "v1", "FailedKillPod", `error killing pod: failed to "KillContainer" for "app" with KillContainerError: "rpc error: code = DeadlineExceeded desc = context deadline exceeded"`, 9, 18*minute, minute)
		},
		want: want{
			state: decision.StateBlocked, counts: "0 of 2 available", cause: "1 Terminating (FailedKillPod)",
			reason: "Terminating", object: "pod/web-7c9d5f6b8-9zvbn", next: "kubectl describe pod web-7c9d5f6b8-9zvbn -n shop",
			said: []string{"KillContainerError", "still runs on node"}, plan: 3, wait: 3,
		},
	},
	{
		name: "dead-old-pod", target: "deploy/web",
		cluster: func(c *cluster) {
			d, before, after := c.rollout("web", 3, template("web", "shop/web:1.8"), template("web", "shop/web:1.9"), 6*minute)
			d.Spec.Strategy.RollingUpdate = &appsv1.RollingUpdateDeployment{MaxSurge: new(intstr.FromInt32(0)), MaxUnavailable: new(intstr.FromInt32(1))}
			*before.Spec.Replicas, *after.Spec.Replicas = 2, 1
			before.Annotations["deployment.kubernetes.io/max-replicas"], after.Annotations["deployment.kubernetes.io/max-replicas"] = "3", "3"
			c.pods(before, 2, 3*day)
			fresh := c.pods(after, 1, 6*minute)[0]
			unscheduled(fresh, "0/4 nodes are available: "+controlPlane+", 3 node(s) didn't match pod anti-affinity rules. preemption: 0/4 nodes are available: 1 Preemption is not helpful for scheduling, 3 No preemption victims found for incoming pod.", 6*minute)
			c.progress(d, progressing("ReplicaSetUpdated", `ReplicaSet "web-5b46dc9f7" is progressing.`, 6*minute))
		},
		want: want{
			state: decision.StateBlocked, counts: "1 of 3 updated, 2 available", cause: "1 Unschedulable (pod anti-affinity)",
			reason: "Unschedulable", object: "pod/web-5b46dc9f7-4x7kq", next: "kubectl describe pod web-5b46dc9f7-4x7kq -n shop",
			said: []string{"3 node(s) didn't match pod anti-affinity rules"}, plan: 3, wait: 3,
		},
	},
	{
		name: "halfway", target: "deploy/web",
		cluster: func(c *cluster) {
			d, before, after := c.rollout("web", 4, template("web", "shop/web:1.8"), template("web", "shop/web:1.9"), 40*time.Second)
			*before.Spec.Replicas, *after.Spec.Replicas = 2, 3
			c.pods(before, 2, 3*day)
			pods := c.pods(after, 3, 40*time.Second)
			waits(pods[2], "ContainerCreating", "", 4*time.Second)
			pods[2].CreationTimestamp = ago(5 * time.Second)
			c.progress(d, progressing("ReplicaSetUpdated", `ReplicaSet "web-5b46dc9f7" is progressing.`, 5*time.Second))
		},
		want: want{
			state: decision.StateReconciling, counts: "3 of 4 updated", cause: "next sync scales",
			reason: "ContainerCreating", object: "pod/web-5b46dc9f7-c5m2t",
			plan: 1, planned: "from 2 to 1", wait: 1,
		},
	},
	{
		name: "min-ready-seconds", target: "deploy/web",
		cluster: func(c *cluster) { c.notYetAvailable(40 * time.Second) },
		want: want{
			state: decision.StateProgressing, counts: "1 of 1 available", cause: "waiting for minReadySeconds",
			reason: "MinReadySeconds", object: "pod/web-5b46dc9f7-4x7kq", wait: 1,
			said: []string{"in 85s (2026-11-01T12:01:25Z), when a Pod is available after minReadySeconds, or in 9m26s"},
		},
	},
	{
		name: "min-ready-seconds-no-leader", target: "deploy/web",
		cluster: func(c *cluster) {
			c.notYetAvailable(2 * minute)
			c.renewed("kube-controller-manager", 90*time.Second)
		},
		want: want{
			state: decision.StateBlocked, counts: "1 of 1 available", cause: "no active leader",
			reason: "NoActiveLeader", object: "lease/kube-controller-manager", next: "kubectl describe lease kube-controller-manager -n kube-system",
			plan: 3, wait: 3,
		},
	},
	{
		name: "autoscaler-at-max", target: "deploy/web", plan: []string{"--replicas", "8"},
		cluster: func(c *cluster) {
			c.stable("web", 6, template("web", "shop/web:1.9"))
			c.autoscaler("web", 2, 6, 6, 6, autoscalingv2.HorizontalPodAutoscalerCondition{
				Type: autoscalingv2.ScalingLimited, Status: corev1.ConditionTrue, Reason: "TooManyReplicas", Message: "the desired replica count is more than the maximum replica count", LastTransitionTime: ago(2 * hour),
			})
		},
		want: want{state: decision.StateStable, counts: "6 of 6 replicas available", plan: 1, planned: "from 6 to 8", plans: "CAVEATS hpa/web has maxReplicas 6: it sets spec.replicas of deployment/web to 6 at its next sync"},
	},
	{
		name: "autoscaler-at-min", target: "deploy/web", plan: []string{"--replicas", "1"},
		cluster: func(c *cluster) {
			c.stable("web", 3, template("web", "shop/web:1.9"))
			c.autoscaler("web", 3, 10, 3, 3, autoscalingv2.HorizontalPodAutoscalerCondition{
				Type: autoscalingv2.ScalingLimited, Status: corev1.ConditionTrue, Reason: "TooFewReplicas", Message: "the desired replica count is less than the minimum replica count", LastTransitionTime: ago(2 * hour),
			})
		},
		want: want{state: decision.StateStable, counts: "3 of 3 replicas available", plan: 1, planned: "from 3 to 1", plans: "CAVEATS hpa/web has minReplicas 3: it sets spec.replicas of deployment/web to 3 at its next sync"},
	},
	{
		name: "scaled-to-zero", target: "deploy/web",
		cluster: func(c *cluster) {
			d, rs, pods := c.stable("web", 3, template("web", "shop/web:1.9"))
			*d.Spec.Replicas, *rs.Spec.Replicas = 0, 0
			rs.Annotations["deployment.kubernetes.io/desired-replicas"], rs.Annotations["deployment.kubernetes.io/max-replicas"] = "0", "0"
			for _, p := range pods {
				c.remove(p)
			}
		},
		want: want{state: decision.StateStable, counts: "0 of 0 replicas available", planned: "nothing"},
	},
	{
		name: "dead-leader", target: "deploy/web",
		cluster: func(c *cluster) {
			d, _, pods := c.stable("web", 4, template("web", "shop/web:1.9"))
			c.remove(pods[3])
			rs := find[*appsv1.ReplicaSet](c, "web-7c9d5f6b8")
			c.writeStatus()
			rs.Status.Replicas, rs.Status.ReadyReplicas, rs.Status.AvailableReplicas, rs.Status.FullyLabeledReplicas = 4, 4, 4, 4
			d.Status.Replicas, d.Status.UpdatedReplicas, d.Status.ReadyReplicas, d.Status.AvailableReplicas, d.Status.UnavailableReplicas = 4, 4, 4, 4, 0
			c.stale = map[string]bool{"web": true, rs.Name: true}
			c.renewed("kube-controller-manager", 14*minute)
		},
		want: want{
			state: decision.StateBlocked, counts: "3 of 4 Pods created", cause: "no active leader",
			reason: "NoActiveLeader", object: "lease/kube-controller-manager", next: "kubectl describe lease kube-controller-manager -n kube-system", plan: 3, wait: 3,
		},
	},
}

// recreating is a Deployment that waits for the last Pod of its old ReplicaSet, which stays
// Terminating.
func (c *cluster) recreating() (stays *corev1.Pod) {
	d, before, after := c.rollout("web", 2, template("web", "shop/web:1.8"), template("web", "shop/web:1.9"), 20*minute)
	d.Spec.Strategy = appsv1.DeploymentStrategy{Type: appsv1.RecreateDeploymentStrategyType}
	*before.Spec.Replicas = 0
	pods := c.pods(before, 2, 3*day)
	c.remove(pods[0])
	deleted(pods[1], 20*minute)
	c.remove(after)
	d.Annotations["deployment.kubernetes.io/revision"] = "1"
	c.timedOut("web", "web-7c9d5f6b8", 10*minute)
	return pods[1]
}
