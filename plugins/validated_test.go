package plugins_test

import (
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/deployment"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
)

// TestValidated: what the API server refuses of a kind's own fields, at the edges.
func TestValidated(t *testing.T) {
	labels := map[string]string{"app": "web"}
	selector := &metav1.LabelSelector{MatchLabels: labels}
	d := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop"}, Spec: appsv1.DeploymentSpec{Selector: selector}}
	rs := &appsv1.ReplicaSet{ObjectMeta: d.ObjectMeta, Spec: appsv1.ReplicaSetSpec{Selector: selector}}
	d.Spec.Template.Labels, rs.Spec.Template.Labels = labels, labels
	deployments, sets := deployment.Controller().Admit.Validated, replicaset.Controller().Admit.Validated
	for _, c := range []struct {
		of         metav1.Object
		kind       view.Kind
		json, want string
	}{
		{d, view.Deployments, `{"spec":{"minReadySeconds":600}}`, "spec.progressDeadlineSeconds: 600 is not more than minReadySeconds (600)"},
		{d, view.Deployments, `{"spec":{"minReadySeconds":599}}`, ""},
		{d, view.Deployments, `{"spec":{"minReadySeconds":8,"progressDeadlineSeconds":9}}`, ""},
		{d, view.Deployments, `{"spec":{"revisionHistoryLimit":-1}}`, "spec.revisionHistoryLimit: -1 is less than 0"},
		{d, view.Deployments, `{"spec":{"strategy":{"rollingUpdate":{"maxUnavailable":"100%"}}}}`, ""},
		{rs, view.ReplicaSets, `{"spec":{"minReadySeconds":-1}}`, "spec.minReadySeconds: -1 is less than 0"},
		{rs, view.ReplicaSets, `{"spec":{"minReadySeconds":0}}`, ""},
		{rs, view.ReplicaSets, `{"spec":{"selector":{"matchLabels":{"app":"b"}}}}`, "refuses to change the selector"},
	} {
		t.Run(c.kind.Kind+c.json, func(t *testing.T) {
			m := whatif.Manifest{Kind: c.kind, Namespace: "shop", Name: "web", JSON: []byte(c.json), Validated: deployments}
			if c.of == metav1.Object(rs) {
				m.Validated = sets
			}
			_, _, err := m.Apply(c.of, metav1.NewTime(time.Unix(0, 0)))
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// TestSelectorOfNewReplicationControllers: it is the labels of the template where the
// manifest has none.
func TestSelectorOfNewReplicationControllers(t *testing.T) {
	for spec, want := range map[string]string{
		`{"template":{"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"a","image":"i"}]}}}`:                                  "web",
		`{"selector":{"app":"web"},"template":{"metadata":{"labels":{"app":"web","x":"y"}},"spec":{"containers":[{"name":"a","image":"i"}]}}}`: "web",
	} {
		admit := replicaset.Controller().Admit
		m := whatif.Manifest{Kind: view.ReplicationControllers, Namespace: "shop", Name: "web", JSON: []byte(`{"spec":` + spec + `}`), Default: admit.Default, Validated: admit.Validated}
		obj, _, err := m.Apply(nil, metav1.NewTime(time.Unix(0, 0)))
		if err != nil {
			t.Fatal(err)
		}
		if got := obj.(*corev1.ReplicationController).Spec.Selector; len(got) != 1 || got["app"] != want {
			t.Errorf("%s: got %v", spec, got)
		}
	}
}

// TestScalingSaysNumbers: a change of spec.replicas has its numbers, whichever controller
// makes it, and where the object has none it is from 1.
func TestScalingSaysNumbers(t *testing.T) {
	meta := metav1.ObjectMeta{Name: "web", Namespace: "shop"}
	set := &unstructured.Unstructured{}
	set.SetGroupVersionKind(view.CloneSets.GroupVersionKind)
	for k, obj := range map[string]metav1.Object{
		"deployments": &appsv1.Deployment{ObjectMeta: meta}, "replicasets": &appsv1.ReplicaSet{ObjectMeta: meta},
		"replicationcontrollers": &corev1.ReplicationController{ObjectMeta: meta}, "statefulsets": &appsv1.StatefulSet{ObjectMeta: meta}, "clonesets": set,
	} {
		c, _, _ := plugins.All().ForKind(k)
		for i, want := range []decision.Sizes{{From: 1, To: 12}, {From: 12, To: 5}} {
			changed, changes, err := c.WhatIf.Change(obj, whatif.Fields{Replicas: new(int32(want.To))})
			if err != nil || len(changes) != 1 || changes[0].Sizes == nil || *changes[0].Sizes != want {
				t.Errorf("%s, change %d: %+v, %v; want %+v", k, i, changes, err, want)
			}
			obj = changed
		}
	}
	for _, kind := range plugins.All().KindsWith(whatif.Replicas) {
		if !strings.Contains("deployments replicasets replicationcontrollers statefulsets clonesets", kind) {
			t.Errorf("%s are not tested", kind)
		}
	}
}
