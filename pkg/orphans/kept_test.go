package orphans

import (
	"slices"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// oneOf draws the first of some values most of the time.
func oneOf[T any](t *rapid.T, name string, usual T, others ...T) T {
	return rapid.SampledFrom(append(slices.Repeat([]T{usual}, 9*len(others)), others...)).Draw(t, name)
}

// drawReference is what a pod of the ReplicaSet web says of its owner, or nearly.
func drawReference(t *rapid.T) metav1.OwnerReference {
	return metav1.OwnerReference{
		APIVersion: oneOf(t, "version", "apps/v1", "apps/v1beta1", "v1", "example.com/v1"),
		Kind:       oneOf(t, "kind", "ReplicaSet", "StatefulSet", "Thing"),
		Name:       oneOf(t, "name", "web", "other"),
		UID:        types.UID(oneOf(t, "uid", "web", "other", "gone")),
		Controller: oneOf(t, "controller", new(true), new(false), nil),
	}
}

func drawPod(t *rapid.T) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "pod", UID: "pod", Namespace: oneOf(t, "namespace", "shop", "elsewhere")}}
	pod.Labels = map[string]string{"app": oneOf(t, "label", "web", "other", "")}
	for range oneOf(t, "references", 1, 0, 2) {
		pod.OwnerReferences = append(pod.OwnerReferences, drawReference(t))
	}
	if rapid.IntRange(0, 9).Draw(t, "mirror") == 0 {
		pod.Annotations = map[string]string{corev1.MirrorPodAnnotationKey: "x"}
	}
	return pod
}

func drawSet(t *rapid.T, name string) *appsv1.ReplicaSet {
	set := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name)}}
	set.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": name}}
	if rapid.IntRange(0, 3).Draw(t, name+" goes") == 0 {
		set.DeletionTimestamp, set.Finalizers = new(metav1.Unix(1, 0)), []string{metav1.FinalizerDeleteDependents}
	}
	return set
}

// What is settled at first sight is settled when one looks closer.
func TestKeptIsSettled(t *testing.T) {
	kept := 0
	rapid.Check(t, func(t *rapid.T) {
		b := view.NewBuilder(time.Unix(0, 0))
		for _, k := range view.Kinds() {
			b.Reads(view.Need{Kind: k, Detail: view.Full}, nil)
		}
		b.Add(view.ReplicaSets, drawSet(t, "web"))
		b.Add(view.ReplicaSets, drawSet(t, "other"))
		pod := drawPod(t)
		b.Add(view.Pods, pod)
		q := Query{Kinds: Kinds, Served: lineage.Held, ByName: rapid.Bool().Draw(t, "by name")}
		f := newFinder(b.View().Reader(), q, "", &Report{Groups: map[Group]int{}})
		if !f.kept(view.Pods, pod) {
			return
		}
		kept++
		if found, settled := f.closer(view.Pods, pod); !settled {
			t.Fatalf("kept, and yet %s %s", found.Group, found.Rule)
		}
	})
	if kept == 0 {
		t.Error("no pod was kept")
	}
}
