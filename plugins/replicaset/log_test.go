package replicaset_test

import (
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// TestWritesAreStored: what a sync writes is what the API server has afterwards,
// and each action names the request that does it.
func TestWritesAreStored(t *testing.T) {
	for short, k := range map[string]view.Kind{"rs": view.ReplicaSets, "rc": view.ReplicationControllers} {
		t.Run(short, func(t *testing.T) {
			v, err := clusterdsl.Parse(short + " web selector=app=web replicas=3 generation=2 observed=1\npod orphan app=web node=n1 ready=1h\nlimits defaults request=100m")
			if err != nil {
				t.Fatal(err)
			}
			p, err := profile.New(profile.Options{Emulate: "1.37"})
			if err != nil {
				t.Fatal(err)
			}
			s, err := replicaset.Step(v.Reader(), p, view.Target{Kind: k, Namespace: clusterdsl.Namespace, Name: "web"})
			if err != nil {
				t.Fatal(err)
			}
			if got, want := clusterdsl.Requests(s.Decision.Actions, s.Writes), fmt.Sprintf("1 patch Pod orphan; 2 create Pod web-; - update %s/status web", k.Kind); got != want {
				t.Errorf("writes are %s, want %s", got, want)
			}
			m := cluster.New(v, admission.Features{})
			var created []string
			made := m.CommitAll(s.Writes, nil)
			for _, names := range made {
				created = append(created, names...)
			}
			set, _ := m.Get(k, clusterdsl.Namespace, "web")
			if replicas, observed := statusOf(set); replicas != 1 || observed != set.GetGeneration() {
				t.Errorf("status has %d replicas and generation %d", replicas, observed)
			}
			if len(created) != 2 {
				t.Fatalf("created %v", created)
			}
			for _, name := range append(created, "orphan") {
				pod, _ := cluster.GetPod(m, clusterdsl.Namespace, name)
				if ref := metav1.GetControllerOf(pod); ref == nil || ref.UID != set.GetUID() || ref.Kind != k.Kind || !*ref.BlockOwnerDeletion {
					t.Errorf("%s is owned by %v", name, ref)
				}
			}
			pod, _ := cluster.GetPod(m, clusterdsl.Namespace, created[1])
			if cpu := pod.Spec.Containers[0].Resources.Requests.Cpu().String(); cpu != "100m" {
				t.Errorf("the created Pod requests %s", cpu)
			}
		})
	}
}

func statusOf(obj metav1.Object) (replicas int32, observed int64) {
	switch o := obj.(type) {
	case *appsv1.ReplicaSet:
		return o.Status.Replicas, o.Status.ObservedGeneration
	case *corev1.ReplicationController:
		return o.Status.Replicas, o.Status.ObservedGeneration
	}
	return -1, -1
}
