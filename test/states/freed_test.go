package states

import (
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// TestFreed: a rollout whose new Pods were refused is scaled down, and an old Pod is
// deleted. A quota that was read is asked again then; one that was not, and what is not
// known, may let new Pods pass; what refuses the Pod itself refuses it again.
func TestFreed(t *testing.T) {
	exceeded := forbidden("pay-5b46dc9f7-w5kpl", "exceeded quota: team, requested: requests.cpu=500m, used: requests.cpu=2, limited: requests.cpu=2")
	for _, c := range []struct {
		name, message string
		unread        bool
		first         string
		status        int
	}{
		{"quota", exceeded, false, "then be stable: 2 of 2 Pods available.", 1},
		{"quota-not-read", exceeded, true, "then be stable: 2 of 2 Pods available if new Pods are admitted; so far: ResourceQuota team refused the last attempt.", 1},
		{"unknown", "etcdserver: request timed out", false, "then be stable: 2 of 2 Pods available if new Pods are admitted; so far: creating Pods fails.", 1},
		{"webhook", `admission webhook "validation.gatekeeper.sh" denied the request: no team`, true, "then it is blocked: denied by webhook validation.gatekeeper.sh.", 3},
		{"pod-security", forbidden("pay-5b46dc9f7-w5kpl", `violates PodSecurity "restricted:latest": runAsNonRoot != true`), true, "then it is blocked: PodSecurity restricted refuses the Pods.", 3},
		{"other-admission", forbidden("pay-5b46dc9f7-w5kpl", "sysctl is not allowed"), true, "then it is blocked: the API server refuses the Pods.", 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := newAsked(t, state{name: "freed-" + c.name, cluster: func(built *cluster) {
				built.full(c.message)
				if !c.unread {
					built.quota("team", corev1.ResourceList{"requests.cpu": resource.MustParse("1800m")}, corev1.ResourceList{"requests.cpu": resource.MustParse("1500m")})
				}
			}})
			got := a.run("plan", "deploy/pay", "-n", "shop", "--replicas", "2", "--until-stable", "--exit-code")
			if got.status != c.status || !strings.HasSuffix(got.first(), c.first) {
				t.Errorf("ends with %d, want %d and %q: %s%s", got.status, c.status, c.first, got.out, got.errs)
			}
		})
	}
}

// TestStatefulSetRefused: a quota that was not read, and refused the last Pod, refuses
// the next one while nothing is gone.
func TestStatefulSetRefused(t *testing.T) {
	for _, unread := range []bool{false, true} {
		a := newAsked(t, state{name: "statefulset-quota", cluster: func(c *cluster) {
			s := c.db(3, dbFirst)
			s.run(dbFirst, 3*day, 0, 1)
			s.done(dbFirst)
			c.event(s.set, "StatefulSet", "apps/v1", "FailedCreate", `create Pod db-2 in StatefulSet db failed error: pods "db-2" is forbidden: exceeded quota: team, requested: pods=1, used: pods=2, limited: pods=2`, 17, 3*hour, 3*minute)
			if !unread {
				c.quota("team", corev1.ResourceList{"pods": resource.MustParse("9")}, corev1.ResourceList{"pods": resource.MustParse("2")})
			}
		}})
		got := a.run("plan", "sts/db", "-n", "shop", "--until-stable", "--exit-code")
		if blocked := strings.Contains(got.first(), "blocked"); blocked != unread || (got.status == 3) != unread {
			t.Errorf("unread %t: ends with %d: %s%s", unread, got.status, got.out, got.errs)
		}
	}
}

// full is a rollout whose new Pods are refused.
func (c *cluster) full(message string) {
	half := func(image string) corev1.PodTemplateSpec {
		t := template("pay", image)
		t.Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = resource.MustParse("500m")
		return t
	}
	d, before, after := c.rollout("pay", 4, half("shop/pay:1"), half("shop/pay:2"), 4*minute)
	*before.Spec.Replicas, *after.Spec.Replicas = 3, 2
	c.pods(before, 3, 3*day)
	c.event(after, "ReplicaSet", "apps/v1", "FailedCreate", "Error creating: "+message, 14, 4*minute, minute)
	after.Status.Conditions = []appsv1.ReplicaSetCondition{{
		Type: appsv1.ReplicaSetReplicaFailure, Status: corev1.ConditionTrue, Reason: "FailedCreate", Message: message, LastTransitionTime: ago(4 * minute),
	}}
	c.writeStatus()
	d.Status.Conditions = append(conditionsOf(d, d.Status), appsv1.DeploymentCondition{
		Type: appsv1.DeploymentReplicaFailure, Status: corev1.ConditionTrue, Reason: "FailedCreate", Message: message, LastUpdateTime: ago(4 * minute), LastTransitionTime: ago(4 * minute),
	})
}

// TestEvictedPod: an evicted Pod's first line says of what the node was short, and which Pod
// was created since, or how many stand for it.
func TestEvictedPod(t *testing.T) {
	for want, younger := range map[string]int{
		"; Evicted (node low on memory); replaced by edge-7c9d5f6b8-c5m2t.":                     1,
		"; Evicted (node low on memory); replicaset/edge-7c9d5f6b8 has 3 of 3 Pods without it.": 2,
	} {
		a := newAsked(t, state{name: "evicted-pod", cluster: func(c *cluster) {
			_, rs, pods := c.stable("edge", 3, template("edge", "shop/edge:1.9"))
			before := len(c.objects)
			gone := c.pods(rs, 4, 5*day)[3]
			c.objects = append(c.objects[:before], gone)
			gone.Status = corev1.PodStatus{Phase: corev1.PodFailed, Reason: "Evicted", Message: "The node was low on resource: memory. Threshold quantity: 100Mi, available: 90Mi. "}
			set(gone, corev1.DisruptionTarget, corev1.ConditionTrue, "TerminationByKubelet", "The node was low on resource: memory.", 4*day)
			for i, p := range pods {
				if p.CreationTimestamp = ago(5 * day); i >= 3-younger {
					p.CreationTimestamp = ago(3 * day)
				}
			}
		}})
		if got := a.run("explain", "pod/edge-7c9d5f6b8-fjw8d", "-n", "shop"); !strings.HasSuffix(got.first(), want) || !strings.Contains(got.first(), " in shop: stable") {
			t.Errorf("%q, want stable, and %q", got.first(), want)
		}
	}
}

// TestEvictedReplica: a Pod that ended and that its controller deletes next does not block.
func TestEvictedReplica(t *testing.T) {
	i := slices.IndexFunc(statefulSetStates, func(s state) bool { return s.name == "statefulset-evicted" })
	got, want := newAsked(t, statefulSetStates[i]).run("explain", "pod/db-1", "-n", "shop"), "pod/db-1 in shop: reconciling; Evicted (node low on memory); statefulset/db deletes it."
	if got.first() != want {
		t.Errorf("%q, want %q", got.first(), want)
	}
}
