package states

import (
	"fmt"
	"maps"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// strategy is a CloneSet's updateStrategy.
func strategy(kind string, partition, maxUnavailable int, more map[string]any) map[string]any {
	all := map[string]any{"type": kind, "partition": int64(partition), "maxUnavailable": int64(maxUnavailable), "maxSurge": int64(0)}
	maps.Copy(all, more)
	return map[string]any{"updateStrategy": all}
}

// hooked adds a lifecycle hook to a spec.
func hooked(spec map[string]any, hook string) map[string]any {
	spec["lifecycle"] = map[string]any{hook: map[string]any{"labelsHandler": map[string]any{"example.com/unready-blocker": "true"}}}
	return spec
}

// cloneSetStates are those of CloneSets.
var cloneSetStates = []state{
	{
		name: "cloneset-partition-reached", target: "clone/cart",
		cluster: func(c *cluster) {
			s := c.cart(5, strategy("InPlaceIfPossible", 3, 1, nil))
			s.run(3, revisionBefore, s.before, 5*day)
			s.run(2, revisionAfter, s.after, 50*minute)
			s.done(2)
		},
		want: want{state: decision.StateStable, counts: "5 of 5 replicas available, 2 updated", cause: "partition 3 is reached", planned: "nothing"},
	},
	{
		name: "cloneset-evicted", target: "clone/cart",
		cluster: func(c *cluster) {
			s := c.cart(3, strategy("InPlaceIfPossible", 0, 1, nil))
			s.run(3, revisionAfter, s.after, 5*day)
			p := s.run(1, revisionAfter, s.after, 5*day)[0]
			p.Status = corev1.PodStatus{Phase: corev1.PodFailed, Reason: "Evicted", Message: "The node was low on resource: memory.", StartTime: p.Status.StartTime}
			s.done(3)
		},
		want: want{state: decision.StateStable, counts: "3 of 3 replicas available", said: []string{"Failed Pod cart-fjw8d (Evicted, on node n1) is not counted"}},
	},
	{
		name: "cloneset-partition-not-reached", target: "clone/cart",
		cluster: func(c *cluster) {
			s := c.cart(5, strategy("ReCreate", 2, 1, nil))
			s.run(3, revisionBefore, s.before, 5*day)
			s.run(1, revisionAfter, s.after, 3*minute)
			fresh := s.run(1, revisionAfter, s.after, 20*time.Second)[0]
			waits(fresh, "ContainerCreating", "", 18*time.Second)
			set(fresh, "InPlaceUpdateReady", corev1.ConditionTrue, "", "", 19*time.Second)
			s.done(3)
		},
		want: want{
			state: decision.StateProgressing, counts: "2 of 3 updated, 4 available", cause: "cart-hgldn ContainerCreating",
			reason: "ContainerCreating", object: "pod/cart-hgldn", next: "kubectl describe pod cart-hgldn -n shop", wait: 1,
		},
	},
	{
		name: "cloneset-surges-first", target: "clone/cart",
		cluster: func(c *cluster) {
			s := c.cart(5, map[string]any{"updateStrategy": map[string]any{"type": "InPlaceIfPossible", "partition": "40%", "maxUnavailable": int64(1), "maxSurge": "40%"}})
			s.run(4, revisionBefore, s.before, 5*day)
			s.run(1, revisionAfter, s.after, 3*minute)
			s.done(3)
		},
		want: want{
			state: decision.StateReconciling, counts: "1 of 3 updated", cause: "next sync creates 2 Pods", planned: "will create 2 Pods", plan: 1, wait: 1,
			said: []string{"4 Pods waiting (2 of 4): this sync scales; later ones update all but 2 of 5 Pods (partition)"}, never: []string{"BLOCKED BY", "UpdateHeld"},
		},
	},
	{
		name: "cloneset-creates-one-at-a-time", target: "clone/cart",
		cluster: func(c *cluster) {
			s := c.cart(6, map[string]any{"scaleStrategy": map[string]any{"maxUnavailable": int64(1)}})
			s.run(3, revisionAfter, s.after, 5*day)
			s.done(3)
		},
		want: want{
			state: decision.StateReconciling, counts: "3 of 6 available", cause: "next sync creates 1 Pod", planned: "will create 1 Pod", plan: 1, wait: 1,
			reason: "ScaleUpLimited", object: "cloneset/cart",
			said: []string{"of revision 7c4d8f6b5, 1 of 3 that are missing", "later syncs create 2 more"}, never: []string{"UpdateHeld"},
		},
	},
	{ // those behind the first wait for their turn, and not for anything else
		name: "cloneset-updates-by-priority", target: "clone/cart",
		cluster: func(c *cluster) {
			s := c.cart(3, map[string]any{"updateStrategy": map[string]any{"type": "InPlaceOnly", "maxUnavailable": int64(1), "priorityStrategy": map[string]any{
				"orderPriority": []any{map[string]any{"orderedKey": "order"}},
			}}})
			for i, p := range s.run(3, revisionBefore, s.before, 5*day) {
				p.Labels["order"] = fmt.Sprintf("x-%d", i)
			}
			s.done(3)
		},
		want: want{
			state: decision.StateReconciling, counts: "0 of 3 updated", cause: "next sync updates 1 Pod in place", plan: 1, planned: "update 1 Pod in place", wait: 1,
			said: []string{"1 of at most 1 Pods of the new revision are or become"}, never: []string{"BLOCKED BY"},
		},
	},
	{ // a raised partition takes back no update, which is what the plan is about
		name: "cloneset-partition-rolls-none-back", target: "clone/cart", plan: []string{"--partition", "3"},
		cluster: func(c *cluster) {
			s := c.cart(3, strategy("InPlaceIfPossible", 2, 1, nil))
			s.run(2, revisionBefore, s.before, 5*day)
			crashes(s.run(1, revisionAfter, s.after, 20*minute)[0], 8, 1, "Error", 2*minute)
			s.done(1)
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 3 available", cause: "1 CrashLoopBackOff", plan: 3, planned: "would update no Pod", wait: 3,
			reason: "CrashLoopBackOff", object: "pod/cart-c5m2t", next: "kubectl logs cart-c5m2t -c app --previous -n shop",
		},
	},
	{
		name: "cloneset-update-denied", target: "clone/cart",
		cluster: func(c *cluster) {
			s := c.cart(3, strategy("InPlaceOnly", 0, 1, nil))
			s.run(3, revisionBefore, s.before, 5*day)
			s.done(3)
			s.fails("FailedUpdatePodInPlace", "failed to update pod cart-4x7kq in-place(revision "+revisionAfter+"): "+protected)
			s.fails("FailedDelete", "failed to delete pod cart-4x7kq: "+protected) // none is to be deleted
		},
		plan: []string{"--max-unavailable", "2", "--until-stable"},
		want: want{
			state: decision.StateBlocked, counts: "0 of 3 updated", cause: "update denied by webhook protect.example.com",
			reason: "WebhookDenied", object: "cloneset/cart", next: "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations",
			plan: 1, planned: "update 3 of 3 Pods in place", plans: "Today they are refused: update denied by webhook protect.example.com.", wait: 3, never: []string{"deletion denied"},
		},
	},
	{ // the budget is gone, or has room
		name: "cloneset-budget-refused-before", target: "clone/cart",
		cluster: func(c *cluster) {
			s := c.cart(2, strategy("InPlaceOnly", 0, 1, nil))
			s.run(3, revisionAfter, s.after, 5*day)
			s.done(2)
			s.fails("FailedDelete", `failed to delete pod cart-4x7kq: admission webhook "vpod.kb.io" denied the request: pub unavailable allowed is negative`)
		},
		want: want{state: decision.StateReconciling, counts: "3 available, 2 desired", cause: "next sync deletes 1 Pod", plan: 1, planned: "delete 1 Pod", wait: 1, never: []string{"BLOCKED BY"}},
	},
	{
		name: "cloneset-recreation-denied", target: "clone/cart",
		cluster: func(c *cluster) {
			s := c.cart(3, strategy("ReCreate", 0, 1, nil))
			s.run(3, revisionBefore, s.before, 5*day)
			s.done(3)
			s.fails("FailedUpdatePodReCreate", "failed to patch pod specified-delete cart-c5m2t for update(revision "+revisionAfter+"): "+protected)
		},
		want: want{
			state: decision.StateBlocked, counts: "0 of 3 updated", cause: "update denied by webhook protect.example.com", reason: "WebhookDenied", object: "cloneset/cart",
			next: "kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations", plan: 3, planned: "blocked", wait: 3,
		},
	},
	{
		name: "cloneset-update-of-before-denied", target: "clone/cart",
		cluster: func(c *cluster) {
			s := c.cart(3, strategy("InPlaceOnly", 0, 1, nil))
			s.run(3, revisionBefore, s.before, 5*day)
			s.done(3)
			s.fails("FailedUpdatePodInPlace", "failed to update pod cart-4x7kq in-place(revision cart-5d4c): "+protected)
		},
		want: want{state: decision.StateReconciling, counts: "0 of 3 updated", cause: "next sync updates 1 Pod in place", plan: 1, planned: "update 1 Pod in place", wait: 1, never: []string{"BLOCKED BY"}},
	},
	{
		name: "cloneset-readiness-gate", target: "clone/cart",
		cluster: func(c *cluster) {
			s := c.cart(3, strategy("ReCreate", 0, 1, nil))
			s.run(3, revisionAfter, s.after, 3*day)
			waits(s.pods[2], "ContainerCreating", "", 3*time.Second)
			s.pods[2].CreationTimestamp = ago(4 * time.Second)
			s.done(3)
		},
		want: want{
			state: decision.StateReconciling, counts: "2 of 3 available", cause: "next sync opens the readiness gate of 1 Pod",
			reason: "ContainerCreating", object: "pod/cart-c5m2t", plan: 1, planned: "open the readiness gate of 1 Pod", wait: 1,
		},
	},
	{
		name: "cloneset-image-not-found", target: "clone/cart",
		cluster: func(c *cluster) {
			s := c.cart(5, strategy("InPlaceIfPossible", 0, 2, nil))
			s.run(3, revisionBefore, s.before, 5*day)
			for _, p := range s.run(2, revisionAfter, s.after, 5*day) {
				failsProbe(p, 6*minute)
				set(p, "InPlaceUpdateReady", corev1.ConditionTrue, "", "", 6*minute)
				p.Annotations["apps.kruise.io/inplace-update-state"] = `{"revision":"` + revisionAfter + `","updateTimestamp":"` + now.Add(-6*minute).Format(time.RFC3339) + `","lastContainerStatuses":{"app":{"imageID":"registry.example.com/shop/cart:1.8@sha256:` + uid("container", p.Name, "app") + `"}}}`
				st := &p.Status.ContainerStatuses[0]
				st.RestartCount, st.LastTerminationState.Terminated = 0, &corev1.ContainerStateTerminated{ExitCode: 0, Reason: "Completed", StartedAt: ago(5 * day), FinishedAt: ago(6 * minute)}
				st.State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ImagePullBackOff", Message: `Back-off pulling image "shop/cart:1.9": ErrImagePull: rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/shop/cart:1.9": failed to resolve reference "docker.io/shop/cart:1.9": docker.io/shop/cart:1.9: not found`}}
			}
			s.done(5)
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 5 updated, 3 available", cause: "2 image not found",
			reason: "ErrImagePull", object: "pod/cart-fjw8d", next: "kubectl describe pod cart-fjw8d -n shop", plan: 3, wait: 3,
		},
	},
	{
		name: "cloneset-preparing-update", target: "clone/cart",
		cluster: func(c *cluster) {
			s := c.cart(3, hooked(strategy("InPlaceIfPossible", 0, 1, nil), "inPlaceUpdate"))
			for _, p := range s.run(3, revisionBefore, s.before, 5*day) {
				p.Labels["example.com/unready-blocker"] = "true"
			}
			enter(s.pods[2], "PreparingUpdate", 40*minute)
			s.done(3)
		},
		want: want{
			state: decision.StateBlocked, counts: "0 of 3 updated", cause: "1 held by the inPlaceUpdate hook",
			reason: "LifecycleHook", object: "pod/cart-c5m2t", next: "kubectl get pod cart-c5m2t -n shop -o yaml",
			said: []string{"example.com/unready-blocker=true is set"}, plan: 3, wait: 3,
		},
	},
	{ // the Pods of each are counted
		name: "cloneset-two-hooks", target: "clone/cart",
		cluster: func(c *cluster) {
			spec := hooked(strategy("InPlaceIfPossible", 0, 2, nil), "inPlaceUpdate")
			spec["lifecycle"].(map[string]any)["preNormal"] = map[string]any{"labelsHandler": map[string]any{"example.com/warm": "true"}}
			s := c.cart(3, spec)
			for _, p := range s.run(3, revisionBefore, s.before, 5*day) {
				p.Labels["example.com/unready-blocker"] = "true"
			}
			enter(s.pods[0], "PreparingUpdate", 40*minute)
			enter(s.pods[1], "PreparingUpdate", 40*minute)
			enter(s.pods[2], "PreparingNormal", 30*minute)
			s.done(3)
		},
		want: want{
			state: decision.StateBlocked, counts: "0 of 3 updated, 0 available", cause: "2 inPlaceUpdate hook, 1 preNormal hook",
			reason: "LifecycleHook", object: "pod/cart-4x7kq", next: "kubectl get pod cart-4x7kq -n shop -o yaml", plan: 3, wait: 3,
		},
	},
	{
		name: "cloneset-pre-delete", target: "clone/cart",
		cluster: func(c *cluster) {
			s := c.cart(2, hooked(strategy("ReCreate", 0, 1, nil), "preDelete"))
			for _, p := range s.run(3, revisionAfter, s.after, 5*day) {
				p.Labels["example.com/unready-blocker"] = "true"
			}
			s.pods[1].Labels["apps.kruise.io/specified-delete"] = "true"
			enter(s.pods[1], "PreparingDelete", 25*minute)
			s.done(2)
		},
		want: want{
			state: decision.StateBlocked, counts: "2 of 2 available", cause: "1 held by the preDelete hook",
			reason: "LifecycleHook", object: "pod/cart-9zvbn", next: "kubectl get pod cart-9zvbn -n shop -o yaml",
			said: []string{"example.com/unready-blocker=true is set"}, never: []string{"NONE BACK", "ROLLED BACK"}, plan: 3, wait: 3,
		},
	},
	{
		name: "cloneset-budget", target: "clone/cart",
		cluster: func(c *cluster) {
			c.kruise("--feature-gates=PodUnavailableBudgetDeleteGate=true,PodUnavailableBudgetUpdateGate=true")
			s := c.cart(3, strategy("InPlaceIfPossible", 0, 1, nil))
			s.run(3, revisionBefore, s.before, 5*day)
			for _, p := range s.pods {
				p.Annotations["kruise.io/related-pub"] = "cart"
			}
			c.fromYAML(`
apiVersion: policy.kruise.io/v1alpha1
kind: PodUnavailableBudget
metadata: {name: cart, namespace: shop, generation: 1}
spec: {maxUnavailable: 0, selector: {matchLabels: {app: cart}}}
status: {observedGeneration: 1, unavailableAllowed: 0, currentAvailable: 3, desiredAvailable: 3, totalReplicas: 3, disruptedPods: {}, unavailablePods: {}}
`, 9*day)
			s.done(3)
		},
		want: want{
			state: decision.StateBlocked, counts: "0 of 3 updated", cause: "PodUnavailableBudget cart allows none",
			reason: "PodUnavailableBudget", object: "podunavailablebudget/cart", next: "kubectl describe podunavailablebudget cart -n shop",
			plan: 3, wait: 3,
		},
	},
	{
		name: "cloneset-paused", target: "clone/cart",
		cluster: func(c *cluster) {
			s := c.cart(3, strategy("InPlaceIfPossible", 0, 1, map[string]any{"paused": true}))
			s.run(2, revisionBefore, s.before, 5*day)
			s.run(1, revisionAfter, s.after, hour)
			s.done(3)
		},
		want: want{
			state: decision.StateBlocked, counts: "1 of 3 updated", cause: "paused with outstanding updates", reason: "Paused", object: "cloneset/cart",
			next: `kubectl patch cloneset cart -n shop --type merge -p '{"spec":{"updateStrategy":{"paused":false}}}'`, plan: 3, wait: 3,
		},
	},
	{
		name: "cloneset-manager-missing", target: "clone/cart",
		cluster: func(c *cluster) {
			s := c.cart(3, strategy("InPlaceIfPossible", 0, 1, nil))
			s.run(3, revisionBefore, s.before, 5*day)
			s.done(3)
			for _, p := range c.ownedBy(find[*appsv1.ReplicaSet](c, "kruise-controller-manager-7c9d5f6b8")) {
				c.remove(p)
			}
			*find[*appsv1.Deployment](c, "kruise-controller-manager").Spec.Replicas = 0
			*find[*appsv1.ReplicaSet](c, "kruise-controller-manager-7c9d5f6b8").Spec.Replicas = 0
			c.renewed("kruise-manager", 50*minute)
		},
		want: want{
			state: decision.StateBlocked, counts: "0 of 3 updated", cause: "no active leader",
			reason: "NoActiveLeader", object: "lease/kruise-manager", next: "kubectl describe lease kruise-manager -n kruise-system",
			plan: 3, wait: 3,
		},
	},
	{
		name: "cloneset-not-observed", target: "clone/cart",
		cluster: func(c *cluster) {
			s := c.cart(3, strategy("InPlaceIfPossible", 0, 1, nil))
			s.run(3, revisionBefore, s.before, 5*day)
			s.done(3)
			s.set.SetGeneration(7)
		},
		want: want{
			state: decision.StateReconciling, counts: "0 of 3 updated", cause: "generation 7 not observed",
			reason: "GenerationNotObserved", object: "cloneset/cart", next: "kubectl ctrl expectations cloneset/cart -n shop", plan: 1, planned: "update", wait: 1,
		},
	},
	{
		name: "cloneset-stable", target: "clone/cart",
		cluster: func(c *cluster) {
			s := c.cart(3, strategy("InPlaceIfPossible", 0, 1, nil))
			s.run(3, revisionAfter, s.after, 5*day)
			s.done(3)
			s.set.Object["status"].(map[string]any)["currentRevision"] = revisionAfter
		},
		want: want{state: decision.StateStable, counts: "3 of 3 replicas available", planned: "nothing"},
	},
}
