package view

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"pgregory.net/rapid"
)

// TestSelectable: a selector finds the same objects in the same order, however often it
// was asked before.
func TestSelectable(t *testing.T) {
	value := rapid.SampledFrom([]string{"", "a", "b"})
	values := rapid.MapOf(rapid.SampledFrom([]string{"app", "tier"}), value)
	narrowed := false
	rapid.Check(t, func(rt *rapid.T) {
		b := NewBuilder(time.Unix(0, 0))
		for i := range rapid.IntRange(0, 12).Draw(rt, "pods") {
			b.Add(Pods, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
				Name: fmt.Sprint("pod-", i), Namespace: rapid.SampledFrom([]string{"shop", "blog"}).Draw(rt, "namespace"), Labels: values.Draw(rt, "labels"),
			}})
		}
		b.Reads(Need{Kind: Pods, Detail: Full}, nil)
		v := b.View()
		for range 20 {
			need := Need{Kind: Pods, Namespace: rapid.SampledFrom([]string{"", "shop", "blog"}).Draw(rt, "of")}
			text := rapid.SampledFrom([]string{"app=a", "app==b,tier=a", "app in (a)", "app in (a,b)", "app!=a", "app", "!app", "tier=,app=a", "tier notin (a)", "app=c"}).Draw(rt, "selector")
			sel, err := labels.Parse(text)
			if err != nil {
				rt.Fatal(err)
			}
			var want, got []string
			for _, pod := range v.Reader().Objects(need) {
				if sel.Matches(labels.Set(pod.GetLabels())) {
					want = append(want, pod.GetName())
				}
			}
			for _, pod := range List[*corev1.Pod](v.Reader(), need, sel) {
				got = append(got, pod.Name)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				rt.Fatalf("%s in %q:\n%s", text, need.Namespace, diff)
			}
			if s := v.stores[Pods.GroupKind()]; s != nil {
				narrowed = narrowed || len(s.selectable(need.Namespace, sel)) < len(s.within(need.Namespace))
			}
		}
	})
	if !narrowed {
		t.Error("no question was answered from an index")
	}
}
