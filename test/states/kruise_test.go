package states

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

const (
	revisionBefore, revisionAfter = "cart-6b9f7d5c8", "cart-7c4d8f6b5"

	lifecycleState, lifecycleTime = "lifecycle.apps.kruise.io/state", "lifecycle.apps.kruise.io/timestamp"
)

var cloneSetKind = schema.GroupVersionKind{Group: "apps.kruise.io", Version: "v1alpha1", Kind: "CloneSet"}

// kruise is a kruise-manager that is alive, with more arguments.
func (c *cluster) kruise(args ...string) {
	c.namespace("kruise-system")
	t := template("kruise", "openkruise/kruise-manager:v1.8.0")
	t.Labels = map[string]string{"control-plane": "controller-manager"}
	t.Spec.Containers[0].Name, t.Spec.Containers[0].Args = "manager", args
	d := c.deployment("kruise-controller-manager", 1, t)
	d.Namespace, d.Spec.Selector = "kruise-system", &metav1.LabelSelector{MatchLabels: t.Labels}
	d.UID = uidOf("Deployment", d)
	rs := c.replicaSet(d, "7c9d5f6b8", 1, 1, t, 21*day)
	rs.Spec.Selector.MatchLabels = rs.Spec.Template.Labels
	c.pods(rs, 1, 3*day)
	c.lease("kruise-system", "kruise-manager", "kruise-controller-manager-7c9d5f6b8-4x7kq_0f8f2c51", 3*time.Second)
}

// cart is cloneset/cart, with Pods of its revision before and of the one after. status is
// what its controller wrote; its counts are added.
type cart struct {
	*cluster
	set           *unstructured.Unstructured
	before, after corev1.PodTemplateSpec
	pods          []*corev1.Pod
}

// cart makes one that is updated from cart:1.8 to cart:1.9; spec is the rest of its spec.
func (c *cluster) cart(replicas int, spec map[string]any) *cart {
	if !slices.ContainsFunc(c.objects, func(o runtime.Object) bool { return o.(metav1.Object).GetName() == "kruise-manager" }) {
		c.kruise()
	}
	s := &cart{cluster: c, before: template("cart", "shop/cart:1.8"), after: template("cart", "shop/cart:1.9")}
	all := map[string]any{
		"replicas": int64(replicas), "revisionHistoryLimit": int64(10), "selector": map[string]any{"matchLabels": map[string]any{"app": "cart"}},
		"scaleStrategy": map[string]any{}, "template": plain(s.after),
	}
	maps.Copy(all, spec)
	s.set = &unstructured.Unstructured{Object: map[string]any{"spec": all}}
	s.set.SetGroupVersionKind(cloneSetKind)
	s.set.SetNamespace("shop")
	s.set.SetName("cart")
	s.set.SetGeneration(6)
	s.set.SetLabels(map[string]string{"app": "cart"})
	add(c, s.set, 21*day)
	c.revision(s.set, revisionBefore, 1, s.before, 21*day)
	c.revision(s.set, revisionAfter, 2, s.after, hour)
	return s
}

// plain is a value as JSON fields.
func plain(v any) map[string]any {
	out, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&v)
	if err == nil {
		return out
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	out = map[string]any{}
	if err := json.Unmarshal(text, &out); err != nil {
		panic(err)
	}
	return integers(out).(map[string]any)
}

// integers makes whole numbers of JSON what unstructured objects hold.
func integers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key := range v {
			v[key] = integers(v[key])
		}
	case []any:
		for i := range v {
			v[i] = integers(v[i])
		}
	case float64:
		return int64(v)
	}
	return v
}

func (c *cluster) revision(of *unstructured.Unstructured, name string, number int64, t corev1.PodTemplateSpec, age time.Duration) {
	fields := plain(t)
	fields["$patch"] = "replace"
	text, err := json.Marshal(map[string]any{"spec": map[string]any{"template": fields}})
	if err != nil {
		panic(err)
	}
	add(c, &appsv1.ControllerRevision{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "shop", Name: name, Labels: map[string]string{"app": "cart", "controller.kubernetes.io/hash": name[5:]},
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(of, cloneSetKind)},
		},
		Revision: number, Data: runtime.RawExtension{Raw: text},
	}, age)
}

// fails is an event of what its controller tries since 25m, and tried again a moment ago.
func (s *cart) fails(reason, message string) {
	s.event(s.set, "CloneSet", "apps.kruise.io/v1alpha1", reason, message, 40, 25*minute, 20*time.Second)
}

// run adds ready Pods of a revision.
func (s *cart) run(n int, revision string, t corev1.PodTemplateSpec, age time.Duration) []*corev1.Pod {
	var all []*corev1.Pod
	for range n {
		id := suffixes[len(s.pods)]
		p := newPod("shop", "cart-"+id, t.Spec)
		p.GenerateName, p.Generation = "cart-", 1
		p.Labels = map[string]string{
			"app": "cart", "controller-revision-hash": revision, "pod-template-hash": revision[5:],
			"apps.kruise.io/cloneset-instance-id": id, lifecycleState: "Normal",
		}
		p.Annotations = map[string]string{lifecycleTime: now.Add(-age).Format(time.RFC3339)}
		p.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(s.set, cloneSetKind)}
		p.Spec.ReadinessGates = []corev1.PodReadinessGate{{ConditionType: "InPlaceUpdateReady"}}
		runs(p, fmt.Sprintf("n%d", len(s.pods)%3+1), age-5*time.Second)
		set(p, "InPlaceUpdateReady", corev1.ConditionTrue, "", "", age-5*time.Second)
		s.pods = append(s.pods, p)
		all = append(all, add(s.cluster, p, age))
	}
	return all
}

// enter puts a Pod into a state of its lifecycle.
func enter(p *corev1.Pod, state string, since time.Duration) {
	p.Labels[lifecycleState], p.Annotations[lifecycleTime] = state, now.Add(-since).Format(time.RFC3339)
}

// done writes the status of the CloneSet.
func (s *cart) done(expected int) {
	status := map[string]any{
		"observedGeneration": s.set.GetGeneration(), "labelSelector": "app=cart", "collisionCount": int64(0),
		"currentRevision": revisionBefore, "updateRevision": revisionAfter, "expectedUpdatedReplicas": int64(expected),
	}
	count := map[string]int64{"replicas": 0, "readyReplicas": 0, "availableReplicas": 0, "updatedReplicas": 0, "updatedReadyReplicas": 0, "updatedAvailableReplicas": 0}
	for _, p := range s.pods {
		if !activePod(p) {
			continue
		}
		count["replicas"]++
		updated := p.Labels["controller-revision-hash"] == revisionAfter
		if updated {
			count["updatedReplicas"]++
		}
		if !readyPod(p) {
			continue
		}
		count["readyReplicas"]++
		if p.Labels[lifecycleState] == "Normal" {
			count["availableReplicas"]++
		}
		if updated {
			count["updatedReadyReplicas"]++
			count["updatedAvailableReplicas"]++
		}
	}
	for key, n := range count {
		status[key] = n
	}
	s.set.Object["status"] = status
}
