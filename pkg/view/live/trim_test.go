package live

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"pgregory.net/rapid"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

func encoded(t testing.TB, list runtime.Object) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := serializer.NewSerializer(view.Scheme, view.Scheme).Encode(list, &out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// prepared decodes a list of ReplicaSets and prepares each.
func prepared(t testing.TB, text []byte) *appsv1.ReplicaSetList {
	t.Helper()
	list := &appsv1.ReplicaSetList{}
	if err := runtime.DecodeInto(view.Codecs.UniversalDeserializer(), text, list); err != nil {
		t.Fatal(err)
	}
	for i := range list.Items {
		if _, err := prepare(&list.Items[i]); err != nil {
			t.Fatal(err)
		}
	}
	return list
}

var managers = rapid.Custom(func(t *rapid.T) metav1.ManagedFieldsEntry {
	m := metav1.ManagedFieldsEntry{
		Manager:     rapid.SampledFrom([]string{"", "kubectl", "kube-controller-manager"}).Draw(t, "manager"),
		Operation:   metav1.ManagedFieldsOperationUpdate,
		Subresource: rapid.SampledFrom([]string{"", "", "status", "scale", "eviction"}).Draw(t, "subresource"),
	}
	if rapid.Bool().Draw(t, "fields") {
		m.FieldsV1 = metav1.NewFieldsV1(rapid.SampledFrom([]string{`{"f:spec":{"f:replicas":{}}}`, `{"f:metadata":{"f:generateName":{}}}`, ""}).Draw(t, "set"))
	}
	return m
})

var replicaSets = rapid.Custom(func(t *rapid.T) appsv1.ReplicaSet {
	s := appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{
		Name: rapid.StringN(0, 8, 300).Draw(t, "name"), Namespace: "shop", UID: "u",
		Labels:          rapid.MapOfN(rapid.String(), rapid.String(), 0, 2).Draw(t, "labels"),
		GenerateName:    rapid.SampledFrom([]string{"", "web-"}).Draw(t, "prefix"),
		OwnerReferences: make([]metav1.OwnerReference, rapid.IntRange(0, 1).Draw(t, "owners")),
		ManagedFields:   rapid.SliceOfN(managers, 0, 4).Draw(t, "managers"),
	}}
	s.Status.Replicas = rapid.Int32().Draw(t, "replicas")
	s.Spec.Template.Spec.Containers = make([]corev1.Container, rapid.IntRange(0, 2).Draw(t, "containers"))
	return s
})

// TestTrimmingChangesNothing: a list is the same once its objects are prepared.
func TestTrimmingChangesNothing(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		list := &appsv1.ReplicaSetList{
			ListMeta: metav1.ListMeta{ResourceVersion: "7", Continue: rapid.SampledFrom([]string{"", "more"}).Draw(rt, "continue")},
			Items:    rapid.SliceOfN(replicaSets, 0, 5).Draw(rt, "items"),
		}
		list.SetGroupVersionKind(appsv1.SchemeGroupVersion.WithKind("ReplicaSetList"))
		text := encoded(t, list)
		short := trimmed(slices.Clone(text))
		if diff := cmp.Diff(prepared(t, text), prepared(t, short)); diff != "" {
			rt.Fatalf("trimmed:\n%s", diff)
		}
		if again := trimmed(short); !bytes.Equal(again, short) {
			rt.Fatal("something is left to trim")
		}
		if got := continueOf(text); got != list.Continue {
			rt.Fatalf("continue %q, want %q", got, list.Continue)
		}
	})
}

// FuzzTrimmed: what is no list in protobuf stays as it is, and nothing is read
// beyond its end.
func FuzzTrimmed(f *testing.F) {
	pods := &corev1.PodList{Items: []corev1.Pod{*pod("shop", "web", "7")}}
	pods.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("PodList"))
	whole := encoded(f, pods)
	for _, text := range [][]byte{whole, whole[:len(whole)-3], []byte("k8s\x00"), []byte(`{"kind":"PodList"}`), nil} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		_ = continueOf(text)
		if short := trimmed(text); len(short) > len(text)+64 {
			t.Errorf("%d bytes became %d", len(text), len(short))
		}
	})
}
