package main

import (
	"context"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var scenes = map[string]scene{
	// handlers takes every branch of the handlers of ReplicaSets and their Pods.
	"handlers": {
		before: set("web", "app: web", 2, 2) + set("gone", "app: gone", 1, 0) + set("calm", "app: calm", 0, 0), ready: 3,
		traced: []string{"rs/web", "rs/edge", "rs/gone", "rs/calm"},
		acts: []act{
			applying("handlers", set("edge", "app: edge", 1, 0)),
			kubectl("handlers", "scale rs/web --replicas=3"),
			wait(3 * time.Second), // until it is available
			firstOf("handlers", "app=web", "label pod %s app=none --overwrite"),
			firstOf("handlers", "app=none", "annotate pod %s note=seen"), // an orphan that changes in nothing that counts
			firstOf("handlers", "app=none", "label pod %s app=edge --overwrite"),
			applying("handlers", pod("stray", "app: web")),
			applying("handlers", pod("nobody", "app: nobody")),
			kubectl("handlers", "delete pod nobody --grace-period=0 --force"),
			applying("handlers", others),
			kubectl("handlers", "delete rs/gone"),
			missed(all(kubectl("handlers", "scale rs/edge --replicas=2"), again("handlers", "web"))),
		},
	},
	// machinery scales a set, while the metrics of the real manager can be read.
	"machinery": {
		before: set("web", "app: web", 2, 0), ready: 2, metrics: true,
		traced: []string{"rs/web"},
		acts:   []act{kubectl("machinery", "scale rs/web --replicas=4"), wait(4 * time.Second)},
	},
	// workers scales several sets at once, whose keys several workers sync.
	"workers": {
		before: set("a", "app: a", 1, 0) + set("b", "app: b", 1, 0) + set("c", "app: c", 1, 0), ready: 3,
		traced: []string{"rs/a", "rs/b", "rs/c"},
		acts:   []act{kubectl("workers", "scale rs --all --replicas=12"), wait(3 * time.Second)},
	},
	// compressed has the queue of deltas of releases up to 1.32, which hands out all deltas of
	// an object at once.
	"compressed": {
		before: set("web", "app: web", 1, 0), ready: 1,
		traced: []string{"rs/web", "--emulate-version", "1.32"},
		acts:   held("compressed"),
	},
	// race lets two sets adopt one Pod.
	"race": {
		before: set("web", "app: web", 1, 0) + set("front", "tier: front", 1, 0), ready: 2,
		traced: []string{"rs/web", "rs/front"},
		acts:   []act{applying("race", pod("stray", "app: web\n    tier: front"))},
	},
	// slow is a watch of Pods that brings nothing for a while.
	"slow": {
		before: set("web", "app: web", 2, 0), ready: 2,
		traced: []string{"rs/web"}, acts: held("slow"),
	},
	// expects is the same where the controller does not wait to read back what it wrote, as
	// up to 1.35: expectations alone hold it.
	"expects": {
		before: set("web", "app: web", 2, 0), ready: 2, gates: readBackOff,
		traced: []string{"rs/web", "--feature-gates", readBackOff}, acts: held("expects"),
	},
	// pages reads lists of several pages.
	"pages": {
		before: set("web", "app: web", 5, 0), ready: 5, page: 2,
		traced: []string{"rs/web"},
		acts:   []act{kubectl("pages", "scale rs/web --replicas=4"), missed(kubectl("pages", "scale rs/web --replicas=3"))},
	},
	// streamed has watches bring the lists.
	"streamed": {
		before: set("web", "app: web", 3, 0), ready: 3,
		traced: []string{"rs/web", "--stream-lists"},
		acts:   []act{kubectl("streamed", "scale rs/web --replicas=4"), missed(kubectl("streamed", "scale rs/web --replicas=3"))},
	},
	// hooks updates a CloneSet in place, whose Pods leave traffic before and enter it after.
	"hooks": {
		before: clone, ready: 2, kruise: true,
		traced: []string{"clone/cart"},
		acts: []act{
			kubectl("hooks", `patch clone cart --type=json -p [{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"example.com/c:2"}]`),
			wait(2 * time.Second),
			kubectl("hooks", "label pods -l lifecycle.apps.kruise.io/state=PreparingUpdate "+inTraffic+"-"),
			wait(4 * time.Second),
			kubectl("hooks", "label pods -l lifecycle.apps.kruise.io/state=Updated "+inTraffic+"=true"),
			wait(3 * time.Second),
		},
	},
}

// readBackOff has syncs not wait until caches hold the controller's own writes.
const readBackOff = "StaleControllerConsistencyReplicaSet=false"

// held scales a set while a watch of its Pods brings nothing.
func held(namespace string) []act {
	return []act{
		func(_ context.Context, s *stage) error { s.proxy.hold(); return nil },
		kubectl(namespace, "scale rs/web --replicas=4"),
		wait(2 * time.Second),
		kubectl(namespace, "annotate rs/web note=seen"),
		wait(time.Second),
		func(_ context.Context, s *stage) error { s.proxy.release(); return nil },
		wait(time.Second),
	}
}

// inTraffic is the label of the hook.
const inTraffic = "example.com/in-traffic"

// clone is a CloneSet with that hook.
const clone = `---
apiVersion: apps.kruise.io/v1alpha1
kind: CloneSet
metadata:
  name: cart
spec:
  replicas: 2
  updateStrategy: {type: InPlaceIfPossible, maxUnavailable: 1}
  lifecycle:
    inPlaceUpdate:
      labelsHandler: {` + inTraffic + `: "true"}
  selector:
    matchLabels: {app: cart}
  template:
    metadata:
      labels: {app: cart, ` + inTraffic + `: "true"}
    spec:
      terminationGracePeriodSeconds: 1
      containers: [{name: c, image: example.com/c:1}]
`

// set is a ReplicaSet.
func set(name, labels string, replicas, minReady int) string {
	return fmt.Sprintf(`---
apiVersion: apps/v1
kind: ReplicaSet
metadata:
  name: %s
spec:
  replicas: %d
  minReadySeconds: %d
  selector:
    matchLabels:
      %s
  template:
    metadata:
      labels:
        %s
    spec:
      terminationGracePeriodSeconds: 1
      containers: [{name: c, image: example.com/c:1}]
`, name, replicas, minReady, labels, labels)
}

// pod is one without an owner.
func pod(name, labels string) string {
	return fmt.Sprintf(`---
apiVersion: v1
kind: Pod
metadata:
  name: %s
  labels:
    %s
spec:
  terminationGracePeriodSeconds: 1
  containers: [{name: c, image: example.com/c:1}]
`, name, labels)
}

// others is a set's Pod whose set is of another kind.
const others = `---
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: other
spec:
  selector: {matchLabels: {app: other}}
  template:
    metadata: {labels: {app: other}}
    spec:
      terminationGracePeriodSeconds: 1
      containers: [{name: c, image: example.com/c:1}]
`

func wait(d time.Duration) act {
	return func(context.Context, *stage) error { time.Sleep(d); return nil }
}

// missed does something while no watch is open, so that only a list tells of it.
func missed(do act) act {
	return func(ctx context.Context, s *stage) error {
		s.proxy.expire()
		defer s.proxy.renew()
		return do(ctx, s)
	}
}

// again deletes a ReplicaSet and makes another one of its name at once.
func again(namespace, name string) act {
	return func(ctx context.Context, s *stage) error {
		sets := s.client.AppsV1().ReplicaSets(namespace)
		was, err := sets.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		background := metav1.DeletePropagationBackground
		if err := sets.Delete(ctx, name, metav1.DeleteOptions{PropagationPolicy: &background}); err != nil {
			return err
		}
		now := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: was.Labels}, Spec: was.Spec}
		_, err = sets.Create(ctx, now, metav1.CreateOptions{})
		return err
	}
}
