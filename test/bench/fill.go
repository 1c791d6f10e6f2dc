package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

const (
	// podsPerSet and podsPerNode make 3,000 sets and 5,000 nodes of 150,000 pods.
	podsPerSet  = 50
	podsPerNode = 30
	// setsPerNamespace makes 30 namespaces of 3,000 sets.
	setsPerNamespace = 100
	// pattern is the namespace of the pod that the others are copies of.
	pattern = "pattern"
	// opsPerTxn is the most that etcd does in one transaction by default.
	opsPerTxn = 128
)

// filler writes objects into etcd as the API server stores them, copies of ones that the
// cluster's own controllers made, their managed fields and status included. No controller
// and no scheduler runs meanwhile: a cluster of 150,000 pods takes a minute.
type filler struct {
	etcd   string
	encode runtime.Encoder
	pod    *corev1.Pod
	set    *appsv1.ReplicaSet
	node   *corev1.Node
	// pods, nodes and namespaces are how many there are.
	pods, nodes, namespaces int
	puts                    []put
}

// put is one of the operations of etcd's JSON gateway.
type put struct {
	Request struct {
		Key   string `json:"key"`
		Value string `json:"value"`
	} `json:"requestPut"`
}

// newFiller lets the cluster make one pod, and stops its controllers then.
func newFiller(ctx context.Context, cluster *controlplane.Cluster) (*filler, error) {
	w := []workload{{pattern, "pod", 1, false}}
	if err := populate(ctx, cluster, w); err != nil {
		return nil, err
	}
	client, err := cluster.Client()
	if err != nil {
		return nil, err
	}
	f := &filler{etcd: cluster.EtcdURL(), encode: protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)}
	if err := f.patterns(ctx, client); err != nil {
		return nil, err
	}
	for _, c := range []controlplane.Component{controlplane.ControllerManager, controlplane.Scheduler, controlplane.Kwok} {
		if err := cluster.Kill(ctx, c); err != nil {
			return nil, err
		}
	}
	return f, nil
}

func (f *filler) patterns(ctx context.Context, client kubernetes.Interface) error {
	pods, err := client.CoreV1().Pods(pattern).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	sets, err := client.AppsV1().ReplicaSets(pattern).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	nodes, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	if len(pods.Items) != 1 || len(sets.Items) != 1 || len(nodes.Items) == 0 {
		return fmt.Errorf("%d pods, %d sets and %d nodes are there to copy, want one of each", len(pods.Items), len(sets.Items), len(nodes.Items))
	}
	f.pod, f.set, f.node = &pods.Items[0], &sets.Items[0], &nodes.Items[0]
	return nil
}

// to writes what is missing up to a number of pods.
func (f *filler) to(ctx context.Context, pods int) error {
	for ; f.nodes < pods/podsPerNode; f.nodes++ {
		if err := f.addNode(ctx, f.nodes); err != nil {
			return err
		}
	}
	for ; f.namespaces*setsPerNamespace*podsPerSet < pods; f.namespaces++ {
		if err := f.addNamespace(ctx, f.namespaces); err != nil {
			return err
		}
	}
	for s := f.pods / podsPerSet; s < pods/podsPerSet; s++ {
		if err := f.addSet(ctx, s); err != nil {
			return err
		}
	}
	f.pods = pods
	return f.flush(ctx)
}

func uid(kind string, n int) types.UID {
	return types.UID(fmt.Sprintf("%08x-0000-4000-8000-%012x", len(kind), n))
}

func namespaceOf(set int) string { return fmt.Sprintf("tenant-%d", set/setsPerNamespace) }

func setName(n int) string { return fmt.Sprintf("service-%d-7d9f8c6b5d", n) }

func (f *filler) addNode(ctx context.Context, n int) error {
	node := f.node.DeepCopy()
	node.Name, node.UID = fmt.Sprintf("worker-%d", n), uid("node", n)
	node.Labels[corev1.LabelHostname] = node.Name
	return f.add(ctx, "minions/"+node.Name, corev1.SchemeGroupVersion.WithKind("Node"), node)
}

func (f *filler) addNamespace(ctx context.Context, n int) error {
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{
		Name: fmt.Sprintf("tenant-%d", n), UID: uid("namespace", n), CreationTimestamp: f.set.CreationTimestamp,
	}, Status: corev1.NamespaceStatus{Phase: corev1.NamespaceActive}}
	return f.add(ctx, "namespaces/"+ns.Name, corev1.SchemeGroupVersion.WithKind("Namespace"), ns)
}

// addSet writes a ReplicaSet with its pods.
func (f *filler) addSet(ctx context.Context, n int) error {
	set := f.set.DeepCopy()
	set.Name, set.Namespace, set.UID, set.OwnerReferences = setName(n), namespaceOf(n), uid("replicaset", n), nil
	labelled := func(labels map[string]string) { labels["app"] = fmt.Sprintf("service-%d", n) }
	labelled(set.Labels)
	labelled(set.Spec.Selector.MatchLabels)
	labelled(set.Spec.Template.Labels)
	set.Spec.Replicas = new(int32(podsPerSet))
	set.Status.Replicas, set.Status.ReadyReplicas, set.Status.AvailableReplicas, set.Status.FullyLabeledReplicas = podsPerSet, podsPerSet, podsPerSet, podsPerSet
	if err := f.add(ctx, "replicasets/"+set.Namespace+"/"+set.Name, appsv1.SchemeGroupVersion.WithKind("ReplicaSet"), set); err != nil {
		return err
	}
	for i := range podsPerSet {
		if err := f.addPod(ctx, n*podsPerSet+i, true); err != nil {
			return err
		}
	}
	return nil
}

// addPod writes a pod, or writes it again.
func (f *filler) addPod(ctx context.Context, n int, ready bool) error {
	set := n / podsPerSet
	pod := f.pod.DeepCopy()
	pod.Name, pod.Namespace, pod.UID = fmt.Sprintf("%s-%05d", setName(set), n%podsPerSet), namespaceOf(set), uid("pod", n)
	pod.Labels["app"] = fmt.Sprintf("service-%d", set)
	pod.GenerateName = setName(set) + "-"
	pod.OwnerReferences[0].Name, pod.OwnerReferences[0].UID = setName(set), uid("replicaset", set)
	pod.Spec.NodeName = fmt.Sprintf("worker-%d", n/podsPerNode)
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == corev1.PodReady && !ready {
			c.Status, c.LastTransitionTime = corev1.ConditionFalse, metav1.Now()
		}
	}
	return f.add(ctx, "pods/"+pod.Namespace+"/"+pod.Name, corev1.SchemeGroupVersion.WithKind("Pod"), pod)
}

// rewrite changes the readiness of as many pods as it is told to, each once.
func (f *filler) rewrite(ctx context.Context, n int, ready bool) error {
	for i := range n {
		if err := f.addPod(ctx, i*7919%f.pods, ready); err != nil {
			return err
		}
	}
	return f.flush(ctx)
}

// add writes an object, with others in one transaction.
func (f *filler) add(ctx context.Context, key string, kind schema.GroupVersionKind, obj interface {
	runtime.Object
	metav1.Object
},
) error {
	obj.SetResourceVersion("") // etcd tells it
	obj.GetObjectKind().SetGroupVersionKind(kind)
	var value bytes.Buffer
	if err := f.encode.Encode(obj, &value); err != nil {
		return err
	}
	var p put
	p.Request.Key = base64.StdEncoding.EncodeToString([]byte("/registry/" + key))
	p.Request.Value = base64.StdEncoding.EncodeToString(value.Bytes())
	if f.puts = append(f.puts, p); len(f.puts) == opsPerTxn {
		return f.flush(ctx)
	}
	return nil
}

func (f *filler) flush(ctx context.Context) (err error) {
	if len(f.puts) == 0 {
		return nil
	}
	body, err := json.Marshal(map[string]any{"success": f.puts})
	if err != nil {
		return err
	}
	f.puts = f.puts[:0]
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, f.etcd+"/v3/kv/txn", bytes.NewReader(body))
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("etcd answers %s: %s", response.Status, strings.TrimSpace(string(text)))
	}
	return err
}
