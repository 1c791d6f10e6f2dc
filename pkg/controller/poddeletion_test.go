package controller

import (
	"slices"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// TestNextSyncAlone: of a controller whose rounds are not simulated, a Pod that the next
// sync spares is not said to be kept.
func TestNextSyncAlone(t *testing.T) {
	v, err := clusterdsl.Parse("rs web selector=app=web replicas=4\npod a of=rs/web app=web\n")
	if err != nil {
		t.Fatal(err)
	}
	pod := decision.Ref{APIVersion: "v1", Kind: "Pod", Namespace: clusterdsl.Namespace, Name: "a"}
	c := Controller{
		Kinds: []view.Kind{view.ReplicaSets},
		Decide: func(r *view.Reader, _ profile.Profile, t Target) (*decision.Decision, error) {
			rs, _ := view.Get[*appsv1.ReplicaSet](r, view.Need{Kind: t.Kind, Namespace: t.Namespace, Name: t.Name})
			n := int(*rs.Spec.Replicas)
			d := &decision.Decision{Claims: []decision.Claim{{Object: pod, Decision: decision.Owned}}}
			if n == 1 {
				d.Actions = []decision.Action{{Verb: decision.Delete, Object: pod, Certainty: decision.Certain}}
			}
			return d, nil
		},
		Assess: func(*view.Reader, profile.Profile, Target, *decision.Decision) health.Assessment {
			return health.Assessment{Replicas: &decision.Replicas{Desired: 4}}
		},
		Answer: func(*decision.Decision) string { return "" },
		WhatIf: OnlyReplicas(func(obj metav1.Object, n int32) (metav1.Object, decision.Change, error) {
			rs := view.Copy(obj).(*appsv1.ReplicaSet)
			rs.Spec.Replicas = new(n)
			return rs, decision.Change{}, nil
		}),
	}
	rep, _, err := NewRegistry(c).Pod(v, profile.Profile{}, Target{Kind: view.Pods, Namespace: clusterdsl.Namespace, Name: "a"})
	if err != nil {
		t.Fatal(err)
	}
	d := rep.Deletion
	if want := []decision.PodFates{{From: 1, To: 1, Fate: decision.Doomed}}; d == nil || !d.Incomplete || !slices.Equal(d.Sizes, want) {
		t.Errorf("%+v", d)
	}
}
