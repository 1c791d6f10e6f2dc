package cluster_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestIdenticalCreations: creations that share the object that is sent are objects of
// their own, and leave what is sent as it is.
func TestIdenticalCreations(t *testing.T) {
	m := cluster.New(view.NewBuilder(time.Now()).View(), admission.Features{})
	sent := &corev1.PersistentVolumeClaim{}
	sent.Namespace = "shop"
	created := m.CommitAll([]cluster.Write{{Verb: cluster.Create, Kind: view.PersistentVolumeClaims, Namespace: "shop", Name: "data-", Generate: true, Count: 3, Object: sent}}, nil)
	if len(created[1]) != 3 || sent.Name != "" || sent.UID != "" {
		t.Errorf("created %v, sent %+v", created, sent.ObjectMeta)
	}
	for _, name := range created[1] {
		if obj, ok := m.Get(view.PersistentVolumeClaims, "shop", name); !ok || obj.GetName() != name || obj.GetUID() == "" {
			t.Errorf("%s: %+v", name, obj)
		}
	}
}
