package controlplane

import (
	"fmt"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
)

const namespace = "default"

type testCluster struct {
	*Cluster
	client kubernetes.Interface
}

func startCluster(t *testing.T, opts Options) testCluster {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a control plane")
	}
	dir, err := Build(t.Context(), opts)
	check(t, err)
	opts.BinDir = dir
	begin := time.Now()
	c, err := Start(t.Context(), opts)
	check(t, err)
	t.Logf("started in %v", time.Since(begin))
	t.Cleanup(func() { check(t, c.Stop()) })
	client, err := c.Client()
	check(t, err)
	return testCluster{c, client}
}

func (c testCluster) pids() map[Component]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	pids := map[Component]int{}
	for component, p := range c.processes {
		pids[component] = p.cmd.Process.Pid
	}
	return pids
}

func (c testCluster) mark(t *testing.T) AuditMark {
	t.Helper()
	mark, err := c.AuditMark()
	check(t, err)
	return mark
}

func (c testCluster) createReplicaSet(t *testing.T, name string, replicas int32) {
	t.Helper()
	labels := map[string]string{"app": name}
	set := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Name: name}}
	set.Spec.Replicas = &replicas
	set.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
	set.Spec.Template.Labels = labels
	set.Spec.Template.Spec.Containers = []corev1.Container{{Name: "main", Image: "main"}}
	_, err := c.client.AppsV1().ReplicaSets(namespace).Create(t.Context(), set, metav1.CreateOptions{})
	check(t, err)
}

func (c testCluster) scale(t *testing.T, name string, replicas int) {
	t.Helper()
	patch := fmt.Appendf(nil, `{"spec":{"replicas":%d}}`, replicas)
	_, err := c.client.AppsV1().ReplicaSets(namespace).Patch(t.Context(), name, types.MergePatchType, patch, metav1.PatchOptions{})
	check(t, err)
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
