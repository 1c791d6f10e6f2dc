package cloneset

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
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
		d, err := Decide(v.Reader(), profile.Profile{}, target, Given{})
		if err != nil || len(d.Actions) == 0 {
			b.Fatal(err, d)
		}
	}
}

func crowd(pods, replicas, template int) *view.View {
	w := &world{}
	build := view.NewBuilder(worldNow)
	for _, k := range view.Kinds() {
		build.Reads(view.Need{Kind: k, Detail: view.Full}, nil)
	}
	for i := range 2 {
		build.Add(view.ControllerRevisions, w.revision(i))
	}
	build.Add(view.CloneSets, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apps.kruise.io/v1alpha1", "kind": "CloneSet",
		"metadata": map[string]any{"name": "sample", "namespace": "shop", "uid": "cs-uid"},
		"spec": map[string]any{
			"replicas": int64(replicas), "selector": map[string]any{"matchLabels": map[string]any{"app": "web"}}, "template": templateNo(template),
			"updateStrategy": map[string]any{"type": inPlaceIfPossible, "maxUnavailable": "20%"},
		},
	}})
	for i := range pods {
		p := &corev1.Pod{ObjectMeta: w.owned(fmt.Sprintf("sample-%05d", i))}
		p.UID = types.UID(p.Name)
		p.Labels = map[string]string{"app": "web", revisionLabel: "sample-r0", templateHashLabel: "r0", stateLabel: normal}
		p.Spec.NodeName = fmt.Sprintf("n%d", i%500)
		p.Status.Phase = corev1.PodRunning
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Time{Time: worldNow.Add(-time.Duration(i%3000) * time.Second)}}}
		build.Add(view.Pods, p)
	}
	return build.View()
}
