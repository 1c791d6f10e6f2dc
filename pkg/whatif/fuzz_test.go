package whatif

import (
	"bytes"
	"encoding/json"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// FuzzManifest lays any manifest over an object and over nothing. It must not
// change the object itself, nor what only the API server sets.
func FuzzManifest(f *testing.F) {
	for _, text := range []string{
		`{"metadata":{"name":"web"},"spec":{"replicas":5}}`,
		`{"metadata":{"name":"web","uid":"x","labels":null},"spec":{"selector":{"matchLabels":{"app":"db"}}}}`,
		`{"spec":{"template":{"spec":{"containers":[{"name":"a","$patch":"delete"},{"name":"b","image":"x"}]}}}}`,
		`{"spec":{"template":{"spec":{"$setElementOrder/containers":[{"name":"a"}],"$retainKeys":["x"]}}}}`,
		`{"metadata":[],"spec":7}`, `null`, `[]`,
		`{"metadata":{"annotations":{"a":1}},"spec":{"minReadySeconds":99999999999}}`,
	} {
		f.Add(0, []byte(text))
		f.Add(1, []byte(text))
		f.Add(2, []byte(text))
	}
	kinds := []view.Kind{view.ReplicaSets, view.ReplicationControllers, view.CloneSets}
	f.Fuzz(func(t *testing.T, which int, text []byte) {
		k := kinds[uint(which)%uint(len(kinds))]
		m := manifest(k, string(text))
		_ = m.Check()
		live := storedAs(k)
		before, err := json.Marshal(live)
		if err != nil {
			t.Fatal(err)
		}
		obj, _, err := m.Apply(live, now)
		if after, _ := json.Marshal(live); !bytes.Equal(before, after) {
			t.Errorf("the object was changed from %s to %s", before, after)
		}
		if err == nil && (obj.GetUID() != live.GetUID() || obj.GetNamespace() != "shop") {
			t.Errorf("the result is %s in %s, want %s in shop", obj.GetUID(), obj.GetNamespace(), live.GetUID())
		}
		_, _, _ = m.Apply(nil, now)
	})
}

// storedAs is an object of the kind as a cluster holds it.
func storedAs(k view.Kind) metav1.Object {
	switch k.Kind {
	case view.ReplicationControllers.Kind:
		rs := stored()
		return &corev1.ReplicationController{ObjectMeta: rs.ObjectMeta, Spec: corev1.ReplicationControllerSpec{
			Replicas: rs.Spec.Replicas, Selector: rs.Labels, Template: &rs.Spec.Template,
		}}
	case view.CloneSets.Kind:
		u := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"replicas": int64(3)}}}
		u.SetGroupVersionKind(k.GroupVersionKind)
		u.SetName("web")
		u.SetNamespace("shop")
		u.SetUID("r")
		return u
	}
	return stored()
}
