package replicaset_test

import (
	"slices"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/states"
)

// TestSiblingsInEveryOrder lets siblings delete their Pods first, all or some of
// them: what a set's decision says for certain before or just after that is so in
// both cases.
func TestSiblingsInEveryOrder(t *testing.T) {
	doubted := 0
	rapid.Check(t, func(t *rapid.T) {
		in := drawRollouts(t)
		var sets []*appsv1.ReplicaSet
		for _, o := range in {
			if rs, ok := o.Object.(*appsv1.ReplicaSet); ok {
				rs.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "Deployment", Name: "shop", UID: "shop", Controller: new(true)}}
				rs.Spec.Replicas = new(int32(rapid.IntRange(0, 3).Draw(t, "replicas")))
				sets = append(sets, rs)
			}
		}
		first, _ := deletions(t, in, sets[0], replicaset.Given{})
		alone, _ := deletions(t, in, sets[0], replicaset.Given{Alone: true})
		then := slices.Clone(in)
		for _, i := range rapid.Permutation([]int{1, 2, 3}).Draw(t, "order") {
			if i < len(sets) {
				may, n := deletions(t, then, sets[i], replicaset.Given{Alone: true})
				then = then.without(may, rapid.IntRange(0, n).Draw(t, "deleted"))
			}
		}
		after, _ := deletions(t, then, sets[0], replicaset.Given{Alone: true})
		late, _ := deletions(t, then, sets[0], replicaset.Given{})
		for _, said := range []map[string]decision.Certainty{first, late} {
			for _, real := range []map[string]decision.Certainty{alone, after} {
				for pod, certainty := range said {
					if certainty == decision.Certain && real[pod] != decision.Certain {
						t.Fatalf("%s is deleted for certain: %v; in another order %v", pod, said, real)
					}
				}
				for pod := range real {
					if said[pod] == "" {
						t.Fatalf("%s is kept for certain: %v; in another order %v", pod, said, real)
					}
				}
			}
		}
		if len(first) > len(alone) {
			doubted++
		}
	})
	if doubted == 0 {
		t.Error("no order of siblings mattered")
	}
}

// deletions are the Pods that a set deletes now, or may delete, and n how many of them.
func deletions(t *rapid.T, in inventory, set *appsv1.ReplicaSet, given replicaset.Given) (all map[string]decision.Certainty, n int) {
	p, err := profile.New(profile.Options{Emulate: "1.37"})
	if err != nil {
		t.Fatal(err)
	}
	d, err := replicaset.Decide(in.whole(states.Now).Reader(), p, view.Target{Kind: view.ReplicaSets, Namespace: set.Namespace, Name: set.Name}, given)
	if err != nil {
		t.Fatal(err)
	}
	all = map[string]decision.Certainty{}
	for _, a := range d.Actions {
		if a.Verb == decision.Delete {
			all[a.Object.Name] = a.Certainty
		}
	}
	return all, d.Summary.Delete()
}

// without deletes n of the Pods that a set may delete; they terminate.
func (in inventory) without(deleted map[string]decision.Certainty, n int) inventory {
	var out inventory
	for _, o := range in {
		if pod, ok := o.Object.(*corev1.Pod); ok && n > 0 && deleted[pod.Name] != "" {
			n--
			pod = pod.DeepCopy()
			pod.DeletionTimestamp, pod.DeletionGracePeriodSeconds = &metav1.Time{Time: states.Now.Add(30 * time.Second)}, new(int64(30))
			o.Object = pod
		}
		out = append(out, o)
	}
	return out
}
