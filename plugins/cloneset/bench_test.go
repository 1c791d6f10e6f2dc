package cloneset

import (
	"fmt"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/template"
)

// The benchmarks decide on a CloneSet of 10,000 pods on 500 nodes: a rollout
// of a new image, and a scale-in to half.
func BenchmarkRollout(b *testing.B) { benchmark(b, 10_000, 1) }
func BenchmarkScaleIn(b *testing.B) { benchmark(b, 5_000, 0) }

func benchmark(b *testing.B, replicas, template int) {
	v := crowd(10_000, replicas, template)
	target := view.Target{Kind: view.CloneSets, Namespace: "shop", Name: "sample"}
	b.ReportAllocs()
	for b.Loop() {
		d, err := Decide(v.Reader(), profile.Profile{}, target, reconcile.Given{})
		if err != nil || len(d.Actions) == 0 {
			b.Fatal(err, d)
		}
	}
}

var benchNow = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

func benchOwned(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Name: name, Namespace: "shop", UID: types.UID(name), Labels: map[string]string{"app": "web"},
		CreationTimestamp: metav1.Time{Time: benchNow.Add(-time.Hour)},
		OwnerReferences:   []metav1.OwnerReference{{APIVersion: "apps.kruise.io/v1alpha1", Kind: "CloneSet", Name: "sample", UID: "cs-uid", Controller: new(true)}},
	}
}

func benchTemplate(i int) map[string]any {
	c := map[string]any{"name": "main", "image": fmt.Sprintf("web:%d", i)}
	return map[string]any{"metadata": map[string]any{"labels": map[string]any{"app": "web"}}, "spec": map[string]any{"containers": []any{c}}}
}

// BenchmarkUntilStable goes through the whole rollout of 10,000 pods: 2,000 at
// a time, or until the bound of --until-stable with fewer.
func BenchmarkUntilStable(b *testing.B) {
	for _, maxUnavailable := range []string{"20%", "5%", "1%"} {
		b.Run(maxUnavailable, func(b *testing.B) {
			v := crowd(10_000, 10_000, 1)
			obj, _ := v.Held(view.CloneSets, "shop", "sample")
			changed, _, err := api.Change(obj, whatif.Fields{MaxUnavailable: &maxUnavailable})
			if err != nil {
				b.Fatal(err)
			}
			v = v.With(view.CloneSets, changed).AsWhatIf()
			target := view.Target{Kind: view.CloneSets, Namespace: "shop", Name: "sample"}
			b.ReportAllocs()
			for b.Loop() {
				d, _, err := Controller().Simulate(v, profile.Profile{}, target, nil, simulate.Options{})
				if err != nil || len(d.Timeline.Rounds) == 0 {
					b.Fatal(err, d)
				}
				b.ReportMetric(float64(d.Timeline.Totals.Rounds), "rounds/op")
			}
		})
	}
}

func crowd(pods, replicas, newest int) *view.View {
	build := view.NewBuilder(benchNow)
	for _, k := range view.Kinds() {
		build.Reads(view.Need{Kind: k, Detail: view.Full}, nil)
	}
	for i := range 2 {
		r := &appsv1.ControllerRevision{ObjectMeta: benchOwned(fmt.Sprintf("sample-r%d", i)), Revision: int64(i + 1)}
		r.Data.Raw = template.Canonical(benchTemplate(i)).Raw
		build.Add(view.ControllerRevisions, r)
	}
	build.Add(view.CloneSets, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apps.kruise.io/v1alpha1", "kind": "CloneSet",
		"metadata": map[string]any{"name": "sample", "namespace": "shop", "uid": "cs-uid"},
		"spec": map[string]any{
			"replicas": int64(replicas), "selector": map[string]any{"matchLabels": map[string]any{"app": "web"}}, "template": benchTemplate(newest),
			"updateStrategy": map[string]any{"type": api.InPlaceIfPossible, "maxUnavailable": "20%"},
		},
	}})
	for i := range pods {
		p := &corev1.Pod{ObjectMeta: benchOwned(fmt.Sprintf("sample-%05d", i))}
		p.Labels = map[string]string{"app": "web", kruise.RevisionLabel: "sample-r0", api.TemplateHashLabel: "r0", kruise.StateLabel: kruise.Normal}
		p.Spec.NodeName = fmt.Sprintf("n%d", i%500)
		p.Spec.Containers = []corev1.Container{{Name: "main", Image: "web:0"}}
		p.Status.Phase = corev1.PodRunning
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Time{Time: benchNow.Add(-time.Duration(i%3000) * time.Second)}}}
		build.Add(view.Pods, p)
	}
	return build.View()
}
