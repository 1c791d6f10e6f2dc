package states

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// refused is a Deployment of which so many Pods of 5 are there, and the others are
// refused with a message since a while.
func (c *cluster) refused(name string, created int, message string, since time.Duration) (*appsv1.Deployment, *appsv1.ReplicaSet) {
	d := c.deployment(name, 5, template(name, "shop/"+name+":1.9"))
	rs := c.replicaSet(d, "7c9d5f6b8", 1, 5, d.Spec.Template, 21*day)
	c.pods(rs, created, 3*day)
	rs.Status.Conditions = []appsv1.ReplicaSetCondition{{
		Type: appsv1.ReplicaSetReplicaFailure, Status: corev1.ConditionTrue, Reason: "FailedCreate", Message: message, LastTransitionTime: ago(since),
	}}
	c.event(rs, "ReplicaSet", "apps/v1", "FailedCreate", "Error creating: "+message, 17, since, 3*minute)
	c.writeStatus()
	d.Status.Conditions = append(conditionsOf(d, d.Status), appsv1.DeploymentCondition{
		Type: appsv1.DeploymentReplicaFailure, Status: corev1.ConditionTrue, Reason: "FailedCreate", Message: message, LastUpdateTime: ago(since), LastTransitionTime: ago(since),
	})
	return d, rs
}

func (c *cluster) quota(name string, hard, used corev1.ResourceList) {
	add(c, &corev1.ResourceQuota{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name},
		Spec:       corev1.ResourceQuotaSpec{Hard: hard}, Status: corev1.ResourceQuotaStatus{Hard: hard, Used: used},
	}, 60*day)
}

func forbidden(pod, why string) string { return fmt.Sprintf("pods %q is forbidden: %s", pod, why) }

// kept is a Deployment of 2 with 3 Pods, which a webhook protects since 25m.
func (c *cluster) kept(name string) *appsv1.ReplicaSet {
	d, rs, _ := c.stable(name, 3, template(name, "shop/"+name+":1.9"))
	c.writeStatus()
	*d.Spec.Replicas, *rs.Spec.Replicas = 2, 2
	rs.Annotations["deployment.kubernetes.io/desired-replicas"], rs.Annotations["deployment.kubernetes.io/max-replicas"] = "2", "3"
	rs.Status.Conditions = []appsv1.ReplicaSetCondition{{
		Type: appsv1.ReplicaSetReplicaFailure, Status: corev1.ConditionTrue, Reason: "FailedDelete", Message: "unable to delete pods: " + protected, LastTransitionTime: ago(25 * minute),
	}}
	return rs
}

const protected = `admission webhook "protect.example.com" denied the request: Pod is protected`

// createStates are those in which Pods are not created.
var createStates = []state{
	{
		name: "quota", target: "deploy/indexer",
		cluster: func(c *cluster) {
			c.refused("indexer", 2, forbidden("indexer-7c9d5f6b8-w5kpl", "exceeded quota: compute, requested: requests.cpu=200m, used: requests.cpu=1500m, limited: requests.cpu=1600m"), 3*hour)
			c.quota("compute", corev1.ResourceList{"requests.cpu": resource.MustParse("1600m"), "pods": resource.MustParse("20")},
				corev1.ResourceList{"requests.cpu": resource.MustParse("1500m"), "pods": resource.MustParse("2")})
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 5 Pods created", cause: "ResourceQuota compute exceeded",
			reason: "ExceededQuota", object: "resourcequota/compute", next: "kubectl describe resourcequota compute -n shop",
			said: []string{"each Pod asks for 200m"}, plan: 3, wait: 3,
		},
	},
	{
		name: "quota-of-the-set", target: "rs/indexer-7c9d5f6b8",
		cluster: func(c *cluster) {
			c.refused("indexer", 2, forbidden("indexer-7c9d5f6b8-w5kpl", "exceeded quota: compute, requested: pods=1, used: pods=2, limited: pods=2"), 3*hour)
			c.quota("compute", corev1.ResourceList{"pods": resource.MustParse("2")}, corev1.ResourceList{"pods": resource.MustParse("2")})
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 5 Pods created", cause: "ResourceQuota compute exceeded",
			reason: "ExceededQuota", object: "resourcequota/compute", next: "kubectl describe resourcequota compute -n shop",
			planned: "compute", plan: 3, wait: 3,
		},
	},
	{
		name: "limit-range", target: "deploy/indexer",
		cluster: func(c *cluster) {
			c.refused("indexer", 0, forbidden("indexer-7c9d5f6b8-w5kpl", "minimum cpu usage per Container is 500m, but request is 200m"), 20*minute)
			add(c, &corev1.LimitRange{
				ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "sizes"},
				Spec:       corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, Min: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("500m")}}}},
			}, 20*minute)
		},
		want: want{
			state: decision.StateBlocked, counts: "0 of 5 Pods created", cause: "LimitRange sizes refuses the Pods",
			reason: "OutsideRange", object: "limitrange/sizes", next: "kubectl describe limitrange sizes -n shop",
			said: []string{"minimum cpu usage per Container is 500m, but request is 200m"}, plan: 3, wait: 3,
		},
	},
	{
		name: "webhook-denied", target: "deploy/indexer",
		cluster: func(c *cluster) {
			c.refused("indexer", 0, `admission webhook "validation.gatekeeper.sh" denied the request: [require-team] you must provide labels: {"team"}`, 20*minute)
		},
		want: want{
			state: decision.StateBlocked, counts: "0 of 5 Pods created", cause: "denied by webhook validation.gatekeeper.sh",
			reason: "WebhookDenied", object: "replicaset/indexer-7c9d5f6b8", next: "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations",
			said: []string{`[require-team] you must provide labels: {"team"}`}, plan: 3, wait: 3,
		},
	},
	{
		name: "deletion-denied", target: "deploy/edge",
		cluster: func(c *cluster) { c.kept("edge") },
		want: want{
			state: decision.StateBlocked, counts: "3 available, 2 desired", cause: "deletion denied by a webhook",
			reason: "WebhookDenied", object: "replicaset/edge-7c9d5f6b8", next: "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations",
			plan: 3, planned: "blocked", wait: 3,
		},
	},
	{
		name: "deletion-denied-of-the-set", target: "rs/edge-7c9d5f6b8",
		cluster: func(c *cluster) { c.kept("edge") },
		plan:    []string{"--replicas", "1", "--until-stable"},
		want: want{
			state: decision.StateBlocked, counts: "3 available, 2 desired", cause: "deletion denied by a webhook",
			reason: "WebhookDenied", object: "replicaset/edge-7c9d5f6b8", next: "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations",
			plan: 1, planned: "delete 2 Pods", plans: "Today they are refused: deletion denied by webhook protect.example.com.", wait: 3,
		},
	},
	{ // as kubectl get deploy,rs,pods,events -o yaml shows it
		name: "webhook-denied-without-pods", target: "deploy/indexer",
		cluster: func(c *cluster) {
			c.refused("indexer", 0, `admission webhook "validation.gatekeeper.sh" denied the request: [require-team] you must provide labels: {"team"}`, 20*minute)
			c.withoutPods()
		},
		want: want{
			state: decision.StateBlocked, counts: "0 of 5 Pods created", cause: "denied by webhook validation.gatekeeper.sh",
			reason: "WebhookDenied", object: "replicaset/indexer-7c9d5f6b8", next: "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations",
			said: []string{`[require-team] you must provide labels: {"team"}`, "the input holds no pods: they are taken not to exist, as status counts none"},
			plan: 3, wait: 3, never: []string{"is not known: the input holds no pods"},
		},
	},
	{
		name: "webhook-unreachable", target: "deploy/indexer",
		cluster: func(c *cluster) {
			c.refused("indexer", 3, `Internal error occurred: failed calling webhook "sidecar-injector.istio.io": failed to call webhook: Post "https://istiod.istio-system.svc:443/inject?timeout=10s": dial tcp 10.96.41.7:443: connect: connection refused`, 12*minute)
		},
		want: want{
			state: decision.StateBlocked, counts: "3 of 5 Pods created", cause: "webhook sidecar-injector.istio.io fails",
			reason: "WebhookFailed", object: "replicaset/indexer-7c9d5f6b8", next: "kubectl get endpointslices -n istio-system -l kubernetes.io/service-name=istiod",
			said: []string{"connect: connection refused"}, plan: 3, wait: 3,
		},
	},
	{
		name: "pod-security", target: "deploy/indexer",
		cluster: func(c *cluster) {
			find[*corev1.Namespace](c, "shop").Labels["pod-security.kubernetes.io/enforce"] = "restricted"
			c.refused("indexer", 0, forbidden("indexer-7c9d5f6b8-w5kpl", `violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false (container "app" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "app" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "app" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "app" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")`), 20*minute)
		},
		want: want{
			state: decision.StateBlocked, counts: "0 of 5 Pods created", cause: "PodSecurity restricted refuses the Pods",
			reason: "PodSecurity", object: "replicaset/indexer-7c9d5f6b8", next: "kubectl get namespace shop --show-labels",
			said: []string{"runAsNonRoot != true"}, plan: 3, wait: 3,
		},
	},
	{
		name: "service-account-missing", target: "deploy/indexer",
		cluster: func(c *cluster) {
			d, rs := c.refused("indexer", 0, forbidden("indexer-7c9d5f6b8-", `error looking up service account shop/indexer: serviceaccount "indexer" not found`), 20*minute)
			d.Spec.Template.Spec.ServiceAccountName, rs.Spec.Template.Spec.ServiceAccountName = "indexer", "indexer"
		},
		want: want{
			state: decision.StateBlocked, counts: "0 of 5 Pods created", cause: "ServiceAccount indexer not found",
			reason: "ServiceAccountNotFound", object: "replicaset/indexer-7c9d5f6b8", next: "kubectl create serviceaccount indexer -n shop",
			said: []string{`serviceaccount "indexer" not found`}, plan: 3, wait: 3,
		},
	},
	{
		name: "namespace-terminating", target: "deploy/indexer",
		cluster: func(c *cluster) {
			c.refused("indexer", 0, forbidden("indexer-7c9d5f6b8-", "unable to create new content in namespace shop because it is being terminated"), 2*minute)
			ns := find[*corev1.Namespace](c, "shop")
			ns.DeletionTimestamp, ns.Status.Phase = new(ago(2*minute)), corev1.NamespaceTerminating
		},
		want: want{
			state: decision.StateBlocked, counts: "0 of 5 Pods created", cause: "namespace shop is being deleted",
			reason: "NamespaceTerminating", object: "namespace/shop", next: "kubectl describe namespace shop", plan: 3, wait: 3,
		},
	},
}
