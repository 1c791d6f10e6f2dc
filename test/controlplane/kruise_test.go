package controlplane

import (
	"context"
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/dynamic"
)

// TestKruise takes a CloneSet through creation and an update in place.
func TestKruise(t *testing.T) {
	c := startCluster(t, Options{Nodes: 2, NoLeaderElection: true, Kruise: true})
	client, err := dynamic.NewForConfig(c.RESTConfig())
	check(t, err)
	clones := client.Resource(CloneSets).Namespace(namespace)

	_, err = clones.Create(t.Context(), cloneSet("web", 3), metav1.CreateOptions{})
	check(t, err)
	c.waitForStatus(t, clones, "web", "readyReplicas", 3)
	before := c.podUIDs(t, "app=web")

	mark := c.mark(t)
	patch := []byte(`[{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"main:2"}]`)
	_, err = clones.Patch(t.Context(), "web", types.JSONPatchType, patch, metav1.PatchOptions{})
	check(t, err)
	c.waitForStatus(t, clones, "web", "updatedReadyReplicas", 3)
	if after := c.podUIDs(t, "app=web"); !after.Equal(before) {
		t.Errorf("the pods were replaced: %v before, %v after", before, after)
	}
	_, err = c.WaitForAudit(t.Context(), mark, 3, isInPlaceUpdate)
	check(t, err)
}

func isInPlaceUpdate(e AuditEvent) bool {
	return e.User.Username == KruiseUser && e.Verb == "update" &&
		e.ObjectRef.Resource == "pods" && e.ObjectRef.Subresource == "" && e.ResponseStatus.Code == 200
}

func cloneSet(name string, replicas int64) *unstructured.Unstructured {
	set := probeCloneSet()
	set.SetName(name)
	labels := map[string]any{"app": name}
	spec := set.Object["spec"].(map[string]any)
	spec["replicas"] = replicas
	spec["updateStrategy"] = map[string]any{"type": "InPlaceOnly", "maxUnavailable": int64(1)}
	spec["selector"].(map[string]any)["matchLabels"] = labels
	spec["template"].(map[string]any)["metadata"].(map[string]any)["labels"] = labels
	return set
}

func (c testCluster) waitForStatus(t *testing.T, clones dynamic.ResourceInterface, name, field string, want int64) {
	t.Helper()
	check(t, c.WaitFor(t.Context(), fmt.Sprintf("status.%s of cloneset/%s to be %d", field, name, want), func(ctx context.Context) (bool, error) {
		set, err := clones.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		got, _, err := unstructured.NestedInt64(set.Object, "status", field)
		if err == nil && got != want {
			err = fmt.Errorf("the status is %v", set.Object["status"])
		}
		return got == want, err
	}))
}

func (c testCluster) podUIDs(t *testing.T, selector string) sets.Set[types.UID] {
	t.Helper()
	pods, err := c.client.CoreV1().Pods(namespace).List(t.Context(), metav1.ListOptions{LabelSelector: selector})
	check(t, err)
	uids := sets.New[types.UID]()
	for _, pod := range pods.Items {
		uids.Insert(pod.UID)
	}
	return uids
}
