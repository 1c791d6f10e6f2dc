package replicaset_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/states"
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
	in.into(b, "")
	return b.View()
}

// files is a View of files that don't say what they hold, and lack an object.
func (in inventory) files(now time.Time, lacks types.UID) *view.View {
	b := view.NewOpenBuilder(now)
	in.into(b, lacks)
	return b.View()
}

func (in inventory) into(b *view.Builder, lacks types.UID) {
	for _, o := range in {
		if o.GetUID() != lacks || lacks == "" {
			b.Add(o.kind, o.Object)
		}
	}
}

// referredTo are the objects that others name as their owner: files that lack
// one can be told from a cluster without it.
func (in inventory) referredTo() []metav1.Object {
	named := map[types.UID]bool{}
	for _, o := range in {
		for _, ref := range o.GetOwnerReferences() {
			named[ref.UID] = true
		}
	}
	var all []metav1.Object
	for _, o := range in {
		if named[o.GetUID()] {
			all = append(all, o.Object)
		}
	}
	return all
}

// verdict is what a decision says for certain, and whether it is partial.
func verdict(tb rapid.TB, v *view.View, k view.Kind, set metav1.Object) (certain map[string]int, partial bool) {
	p, err := profile.New(profile.Options{Emulate: "1.37"})
	if err != nil {
		tb.Fatal(err)
	}
	r := v.With(k, set).Reader()
	d, err := replicaset.Decide(r, p, view.Target{Kind: k, Namespace: set.GetNamespace(), Name: set.GetName()}, replicaset.Given{})
	if err != nil {
		tb.Fatal(err)
	}
	certain = map[string]int{}
	for _, a := range d.Actions {
		if a.Certainty == decision.Certain {
			certain[fmt.Sprintf("%s %s", a.Verb, a.Object.Name)] = a.Count
		}
	}
	for _, gap := range r.Gaps() {
		partial = partial || gap.Partial
	}
	return certain, partial
}

// checkSubsets leaves out one object after the other. What an answer then says for
// certain is so in the whole, and what it no longer says it lacks with a caveat.
func (in inventory) checkSubsets(tb rapid.TB, now time.Time) (doubted int) {
	whole := in.whole(now)
	for _, lacking := range in.referredTo() {
		files := in.files(now, lacking.GetUID())
		for _, o := range in {
			if o.GetUID() == lacking.GetUID() || !slices.ContainsFunc(replicaset.Kinds, func(k view.Kind) bool { return k.Kind == o.kind.Kind }) {
				continue
			}
			for _, replicas := range []int32{0, 1, 2, 3, 5, 8} {
				scaled, _, err := replicaset.Scale(o.Object, replicas)
				if err != nil {
					tb.Fatal(err)
				}
				want, _ := verdict(tb, whole, o.kind, scaled)
				got, partial := verdict(tb, files, o.kind, scaled)
				for act, n := range got {
					if want[act] != n {
						tb.Fatalf("%s with %d replicas, without %s: %s is certain, and is not in the whole", o.GetName(), replicas, lacking.GetName(), act)
					}
				}
				if len(got) != len(want) && !partial {
					tb.Fatalf("%s with %d replicas, without %s: certain is %v, in the whole %v, and no caveat says why", o.GetName(), replicas, lacking.GetName(), got, want)
				}
				if partial {
					doubted++
				}
			}
		}
	}
	return doubted
}

func TestExamplesLackNothingUnsaid(t *testing.T) {
	files, err := filepath.Glob("../../docs/examples/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	doubted := 0
	for _, file := range append(files, "../../test/cli/testdata/cluster.yaml") {
		src, err := bundle.Open([]string{file}, nil, bundle.Options{})
		if err != nil {
			t.Fatal(err)
		}
		v, err := src.Load(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		in := inventory{}
		for _, k := range view.Kinds() {
			for _, o := range v.All(k) {
				in = append(in, held{k, o})
			}
		}
		doubted += in.checkSubsets(t, v.Now())
	}
	if doubted == 0 {
		t.Error("no answer was partial")
	}
}

func TestSubsetsLackNothingUnsaid(t *testing.T) {
	doubted := 0
	rapid.Check(t, func(t *rapid.T) { doubted += drawRollouts(t).checkSubsets(t, states.Now) })
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
