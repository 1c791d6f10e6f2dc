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
	if len(created[0]) != 3 || sent.Name != "" || sent.UID != "" {
		t.Errorf("created %v, sent %+v", created, sent.ObjectMeta)
	}
	for _, name := range created[0] {
		if obj, ok := m.Get(view.PersistentVolumeClaims, "shop", name); !ok || obj.GetName() != name || obj.GetUID() == "" {
			t.Errorf("%s: %+v", name, obj)
		}
	}
}

// TestGraceOfDeletions: the API server waits for a kubelet only where one has something to
// stop.
func TestGraceOfDeletions(t *testing.T) {
	for name, c := range map[string]struct {
		node  string
		phase corev1.PodPhase
		gone  bool
	}{
		"running":   {"n1", corev1.PodRunning, false},
		"failed":    {"n1", corev1.PodFailed, true},
		"succeeded": {"n1", corev1.PodSucceeded, true},
		"no node":   {"", corev1.PodPending, true},
	} {
		pod := &corev1.Pod{Status: corev1.PodStatus{Phase: c.phase}, Spec: corev1.PodSpec{NodeName: c.node}}
		pod.Namespace, pod.Name, pod.UID = "shop", "a", "uid-a"
		b := view.NewBuilder(time.Now())
		b.Add(view.Pods, pod)
		m := cluster.New(b.View(), admission.Features{})
		m.CommitAll([]cluster.Write{{Verb: cluster.Delete, Kind: view.Pods, Namespace: "shop", Name: "a"}}, nil)
		m.Advance(m.Now())
		if _, there := m.Get(view.Pods, "shop", "a"); there == c.gone {
			t.Errorf("%s: there is %t at once", name, there)
		}
	}
}
