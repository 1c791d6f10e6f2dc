package replicaset_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// BenchmarkDecide scales a set of n pods down to a third, ranking included.
// Circling pods became ready within a few seconds of one bucket, as after a
// rollout; orderly ones over days.
func BenchmarkDecide(b *testing.B) {
	p, err := profile.New(profile.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{1_000, 10_000, 100_000} {
		for _, pods := range []struct {
			name string
			age  func(i int) time.Duration
		}{
			{"circling", func(i int) time.Duration { return 100*time.Minute + time.Duration(i%97)*time.Second }},
			{"orderly", func(i int) time.Duration { return time.Duration(i+1) * 37 * time.Second }},
		} {
			b.Run(fmt.Sprintf("%s/%d", pods.name, n), func(b *testing.B) {
				v := crowd(n, pods.age)
				b.ReportAllocs()
				for b.Loop() {
					if _, err := replicaset.Decide(v.Reader(), p, webTarget, replicaset.Given{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

var webTarget = view.Target{Kind: view.ReplicaSets, Namespace: clusterdsl.Namespace, Name: "web"}

// crowd is a ReplicaSet with n pods on a tenth as many nodes.
func crowd(n int, age func(int) time.Duration) *view.View {
	b := view.NewBuilder(clusterdsl.Now)
	for _, k := range view.Kinds() {
		b.Reads(view.Need{Kind: k, Detail: view.Full}, nil)
	}
	rs := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: clusterdsl.Namespace, Name: "web", UID: "uid-web"}}
	rs.OwnerReferences = controlledBy("Deployment", "shop", "uid-shop")
	rs.Spec.Replicas = new(int32(n / 3))
	rs.Spec.Selector = metav1.SetAsLabelSelector(map[string]string{"app": "web"})
	rs.Spec.Template.Labels = map[string]string{"app": "web"}
	b.Add(view.ReplicaSets, rs)
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range n {
		b.Add(view.Pods, crowdPod(i, n, rng, metav1.Time{Time: clusterdsl.Now.Add(-age(i))}))
	}
	return b.View()
}

func crowdPod(i, n int, rng *rand.Rand, since metav1.Time) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Namespace: clusterdsl.Namespace, Name: fmt.Sprintf("web-%05d", i), UID: types.UID(fmt.Sprintf("%016x", rng.Uint64())),
		Labels: map[string]string{"app": "web"}, CreationTimestamp: since,
		OwnerReferences: controlledBy("ReplicaSet", "web", "uid-web"),
	}}
	pod.Spec.NodeName = fmt.Sprintf("node-%d", rng.IntN(n/10))
	pod.Status.Phase = corev1.PodRunning
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: since}}
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "main", RestartCount: int32(rng.IntN(3))}}
	return pod
}

func controlledBy(kind, name string, uid types.UID) []metav1.OwnerReference {
	return []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: kind, Name: name, UID: uid, Controller: new(true)}}
}
