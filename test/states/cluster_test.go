package states

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/yaml"
)

// now is the instant at which all states are looked at.
var now = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

func ago(d time.Duration) metav1.Time { return metav1.NewTime(now.Add(-d)) }

const (
	minute = time.Minute
	hour   = time.Hour
	day    = 24 * time.Hour
)

// cluster is a cluster that is put together, with the objects that kubectl get -o yaml
// would show of it.
type cluster struct {
	objects []runtime.Object
	// stale are the names of workloads whose status is left as it was set.
	stale map[string]bool
}

// newCluster has what every cluster has: nodes, namespaces, and a controller manager
// that is alive.
func newCluster() *cluster {
	c := &cluster{stale: map[string]bool{}}
	for _, ns := range []string{"default", "kube-node-lease", "kube-system", "shop"} {
		c.namespace(ns)
	}
	c.node("cp-1", "a").Spec.Taints = []corev1.Taint{{Key: "node-role.kubernetes.io/control-plane", Effect: corev1.TaintEffectNoSchedule}}
	for i, zone := range []string{"a", "b", "c"} {
		c.node(fmt.Sprintf("n%d", i+1), zone)
	}
	c.lease("kube-system", "kube-controller-manager", "cp-1_2a6fd1f8-0a5e-4c0e-9c1b-6a9f3a1d5b77", 2*time.Second)
	c.lease("kube-system", "kube-scheduler", "cp-1_9be2f4f0-6f63-4b7e-8d0a-1f4f6e0e3f10", 1*time.Second)
	c.manager()
	return c
}

// uid is that of an object, the same in every run.
func uid(kind, namespace, name string) string {
	h := sha256.Sum256([]byte(kind + "/" + namespace + "/" + name))
	h[6], h[8] = h[6]&0x0f|0x40, h[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", h[:4], h[4:6], h[6:8], h[8:10], h[10:16])
}

// add gives an object what the API server gives it.
func add[T runtime.Object](c *cluster, o T, age time.Duration) T {
	kinds, _, err := scheme.Scheme.ObjectKinds(o)
	if err == nil {
		o.GetObjectKind().SetGroupVersionKind(kinds[0])
	}
	m := any(o).(metav1.Object)
	if m.GetUID() == "" {
		m.SetUID(uidOf(o.GetObjectKind().GroupVersionKind().Kind, m))
	}
	m.SetResourceVersion(fmt.Sprint(41200 + 7*len(c.objects)))
	m.SetCreationTimestamp(ago(age))
	c.objects = append(c.objects, o)
	return o
}

func (c *cluster) namespace(name string) *corev1.Namespace {
	return add(c, &corev1.Namespace{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelMetadataName: name}},
		Spec:       corev1.NamespaceSpec{Finalizers: []corev1.FinalizerName{corev1.FinalizerKubernetes}},
		Status:     corev1.NamespaceStatus{Phase: corev1.NamespaceActive},
	}, 90*day)
}

func (c *cluster) node(name, zone string) *corev1.Node {
	room := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("4"), corev1.ResourceMemory: resource.MustParse("16383508Ki"),
		corev1.ResourcePods: resource.MustParse("110"),
	}
	return add(c, &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{
			corev1.LabelHostname: name, corev1.LabelTopologyZone: "eu-1" + zone, corev1.LabelOSStable: "linux", corev1.LabelArchStable: "amd64",
		}},
		Spec: corev1.NodeSpec{ProviderID: "metal://" + name},
		Status: corev1.NodeStatus{
			Capacity: room, Allocatable: room,
			Conditions: []corev1.NodeCondition{{
				Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "KubeletReady", Message: "kubelet is posting ready status",
				LastHeartbeatTime: ago(40 * time.Second), LastTransitionTime: ago(90 * day),
			}},
			NodeInfo: corev1.NodeSystemInfo{KubeletVersion: "v1.36.3", ContainerRuntimeVersion: "containerd://2.1.4", OperatingSystem: "linux", Architecture: "amd64"},
		},
	}, 90*day)
}

// lost makes a node one whose kubelet does not answer since a while.
func (c *cluster) lost(n *corev1.Node, since time.Duration) {
	n.Spec.Taints = []corev1.Taint{
		{Key: corev1.TaintNodeUnreachable, Effect: corev1.TaintEffectNoSchedule, TimeAdded: new(ago(since))},
		{Key: corev1.TaintNodeUnreachable, Effect: corev1.TaintEffectNoExecute, TimeAdded: new(ago(since - 5*time.Second))},
	}
	r := &n.Status.Conditions[0]
	r.Status, r.Reason, r.Message = corev1.ConditionUnknown, "NodeStatusUnknown", "Kubelet stopped posting node status."
	r.LastHeartbeatTime, r.LastTransitionTime = ago(since+42*time.Second), ago(since)
}

func (c *cluster) lease(namespace, name, holder string, renewed time.Duration) *coordinationv1.Lease {
	return add(c, &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace},
		Spec: coordinationv1.LeaseSpec{
			HolderIdentity: &holder, LeaseDurationSeconds: new(int32(15)), LeaseTransitions: new(int32(3)),
			AcquireTime: new(metav1.NewMicroTime(now.Add(-30 * day))), RenewTime: new(metav1.NewMicroTime(now.Add(-renewed))),
		},
	}, 90*day)
}

// renewed is when a Lease was renewed last.
func (c *cluster) renewed(name string, since time.Duration) {
	find[*coordinationv1.Lease](c, name).Spec.RenewTime = new(metav1.NewMicroTime(now.Add(-since)))
}

// manager is the static Pod of the kube-controller-manager.
func (c *cluster) manager() {
	p := newPod("kube-system", "kube-controller-manager-cp-1", corev1.PodSpec{
		HostNetwork: true, Priority: new(int32(2000001000)), PriorityClassName: "system-node-critical",
		Containers: []corev1.Container{{
			Name: "kube-controller-manager", Image: "registry.k8s.io/kube-controller-manager:v1.36.3",
			Command: []string{"kube-controller-manager", "--controllers=*,bootstrapsigner,tokencleaner", "--leader-elect=true"},
		}},
	})
	p.Labels = map[string]string{"component": "kube-controller-manager", "tier": "control-plane"}
	p.OwnerReferences = []metav1.OwnerReference{{
		APIVersion: "v1", Kind: "Node", Name: "cp-1", UID: uidOf("Node", &metav1.ObjectMeta{Name: "cp-1"}), Controller: new(true),
	}}
	runs(p, "cp-1", 30*day)
	add(c, p, 30*day)
}

// find is an object that was added.
func find[T metav1.Object](c *cluster, name string) T {
	for _, o := range c.objects {
		if m, ok := o.(T); ok && m.GetName() == name {
			return m
		}
	}
	panic("no " + name)
}

// remove takes an object away.
func (c *cluster) remove(o runtime.Object) {
	for i := range c.objects {
		if c.objects[i] == o {
			c.objects = append(c.objects[:i], c.objects[i+1:]...)
			return
		}
	}
}

// event is one of an object.
func (c *cluster) event(of metav1.Object, kind, apiVersion, reason, message string, count int32, first, last time.Duration) *corev1.Event {
	h := sha256.Sum256([]byte(reason + message))
	return add(c, &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{Name: fmt.Sprintf("%s.%x", of.GetName(), h[:8]), Namespace: of.GetNamespace()},
		InvolvedObject: corev1.ObjectReference{APIVersion: apiVersion, Kind: kind, Namespace: of.GetNamespace(), Name: of.GetName(), UID: of.GetUID()},
		Type:           corev1.EventTypeWarning, Reason: reason, Message: message, Count: count,
		FirstTimestamp: ago(first), LastTimestamp: ago(last),
	}, first)
}

// fromYAML adds an object of a kind without a Go type.
func (c *cluster) fromYAML(text string, age time.Duration) *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &u.Object); err != nil {
		panic(err)
	}
	return add(c, u, age)
}

// withoutPods leaves out all Pods: where none is left, kubectl get shows no list of them.
func (c *cluster) withoutPods() {
	c.objects = slices.DeleteFunc(c.objects, func(o runtime.Object) bool { _, is := o.(*corev1.Pod); return is })
}

// yaml is the cluster as kubectl get -o yaml shows it.
func (c *cluster) yaml(t *testing.T) string {
	t.Helper()
	c.writeStatus()
	var all strings.Builder
	for _, o := range c.objects {
		text, err := yaml.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString("---\n")
		all.Write(text)
	}
	return all.String()
}

// writeStatus writes what the controllers would have written into status, of the Pods
// that there are.
func (c *cluster) writeStatus() {
	for _, o := range c.objects {
		if rs, ok := o.(*appsv1.ReplicaSet); ok && !c.stale[rs.Name] {
			c.countSet(rs)
		}
	}
	for _, o := range c.objects {
		if d, ok := o.(*appsv1.Deployment); ok && !c.stale[d.Name] {
			c.countDeployment(d)
		}
	}
}
