package controlplane

import (
	"context"
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// createNodes leaves the status to kwok, whose stage gives a node more room than
// any test fills.
func (c *Cluster) createNodes(ctx context.Context) error {
	client, err := c.Client()
	if err != nil {
		return err
	}
	for i := range c.opts.Nodes {
		if _, err := client.CoreV1().Nodes().Create(ctx, fakeNode(i), metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("create node/%s: %w", nodeName(i), err)
		}
	}
	return nil
}

func fakeNode(i int) *corev1.Node {
	labels := map[string]string{corev1.LabelHostname: nodeName(i), corev1.LabelOSStable: "linux"}
	return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: nodeName(i), Labels: labels}}
}

func nodeName(i int) string { return fmt.Sprintf("node-%d", i) }

// waitForNodes returns when pods can be scheduled to all nodes.
func (c *Cluster) waitForNodes(ctx context.Context) error {
	client, err := c.Client()
	if err != nil {
		return err
	}
	return c.WaitFor(ctx, "all nodes to be ready", func(ctx context.Context) (bool, error) {
		nodes, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
		if err != nil {
			return false, err
		}
		ready := 0
		for _, node := range nodes.Items {
			if !nodeReady(node) {
				continue
			}
			if err := c.removeTaints(ctx, node); err != nil {
				return false, err
			}
			ready++
		}
		return ready == c.opts.Nodes, nil
	})
}

func nodeReady(node corev1.Node) bool {
	for _, condition := range node.Status.Conditions {
		if condition.Type == corev1.NodeReady {
			return condition.Status == corev1.ConditionTrue
		}
	}
	return false
}

// removeTaints takes off the taint not-ready that admission gives a new node.
// The node controller would do it too, but a test may have switched that off.
func (c *Cluster) removeTaints(ctx context.Context, node corev1.Node) error {
	if len(node.Spec.Taints) == 0 {
		return nil
	}
	client, err := c.Client()
	if err != nil {
		return err
	}
	patch, err := json.Marshal(map[string]any{"spec": map[string]any{"taints": nil}})
	if err != nil {
		return err
	}
	_, err = client.CoreV1().Nodes().Patch(ctx, node.Name, types.MergePatchType, patch, metav1.PatchOptions{})
	return err
}
