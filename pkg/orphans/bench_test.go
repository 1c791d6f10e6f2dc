package orphans

import (
	"fmt"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// crowd is one namespace with n pods and n/10 ReplicaSets, which share a label.
// Each set has nine pods of its own and an orphan.
func crowd(n int) *view.View {
	b := view.NewBuilder(time.Unix(0, 0))
	for _, k := range view.Kinds() {
		b.Reads(view.Need{Kind: k, Detail: view.Full}, nil)
	}
	for i := range n / 10 {
		name := fmt.Sprintf("set-%d", i)
		set := map[string]string{"team": "shop", "app": name}
		rs := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name)}}
		rs.Spec.Selector = &metav1.LabelSelector{MatchLabels: set}
		rs.Spec.Template.Labels = set
		b.Add(view.ReplicaSets, rs)
		for j := range 10 {
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: fmt.Sprintf("%s-%d", name, j), UID: types.UID(fmt.Sprintf("%s-%d", name, j)), Labels: set}}
			if j > 0 {
				pod.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: name, UID: rs.UID, Controller: new(true)}}
			}
			b.Add(view.Pods, pod)
		}
	}
	return b.View()
}

func findIn(tb testing.TB, v *view.View) *Report {
	tb.Helper()
	rep, err := Find(v.Reader(), Query{Namespace: "shop", Kinds: Kinds, Served: lineage.Held, ByName: true})
	if err != nil {
		tb.Fatal(err)
	}
	return rep
}

// BenchmarkFind doubles pods and controllers at once: the time per pod stays
// the same when matching is indexed.
func BenchmarkFind(b *testing.B) {
	for _, n := range []int{2000, 4000, 8000, 16000, 32000} {
		v := crowd(n)
		findIn(b, v) // builds the indexes of the View
		b.Run(fmt.Sprintf("pods=%d", n), func(b *testing.B) {
			for b.Loop() {
				findIn(b, v)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/pod")
		})
	}
}

func TestCrowd(t *testing.T) {
	rep := findIn(t, crowd(1000))
	if rep.Groups[Adopted] != 100 || rep.Settled != 900 || len(rep.Overlaps) != 0 {
		t.Errorf("%s: %d settled, %d overlaps", rep.Answer, rep.Settled, len(rep.Overlaps))
	}
}

// TestWorkDoubles: the work for twice the pods and controllers, counted in
// allocations, which no other load on the machine can change, is twice as much.
func TestWorkDoubles(t *testing.T) {
	work := func(n int) float64 {
		v := crowd(n)
		return testing.AllocsPerRun(3, func() { findIn(t, v) })
	}
	if once, twice := work(2000), work(4000); twice > 2.05*once {
		t.Errorf("%.0f allocations for 2000 pods, %.0f for 4000", once, twice)
	}
}
