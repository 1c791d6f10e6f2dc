package states

import (
	"maps"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// bareSet is a ReplicaSet of its own, with ready Pods.
func (c *cluster) bareSet(name string, replicas int32, labels map[string]string) *appsv1.ReplicaSet {
	t := template(name, "shop/"+name+":1.9")
	t.Labels = labels
	rs := add(c, &appsv1.ReplicaSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, Generation: 1, Labels: labels},
		Spec:       appsv1.ReplicaSetSpec{Replicas: &replicas, Selector: &metav1.LabelSelector{MatchLabels: labels}, Template: t},
	}, 9*day)
	c.pods(rs, int(replicas), 9*day)
	return rs
}

// bare is a ready Pod without an owner that a set adopts.
func (c *cluster) bare(name string, rs *appsv1.ReplicaSet) *corev1.Pod {
	before := len(c.objects)
	p := c.pods(rs, 3, hour)[2]
	c.objects = append(c.objects[:before], p)
	p.OwnerReferences, p.Name, p.GenerateName = nil, name, ""
	p.UID = uidOf("Pod", p)
	return p
}

// ownerStates are those of owners, and of objects without.
var ownerStates = []state{
	{
		name: "set-adopted-and-scaled", target: "rs/edge-7c9d5f6b8",
		cluster: func(c *cluster) {
			d, before, after := c.rollout("edge", 3, template("edge", "shop/edge:1.8"), template("edge", "shop/edge:1.9"), day)
			*before.Spec.Replicas, *after.Spec.Replicas = 2, 3
			c.pods(before, 2, 3*day)
			c.pods(after, 3, day)
			c.countSet(before)
			c.countSet(after)
			before.OwnerReferences = nil
			c.progress(d, progressing("NewReplicaSetAvailable", "done", day))
		},
		want: want{
			state: decision.StateStable, counts: "2 of 2 replicas available", cause: "to be adopted, scaled to 0",
			next: "kubectl ctrl explain deployment/edge -n shop", planned: "nothing", loose: []string{"edge-7c9d5f6b8"},
		},
	},
	{
		name: "overlapping-selectors", target: "rs/blue",
		cluster: func(c *cluster) {
			labels := map[string]string{"tier": "front"}
			c.bareSet("blue", 2, labels)
			c.bareSet("green", 3, labels)
		},
		want: want{state: decision.StateStable, counts: "2 of 2 replicas available", planned: "nothing", never: []string{"will adopt"}},
	},
	{
		name: "contested-orphans", target: "rs/web",
		cluster: func(c *cluster) {
			labels := map[string]string{"tier": "front"}
			web, red := c.bareSet("web", 2, labels), c.bareSet("red", 3, labels)
			c.bareSet("green", 1, labels)
			for _, p := range c.ownedBy(red) {
				p.OwnerReferences = nil
				p.CreationTimestamp = metav1.NewTime(now.Add(-hour))
			}
			c.remove(red)
			*web.Spec.Replicas = 3
		},
		want: want{
			state: decision.StateReconciling, counts: "2 of 3 available", cause: "next sync may adopt 3 Pods, may delete 2 Pods",
			plan: 1, planned: "may adopt 3 Pods, delete 2 Pods", wait: 1, loose: []string{"red-4x7kq", "red-9zvbn", "red-c5m2t"}, never: []string{"will delete", "deletes 2 Pods"},
		},
	},
	{
		name: "overlapping-deployments", target: "deploy/edge",
		cluster: func(c *cluster) {
			c.stable("edge", 3, template("edge", "shop/edge:1.9"))
			green := c.deployment("edge-green", 2, template("edge", "shop/edge:2.0"))
			rs := c.replicaSet(green, "5b46dc9f7", 1, 2, green.Spec.Template, 2*day)
			green.Spec.Selector.MatchLabels["app"], rs.Spec.Selector.MatchLabels["app"] = "edge", "edge"
			c.pods(rs, 2, 2*day)
		},
		want: want{
			state: decision.StateStable, counts: "3 of 3 replicas available", planned: "nothing",
			said: []string{"overlapping selectors: 1 ReplicaSet of deployment/edge-green matches this one's as well"},
		},
	},
	{
		name: "cascade-orphan", target: "rs/green",
		cluster: func(c *cluster) {
			labels := map[string]string{"tier": "front"}
			blue := c.bareSet("blue", 2, labels)
			c.bareSet("green", 3, labels)
			for _, p := range c.ownedBy(blue) {
				p.OwnerReferences = nil
			}
			c.remove(blue)
		},
		want: want{
			state: decision.StateReconciling, counts: "3 of 3 available", cause: "next sync adopts 2 Pods",
			plan: 1, planned: "adopt 2 Pods, delete 2 Pods", wait: 1, loose: []string{"blue-4x7kq", "blue-9zvbn"},
		},
	},
	{
		name: "deployment-cascade-orphan", target: "rs/web-7c9d5f6b8",
		cluster: func(c *cluster) {
			d, rs, _ := c.stable("web", 2, template("web", "shop/web:1.9"))
			rs.OwnerReferences = nil
			c.writeStatus()
			c.remove(d)
		},
		want: want{state: decision.StateStable, counts: "2 of 2 replicas available", planned: "nothing", loose: []string{"web-7c9d5f6b8"}},
	},
	{
		name: "set-removed-with-orphans", target: "deploy/web",
		cluster: func(c *cluster) {
			_, rs, pods := c.stable("web", 2, template("web", "shop/web:1.9"))
			for _, p := range pods {
				p.OwnerReferences = nil
			}
			c.stable("api", 1, template("api", "shop/api:1.0"))
			older, other := c.bare("web-older", rs), c.bare("web-other", rs)
			older.Labels, other.Labels = maps.Clone(older.Labels), maps.Clone(other.Labels)
			older.Labels["pod-template-hash"], older.Spec.Containers[0].Image = "5d4c", "shop/web:1.8"
			other.Labels["app"] = "other"
			c.writeStatus()
			c.remove(rs)
		},
		want: want{
			state: decision.StateReconciling, counts: "0 of 2", cause: "next sync creates 1 ReplicaSet",
			said: []string{"which may create 2 Pods; the new ReplicaSet may adopt web-7c9d5f6b8-4x7kq, web-7c9d5f6b8-9zvbn instead"},
			plan: 1, planned: "create 1 ReplicaSet", wait: 1, loose: []string{"web-7c9d5f6b8-4x7kq", "web-7c9d5f6b8-9zvbn", "web-older", "web-other"}, never: []string{"creates 2 Pods", "the hash 5d4c"},
		},
	},
	{
		name: "owner-uid-mismatch", target: "deploy/web",
		cluster: func(c *cluster) {
			_, rs, _ := c.stable("web", 3, template("web", "shop/web:1.9"))
			for _, p := range c.pods(rs, 4, 5*day)[3:] {
				p.OwnerReferences[0].UID = "5e0c7f0e-0000-4b1d-a000-1f0d6c2b9a11"
			}
			c.objects = append(c.objects[:len(c.objects)-4], c.objects[len(c.objects)-1:]...)
		},
		want: want{
			state: decision.StateStable, counts: "3 of 3 replicas available", cause: "the garbage collector deletes 1 Pod", planned: "nothing",
			next: "kubectl ctrl owners deployment/web --dependents -n shop", loose: []string{"web-7c9d5f6b8-fjw8d"},
			said: []string{"pod/web-7c9d5f6b8-fjw8d: the ownerReference names replicaset/web-7c9d5f6b8 with another UID, so that the garbage collector deletes 1 Pod"},
		},
	},
	{
		name: "set-owner-uid-mismatch", target: "deploy/web",
		cluster: func(c *cluster) {
			_, rs, _ := c.stable("web", 3, template("web", "shop/web:1.9"))
			rs.OwnerReferences[0].UID = "5e0c7f0e-0000-4b1d-a000-1f0d6c2b9a11"
		},
		want: want{
			state: decision.StateReconciling, counts: "0 of 3", cause: "the garbage collector deletes 1 ReplicaSet",
			next: "kubectl ctrl owners deployment/web --dependents -n shop",
			said: []string{"deployment/web will create 1 ReplicaSet, which creates 3 Pods.", "replicaset/web-7c9d5f6b8 has the same template and another owner"},
			plan: 1, planned: "create", wait: 1, loose: []string{"web-7c9d5f6b8"},
		},
	},
	{
		name: "foreground-deletion", target: "rs/web-7c9d5f6b8",
		cluster: func(c *cluster) {
			d, _, _ := c.stable("web", 2, template("web", "shop/web:1.9"))
			d.DeletionTimestamp, d.Finalizers = new(ago(minute)), []string{metav1.FinalizerDeleteDependents}
		},
		want: want{
			state: decision.StateReconciling, counts: "2 of 2 available", cause: "the garbage collector deletes it",
			reason: "OwnerWaits", object: "replicaset/web-7c9d5f6b8", next: "kubectl ctrl owners replicaset/web-7c9d5f6b8 --dependents -n shop",
			said: []string{"deployment/web is being deleted in the foreground"}, wait: 1,
		},
	},
	{
		name: "scaled-to-zero-without-pods", target: "deploy/web",
		cluster: func(c *cluster) { c.stable("web", 0, template("web", "shop/web:1.9")) },
		want:    want{state: decision.StateStable, counts: "0 of 0 replicas available", planned: "nothing"},
	},
	{
		name: "scaled-up-without-pods", target: "deploy/web", plan: []string{"--replicas", "2"},
		cluster: func(c *cluster) {
			c.stable("web", 0, template("web", "shop/web:1.9"))
			c.withoutPods()
		},
		want: want{
			state: decision.StateStable, counts: "0 of 0 replicas available", plan: 1, planned: "would scale replicaset/web-7c9d5f6b8 from 0 to 2",
			plans: "THEN replicaset/web-7c9d5f6b8 would create 2 Pods", never: []string{"does next is not known", "why Pods are not available"},
		},
	},
	{
		name: "bare-pod-adopted-below", target: "deploy/web",
		cluster: func(c *cluster) {
			_, rs, _ := c.stable("web", 2, template("web", "shop/web:1.9"))
			c.bare("debug", rs)
		},
		want: want{
			state: decision.StateReconciling, counts: "2 of 2 available", cause: "its ReplicaSet adopts 1 Pod, deletes 1 Pod",
			said: []string{"THEN replicaset/web-7c9d5f6b8 will adopt 1 Pod, delete 1 Pod"}, plans: "delete debug certain",
			plan: 1, planned: "replicaset/web-7c9d5f6b8 will adopt 1 Pod, delete 1 Pod", wait: 1, loose: []string{"debug"},
		},
	},
	{
		name: "label-lost-below", target: "deploy/web",
		cluster: func(c *cluster) {
			_, rs, pods := c.stable("web", 2, template("web", "shop/web:1.9"))
			c.writeStatus()
			c.stale[rs.Name] = true
			delete(pods[1].Labels, "app")
		},
		want: want{
			state: decision.StateReconciling, counts: "2 of 2 available", cause: "its ReplicaSet releases 1 Pod, creates 1 Pod",
			plan: 1, planned: "replicaset/web-7c9d5f6b8 will release 1 Pod, create 1 Pod", loose: []string{"web-7c9d5f6b8-9zvbn"},
			wait: 1,
		},
	},
	{
		name: "bare-pod-adopted", target: "rs/blue",
		cluster: func(c *cluster) {
			c.bare("debug", c.bareSet("blue", 2, map[string]string{"app": "blue"}))
		},
		want: want{
			state: decision.StateReconciling, counts: "2 of 2 available", cause: "next sync adopts 1 Pod",
			plan: 1, planned: "adopt", wait: 1, loose: []string{"debug"},
		},
	},
}

// TestStaleOwner: explain and owners say of a stale owner UID what orphans says, and no
// owner is named that is none.
func TestStaleOwner(t *testing.T) {
	ask := func(name string, args ...string) string {
		for _, s := range ownerStates {
			if s.name == name {
				return newAsked(t, s).run(append(args, "-n", "shop")...).out
			}
		}
		t.Fatalf("no state %s", name)
		return ""
	}
	for _, tt := range []struct {
		state string
		args  []string
		says  []string
		never string
	}{
		{"set-owner-uid-mismatch", []string{"explain", "rs/web-7c9d5f6b8"}, []string{
			"replicaset/web-7c9d5f6b8 in shop: reconciling, 3 of 3 available; the garbage collector deletes it.\n",
			"deployment/web has another UID than the ownerReference says",
			"Next: kubectl ctrl owners replicaset/web-7c9d5f6b8 --dependents -n shop",
		}, "OWNER "},
		{"set-owner-uid-mismatch", []string{"owners", "deploy/web", "--dependents"}, []string{
			"1 object refers to it with another UID: the garbage collector deletes it.", "└─ replicaset/web-7c9d5f6b8 ", "   └─ pod/web-7c9d5f6b8-c5m2t ",
		}, ""},
		{"owner-uid-mismatch", []string{"explain", "rs/web-7c9d5f6b8"}, []string{
			"stable, 3 of 3 replicas available; the garbage collector deletes 1 Pod.\n", "pod/web-7c9d5f6b8-fjw8d: the ownerReference names replicaset/web-7c9d5f6b8 with another UID",
		}, ""},
		{"owner-uid-mismatch", []string{"owners", "deploy/web", "--dependents"}, []string{"└─ pod/web-7c9d5f6b8-fjw8d      controlled, blockOwnerDeletion; the garbage collector deletes it"}, ""},
	} {
		got := ask(tt.state, tt.args...)
		for _, text := range tt.says {
			if !strings.Contains(unwrapped(got), unwrapped(text)) {
				t.Errorf("%s: %v does not say %q:\n%s", tt.state, tt.args, text, got)
			}
		}
		if tt.never != "" && strings.Contains(got, tt.never) {
			t.Errorf("%s: %v says %q:\n%s", tt.state, tt.args, tt.never, got)
		}
	}
}

// TestForeground: Pods below a Deployment that is deleted in the foreground are not stable,
// either.
func TestForeground(t *testing.T) {
	for _, s := range ownerStates {
		if s.name != "foreground-deletion" {
			continue
		}
		got := newAsked(t, s).run("explain", "pod/web-7c9d5f6b8-4x7kq", "-n", "shop").out
		for _, text := range []string{"reconciling, 1/1 containers ready; the garbage collector deletes it.", "DELETED without any change: deployment/web is being deleted in the foreground"} {
			if !strings.Contains(unwrapped(got), text) {
				t.Errorf("no %q in:\n%s", text, got)
			}
		}
	}
}

// TestPodOfStatefulSet: a Pod that holds up its controller says so, with the command that ends
// it, and so does one that is deleted without any change.
func TestPodOfStatefulSet(t *testing.T) {
	for name, c := range map[string]struct{ pod, first, next string }{
		"statefulset-broken-revision":  {"pod/db-2", "; image not found; blocks its own update.", "kubectl delete pod db-2 -n shop"},
		"statefulset-scale-down-waits": {"pod/db-2", "pod/db-2 in shop: reconciling, 1/1 containers ready; statefulset/db deletes it.", "kubectl ctrl explain statefulset/db -n shop"},
		"statefulset-stable":           {"pod/db-2", "pod/db-2 in shop: stable, 1/1 containers ready.", "kubectl ctrl plan statefulset/db --replicas 2 -n shop"},
	} {
		i := slices.IndexFunc(statefulSetStates, func(s state) bool { return s.name == name })
		got := newAsked(t, statefulSetStates[i]).run("explain", c.pod, "-n", "shop")
		if !strings.HasSuffix(got.first(), c.first) || !strings.HasSuffix(strings.TrimSpace(got.out), "Next: "+c.next) {
			t.Errorf("%s:\n%s", name, got.out)
		}
	}
}

// TestQuotaExit: a plan that only leads to refusals ends with the status of its rounds, and
// one that needs no creation does not.
func TestQuotaExit(t *testing.T) {
	for _, s := range createStates {
		if s.name != "quota" {
			continue
		}
		a := newAsked(t, s)
		for replicas, want := range map[string]int{"9": 3, "2": 1, "1": 1} {
			args := []string{"plan", "deploy/indexer", "-n", "shop", "--exit-code", "--replicas", replicas}
			if got := a.run(args...); got.status != want {
				t.Errorf("%s replicas: exit status %d, want %d", replicas, got.status, want)
			}
			if got := a.run(append(args, "--until-stable")...); got.status != want {
				t.Errorf("%s replicas until stable: exit status %d, want %d", replicas, got.status, want)
			}
		}
	}
}

// TestKeepSeveral: of Pods that can't all be kept, each is told what keeps it alone.
func TestKeepSeveral(t *testing.T) {
	for _, s := range stableStates {
		if s.name != "stable" {
			continue
		}
		got := newAsked(t, s).run("plan", "deploy/web", "-n", "shop", "--replicas", "1", "--keep", "web-7c9d5f6b8-4x7kq", "--keep", "web-7c9d5f6b8-9zvbn", "--keep", "web-7c9d5f6b8-c5m2t").out
		for _, name := range []string{"4x7kq", "9zvbn"} {
			text := "NOT KEPT web-7c9d5f6b8-" + name + ": not all of these Pods can be kept; this one alone: kubectl annotate pod web-7c9d5f6b8-" + name + " "
			if !strings.Contains(unwrapped(got), text) || strings.Contains(got, "no pod-deletion-cost spares it") {
				t.Errorf("no %q in:\n%s", text, got)
			}
		}
	}
}

// TestKeepCheaply: the cost that keeps a Pod is above that of those that are deleted for it,
// and of no other.
func TestKeepCheaply(t *testing.T) {
	for _, s := range stableStates {
		if s.name != "stable" {
			continue
		}
		without := s.cluster
		s.cluster = func(c *cluster) {
			without(c)
			for name, cost := range map[string]string{"4x7kq": "1000", "9zvbn": "100"} {
				find[*corev1.Pod](c, "web-7c9d5f6b8-"+name).Annotations = map[string]string{corev1.PodDeletionCost: cost}
			}
		}
		for replicas, cost := range map[string]string{"1": "1001", "2": "101"} {
			got := newAsked(t, s).run("plan", "deploy/web", "-n", "shop", "--replicas", replicas, "--keep", "web-7c9d5f6b8-c5m2t").out
			text := "c5m2t: kubectl annotate pod web-7c9d5f6b8-c5m2t -n shop --overwrite controller.kubernetes.io/pod-deletion-cost=" + cost + " "
			if !strings.Contains(unwrapped(got), text) {
				t.Errorf("%s replicas: no %q in:\n%s", replicas, text, got)
			}
		}
		got := newAsked(t, s).run("plan", "deploy/web", "-n", "shop", "--replicas", "2", "--keep", "web-7c9d5f6b8-fjw8d", "--keep", "web-7c9d5f6b8-hgldn", "--keep", "web-7c9d5f6b8-c5m2t").out
		if text := "this one alone: kubectl annotate pod web-7c9d5f6b8-fjw8d -n shop --overwrite controller.kubernetes.io/pod-deletion-cost=101 "; !strings.Contains(unwrapped(got), text) {
			t.Errorf("no %q in:\n%s", text, got)
		}
	}
}

// TestNames: a triage names the workloads that it lists, as kubectl does.
func TestNames(t *testing.T) {
	for _, s := range podStates[:1] {
		if got := newAsked(t, s).run("explain", "-n", "shop", "-o", "name"); got.out != "deployment.apps/edge\n" {
			t.Errorf("got %q, %s", got.out, got.errs)
		}
	}
}
