package cli

import (
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestLeftOut: what a controller creates is asked for, whichever kind that is.
func TestLeftOut(t *testing.T) {
	set := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: "db", Namespace: "shop"}, Status: appsv1.StatefulSetStatus{Replicas: 2}}
	ask := func(creates view.Kind, held ...metav1.Object) string {
		b := view.NewOpenBuilder(time.Now())
		for _, obj := range held {
			if _, pod := obj.(*corev1.Pod); pod {
				b.Add(view.Pods, obj)
			} else {
				b.Add(view.PersistentVolumeClaims, obj)
			}
		}
		err := leftOut(b.View(), aim{controller: controller.Controller{Creates: creates}, Target: view.Target{Kind: view.StatefulSets, Namespace: "shop", Name: "db"}}, set, false)
		if err == nil {
			return ""
		}
		return err.Error()
	}
	pod, claim := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "shop"}}, &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "shop"}}
	for _, tt := range []struct{ got, want string }{
		{ask(view.Kind{}, claim), "statefulsets/shop/db counts 2 Pods in its status, but the input holds no pod of namespace shop: save them as well, with kubectl get sts,pods"},
		{ask(view.Kind{}, pod), ""},
		{ask(view.PersistentVolumeClaims, pod), "counts 2 PersistentVolumeClaims in its status, but the input holds no persistentvolumeclaim of namespace shop: save them as well, with kubectl get sts,persistentvolumeclaims"},
		{ask(view.PersistentVolumeClaims, claim), ""},
	} {
		if !strings.Contains(tt.got, tt.want) || tt.want == "" && tt.got != "" {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}
