package replicaset_test

import (
	"fmt"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/states"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/subset"
)

// inventory is everything that a cluster holds.
type inventory []held

type held struct {
	kind view.Kind
	metav1.Object
}

// whole is a View that says that it holds everything.
func (in inventory) whole(now time.Time) *view.View {
	b := view.NewBuilder(now)
	for _, k := range view.Kinds() {
		b.Reads(view.Need{Kind: k, Detail: view.Full}, nil)
	}
	for _, o := range in {
		b.Add(o.kind, o.Object)
	}
	return b.View()
}

func TestSubsetsLackNothingUnsaid(t *testing.T) {
	prof, err := profile.New(profile.Options{Emulate: "1.37"})
	if err != nil {
		t.Fatal(err)
	}
	doubted := 0
	rapid.Check(t, func(t *rapid.T) {
		n, err := subset.Case{Controllers: controller.NewRegistry(replicaset.Controller()), Profile: prof, Whole: drawRollouts(t).whole(states.Now)}.Check()
		if err != nil {
			t.Fatal(err)
		}
		doubted += n
	})
	if doubted == 0 {
		t.Error("no answer was partial")
	}
}

// drawRollouts draws a few Deployments with ReplicaSets that select their own
// Pods, of which a few are orphans.
func drawRollouts(t *rapid.T) inventory {
	in := inventory{}
	for i := range rapid.IntRange(2, 4).Draw(t, "sets") {
		name := fmt.Sprintf("set%d", i)
		rs := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: states.Namespace, Name: name, UID: types.UID(name)}}
		if app := rapid.SampledFrom([]string{"shop", "shop", "cart", ""}).Draw(t, "deployment"); app != "" {
			rs.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "Deployment", Name: app, UID: types.UID(app), Controller: new(true)}}
		}
		rs.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"set": name}}
		rs.Spec.Template.Labels = rs.Spec.Selector.MatchLabels
		in = append(in, held{view.ReplicaSets, rs})
		for j := range rapid.IntRange(0, 5).Draw(t, "pods") {
			in = append(in, held{view.Pods, drawMember(t, rs, j)})
		}
	}
	for _, app := range []string{"shop", "cart"} {
		d := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: states.Namespace, Name: app, UID: types.UID(app)}}
		d.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}
		in = append(in, held{view.Deployments, d})
	}
	return in
}

func drawMember(t *rapid.T, rs *appsv1.ReplicaSet, i int) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: rs.Namespace, Name: fmt.Sprintf("%s-%d", rs.Name, i), Labels: rs.Spec.Selector.MatchLabels}}
	p.UID = types.UID(p.Name)
	if rapid.IntRange(0, 5).Draw(t, "orphan") > 0 {
		p.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: rs.Name, UID: rs.UID, Controller: new(true)}}
	}
	p.Spec.NodeName = rapid.SampledFrom([]string{"n1", "n2", "n3"}).Draw(t, "node")
	p.Status.Phase = corev1.PodRunning
	since := time.Duration(rapid.SampledFrom([]int{600, 5000, 5001}).Draw(t, "ready")) * time.Second
	p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(states.Now.Add(-since))}}
	p.CreationTimestamp = metav1.NewTime(states.Now.Add(-3 * time.Hour))
	return p
}
