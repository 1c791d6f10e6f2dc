package e2e

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// The nodes on which nobody plays the kubelet: what a test writes into the
// status of their pods stays as it is, and their pods terminate forever. The
// scheduler leaves them alone.
const (
	bare0 = "bare-0"
	bare1 = "bare-1"
	bare2 = "bare-2"
)

// clusterOptions let kwok manage only the nodes that the cluster itself makes,
// which have labels.
func clusterOptions() controlplane.Options {
	return controlplane.Options{
		Nodes:            2,
		NoLeaderElection: true,
		Users:            users,
		ExtraArgs: map[controlplane.Component][]string{
			controlplane.Kwok: {
				"--manage-all-nodes=false",
				"--manage-nodes-with-label-selector=" + corev1.LabelOSStable + "=linux",
			},
		},
	}
}

func createBareNodes(ctx context.Context, client kubernetes.Interface) error {
	for _, name := range []string{bare0, bare1, bare2} {
		if err := createBareNode(ctx, client, name); err != nil {
			return fmt.Errorf("create node/%s: %w", name, err)
		}
	}
	return nil
}

// createBareNode makes a node that looks healthy, or the node controller would
// evict its pods.
func createBareNode(ctx context.Context, client kubernetes.Interface, name string) error {
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}}
	node.Spec.Unschedulable = true
	if _, err := client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{}); err != nil {
		return err
	}
	// A patch, because the node controller writes to new nodes, too.
	_, err := client.CoreV1().Nodes().Patch(ctx, name, types.MergePatchType, nodeReady(metav1.Now()), metav1.PatchOptions{}, "status")
	return err
}

func nodeReady(now metav1.Time) []byte {
	return fmt.Appendf(nil, `{"status":{"conditions":[{"type":"Ready","status":"True","reason":"KubeletReady","lastHeartbeatTime":%[1]q,"lastTransitionTime":%[1]q}]}}`,
		now.UTC().Format(time.RFC3339))
}
