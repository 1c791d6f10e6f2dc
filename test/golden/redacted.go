package golden

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// untold is the rule of what cannot be told without the values that are replaced:
// a hash of them is all that there is.
const untold = "CompletionUnknown"

// sameRedacted checks that a sync decides the same on objects as snapshots have
// them, or says what it cannot tell.
func sameRedacted(t *testing.T, v *view.View, decide func(*view.View) *decision.Decision, prose func(*decision.Decision) string) {
	t.Helper()
	with := copied(t, v, planted)
	share := bundle.Sharing(plugins.All().Keep())
	without := copied(t, with, func(obj metav1.Object) metav1.Object {
		shared, err := share(obj)
		if err != nil {
			t.Fatal(err)
		}
		return shared
	})
	want, got := decide(with), decide(without)
	if says(got, untold) && !says(want, untold) {
		return
	}
	if diff := cmp.Diff(prose(want), prose(got)); diff != "" {
		t.Errorf("the decision on redacted objects is another one:\n%s", diff)
	}
}

func says(d *decision.Decision, rule string) (found bool) {
	d.EachRuling(func(r *decision.Ruling) { found = found || r.Rule == rule })
	return found
}

// copied is the View with another copy of each object.
func copied(t *testing.T, v *view.View, change func(metav1.Object) metav1.Object) *view.View {
	t.Helper()
	for _, k := range append(view.Kinds(), v.Others()...) {
		var objs []metav1.Object
		for _, obj := range v.All(k) {
			objs = append(objs, likeOf(t, obj, change(obj)))
		}
		v = v.With(k, objs...)
	}
	return v
}

// likeOf is a changed object in the type of the original.
func likeOf(t *testing.T, original, changed metav1.Object) metav1.Object {
	t.Helper()
	u, ok := changed.(*unstructured.Unstructured)
	if _, same := original.(*unstructured.Unstructured); same || !ok {
		return changed
	}
	obj := reflect.New(reflect.TypeOf(original).Elem()).Interface()
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, obj); err != nil {
		t.Fatal(err)
	}
	return obj.(metav1.Object)
}

// hashes are what kruise-daemon reports of the containers that run. They are those
// of the containers as the sketch has them, so that nothing may be planted there.
const hashes = "apps.kruise.io/runtime-containers-meta"

// planted is a copy of an object with a secret in each container of each template.
func planted(obj metav1.Object) metav1.Object {
	members, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		panic(err) // a programming error: an object that is no struct
	}
	if u, ok := obj.(*unstructured.Unstructured); ok {
		members = u.DeepCopy().Object
	}
	if obj.GetAnnotations()[hashes] == "" {
		plant(members)
	}
	return &unstructured.Unstructured{Object: members}
}

func plant(v any) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			plant(item)
		}
	case map[string]any:
		for _, member := range v {
			plant(member)
		}
		list, _ := v["containers"].([]any)
		for _, c := range list {
			if c, ok := c.(map[string]any); ok {
				plantIn(c)
			}
		}
	}
}

// plantIn adds a secret to a container, a different one for each image.
func plantIn(c map[string]any) {
	secret := fmt.Sprint("hunter2 of ", c["image"])
	env, _ := c["env"].([]any)
	c["env"] = append(env, map[string]any{"name": "PASSWORD", "value": secret})
	c["args"] = []any{"--password", secret}
	c["livenessProbe"] = map[string]any{"httpGet": map[string]any{"path": "/?" + secret, "port": int64(80)}}
	c["readinessProbe"] = map[string]any{"grpc": map[string]any{"service": secret, "port": int64(80)}}
}
