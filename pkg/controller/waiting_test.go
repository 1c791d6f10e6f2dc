package controller

import (
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// TestWaiting: who waits takes no target for stable whose generation is not observed,
// and judges causes by the time that they may last.
func TestWaiting(t *testing.T) {
	set := func(generation, observed int64) metav1.Object {
		return &appsv1.ReplicaSet{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", Generation: generation},
			Status:     appsv1.ReplicaSetStatus{ObservedGeneration: observed},
		}
	}
	clone := func(status map[string]any) metav1.Object {
		return &unstructured.Unstructured{Object: map[string]any{
			"metadata": map[string]any{"namespace": "shop", "name": "web", "generation": int64(1)}, "status": status,
		}}
	}
	deleted := set(2, 1)
	deleted.SetDeletionTimestamp(&metav1.Time{Time: clusterdsl.Now})
	gated := health.Options{Now: clusterdsl.Now}.Judge(decision.Cause{Reason: "Held"}, health.Hook, clusterdsl.Now.Add(-time.Minute))
	behind := decision.Cause{Reason: health.NotObserved}
	allowed, longer := time.Minute, time.Hour
	tests := []struct {
		name    string
		kind    view.Kind
		obj     metav1.Object
		causes  []decision.Cause
		allowed *time.Duration
		want    decision.State
		waits   int
	}{
		{"observed", view.ReplicaSets, set(2, 2), nil, nil, decision.StateStable, 0},
		{"behind", view.ReplicaSets, set(2, 1), nil, nil, decision.StateReconciling, 1},
		{"behind, as its plugin says", view.ReplicaSets, set(2, 1), []decision.Cause{behind}, nil, decision.StateReconciling, 1},
		{"behind for longer than allowed", view.ReplicaSets, set(2, 1), nil, new(time.Duration), decision.StateReconciling, 1},
		{"behind, and waiting for more", view.ReplicaSets, set(2, 1), []decision.Cause{gated}, nil, decision.StateProgressing, 2},
		{"being deleted", view.ReplicaSets, deleted, nil, nil, decision.StateStable, 0},
		{"a CloneSet, observed", view.CloneSets, clone(map[string]any{"observedGeneration": int64(1)}), nil, nil, decision.StateStable, 0},
		{"a CloneSet without status", view.CloneSets, clone(nil), nil, nil, decision.StateReconciling, 1},
		{"a kind that observes none", view.Namespaces, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", Generation: 1}}, nil, nil, decision.StateStable, 0},
		{"within its grace", view.ReplicaSets, set(2, 2), []decision.Cause{gated}, nil, decision.StateProgressing, 1},
		{"longer than allowed", view.ReplicaSets, set(2, 2), []decision.Cause{gated}, &allowed, decision.StateBlocked, 0},
		{"not longer", view.ReplicaSets, set(2, 2), []decision.Cause{gated}, &longer, decision.StateProgressing, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := Controller{
				Kinds: []view.Kind{tt.kind},
				Decide: func(*view.Reader, profile.Profile, Target) (*decision.Decision, error) {
					return &decision.Decision{}, nil
				},
				Answer: func(*decision.Decision) string { return "" },
				Assess: func(*view.Reader, profile.Profile, Target, *decision.Decision) health.Assessment {
					return health.Assessment{Causes: append([]decision.Cause(nil), tt.causes...)}
				},
			}
			b := view.NewOpenBuilder(clusterdsl.Now)
			b.Add(tt.kind, tt.obj)
			v, target := b.View(), Target{Kind: tt.kind, Namespace: "shop", Name: "web"}
			d, err := NewRegistry(c).Waiting(tt.allowed)[0].Run(v.Reader(), profile.Profile{}, target, nil)
			if err != nil {
				t.Fatal(err)
			}
			if d.State != tt.want || len(d.WaitingFor) != tt.waits {
				t.Errorf("%s, waiting for %v; want %s", d.State, d.WaitingFor, tt.want)
			}
			if d, err := c.Run(v.Reader(), profile.Profile{}, target, nil); err != nil || d.State != tt.want && d.State != decision.StateProgressing || len(d.WaitingFor) != max(tt.waits, len(tt.causes)) {
				t.Errorf("without waiting: %s, %v, %v", d.State, d.WaitingFor, err)
			}
		})
	}
}
