package replicaset_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/replicaset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/states"
)

// rivals are a few controllers that select the same orphans.
type rivals struct {
	sets    []metav1.Object
	pods    []*corev1.Pod
	version string
}

func drawRivals(t *rapid.T) rivals {
	c := rivals{version: rapid.SampledFrom([]string{"1.37", "1.33", "1.23"}).Draw(t, "version")}
	for i := range rapid.IntRange(2, 3).Draw(t, "sets") {
		c.sets = append(c.sets, drawRival(t, i))
	}
	for i := range rapid.IntRange(1, 8).Draw(t, "pods") {
		c.pods = append(c.pods, c.drawPod(t, i))
	}
	return c
}

var labelSets = []map[string]string{{"app": "web"}, {"tier": "front"}, {"app": "web", "tier": "front"}}

func drawRival(t *rapid.T, i int) metav1.Object {
	meta := metav1.ObjectMeta{Namespace: states.Namespace, Name: fmt.Sprintf("set%d", i), UID: types.UID(fmt.Sprintf("set%d", i)), Generation: 1}
	replicas := new(rapid.Int32Range(0, 4).Draw(t, "replicas"))
	selector := rapid.SampledFrom(labelSets).Draw(t, "selector")
	template := corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: selector}}
	if rapid.Bool().Draw(t, "rc") {
		return &corev1.ReplicationController{ObjectMeta: meta, Spec: corev1.ReplicationControllerSpec{Replicas: replicas, Selector: selector, Template: &template}}
	}
	return &appsv1.ReplicaSet{ObjectMeta: meta, Spec: appsv1.ReplicaSetSpec{Replicas: replicas, Selector: &metav1.LabelSelector{MatchLabels: selector}, Template: template}}
}

func (c *rivals) drawPod(t *rapid.T, i int) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Namespace: states.Namespace, Name: fmt.Sprintf("pod%d", i), UID: types.UID(fmt.Sprint(rapid.IntRange(0, 9).Draw(t, "uid"), i)),
		CreationTimestamp: metav1.NewTime(states.Now.Add(-3 * time.Hour)),
	}}
	p.Spec.NodeName, p.Status.Phase = "n1", corev1.PodRunning
	since := time.Duration(rapid.SampledFrom([]int{600, 5000, 5001, 5002}).Draw(t, "ready")) * time.Second
	p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(states.Now.Add(-since))}}
	p.Status.ContainerStatuses = []corev1.ContainerStatus{{RestartCount: rapid.Int32Range(0, 1).Draw(t, "restarts")}}
	p.Labels = rapid.SampledFrom(labelSets).Draw(t, "labels")
	if owner := rapid.IntRange(-2, len(c.sets)-1).Draw(t, "owner"); owner >= 0 {
		p.OwnerReferences = ownedBy(c.ref(c.sets[owner]))
		p.Labels = labelSets[2]
	}
	return p
}

func kindOf(set metav1.Object) view.Kind {
	if _, ok := set.(*corev1.ReplicationController); ok {
		return view.ReplicationControllers
	}
	return view.ReplicaSets
}

func (c *rivals) ref(set metav1.Object) decision.Ref {
	k := kindOf(set)
	return decision.Ref{APIVersion: k.GroupVersion().String(), Kind: k.Kind, Namespace: set.GetNamespace(), Name: set.GetName(), UID: string(set.GetUID())}
}

func (c *rivals) decide(t *rapid.T, set metav1.Object) *decision.Decision {
	b := view.NewBuilder(states.Now)
	for _, k := range view.Kinds() {
		b.Reads(view.Need{Kind: k, Detail: view.Full}, nil)
	}
	for _, s := range c.sets {
		b.Add(kindOf(s), s)
	}
	for _, p := range c.pods {
		b.Add(view.Pods, p)
	}
	p, err := profile.New(profile.Options{Emulate: c.version})
	if err != nil {
		t.Fatal(err)
	}
	d, err := replicaset.Decide(b.View().Reader(), p, view.Target{Kind: kindOf(set), Namespace: set.GetNamespace(), Name: set.GetName()}, replicaset.Given{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// after are the rivals once the sets have synced in turn.
func (c *rivals) after(t *rapid.T, turns []metav1.Object) rivals {
	next := *c
	for _, set := range turns {
		d := next.decide(t, set)
		next.pods = slices.Clone(next.pods)
		for i, p := range next.pods {
			if adopted := slices.ContainsFunc(d.Actions, func(a decision.Action) bool { return a.Verb == decision.Adopt && a.Object.Name == p.Name }); adopted {
				next.pods[i] = p.DeepCopy()
				next.pods[i].OwnerReferences = ownedBy(d.Target)
			}
		}
	}
	return next
}

// turns lists every order in which some of the others sync before a set.
func turns(others []metav1.Object) [][]metav1.Object {
	all := [][]metav1.Object{nil}
	for i, first := range others {
		rest := slices.Delete(slices.Clone(others), i, i+1)
		for _, then := range turns(rest) {
			all = append(all, append([]metav1.Object{first}, then...))
		}
	}
	return all
}

// deeds are what one sync does: by certain, whatever order its list has.
type deeds struct {
	adopts, deletes, mayDelete map[string]bool
	creates                    int
	status                     map[string]string
	k, n                       int
}

func deedsOf(d *decision.Decision) deeds {
	out := deeds{adopts: map[string]bool{}, deletes: map[string]bool{}, mayDelete: map[string]bool{}, creates: d.Summary.Create, status: map[string]string{}}
	for _, a := range d.Actions {
		switch {
		case a.Verb == decision.Adopt:
			out.adopts[a.Object.Name] = true
		case a.Verb == decision.Delete && a.Choice == nil:
			out.deletes[a.Object.Name], out.mayDelete[a.Object.Name] = true, true
		case a.Verb == decision.Delete:
			out.mayDelete[a.Object.Name] = true
			out.k, out.n = a.Choice.K, a.Choice.N
		}
	}
	for _, f := range d.Status.Fields {
		out.status[f.Field] = f.Next
	}
	return out
}

// What one order of the controllers' syncs contradicts is not certain, and what
// is called possible both happens and does not.
func TestNothingCertainDependsOnWhoAdopts(t *testing.T) {
	conditional := 0
	rapid.Check(t, func(t *rapid.T) {
		c := drawRivals(t)
		for i, set := range c.sets {
			d := c.decide(t, set)
			var ends []deeds
			for _, before := range turns(slices.Delete(slices.Clone(c.sets), i, i+1)) {
				then := c.after(t, before)
				ends = append(ends, deedsOf(then.decide(t, set)))
			}
			conditional += checkCourses(t, d, ends)
		}
	})
	if conditional == 0 {
		t.Error("no deletion depended on an adoption")
	}
}

func checkCourses(t *rapid.T, d *decision.Decision, ends []deeds) (conditional int) {
	every := func(is func(deeds) bool) bool {
		return !slices.ContainsFunc(ends, func(e deeds) bool { return !is(e) })
	}
	some := func(is func(deeds) bool) bool { return slices.ContainsFunc(ends, is) }
	for _, a := range d.Actions {
		name := a.Object.Name
		adopts, deletes := func(e deeds) bool { return e.adopts[name] }, func(e deeds) bool { return e.deletes[name] }
		switch certain := a.Certainty == decision.Certain; {
		case a.Verb == decision.Adopt && certain != every(adopts):
			t.Fatalf("adoption of %s is %s", name, a.Certainty)
		case a.Verb == decision.Delete && a.Choice != nil && !a.Choice.AtMost && !every(func(e deeds) bool { return e.k == a.Choice.K && e.n == a.Choice.N }):
			t.Fatalf("%d of %d are deleted for certain, in the courses %+v", a.Choice.K, a.Choice.N, ends)
		case a.Verb == decision.Delete && certain != every(deletes):
			t.Fatalf("deletion of %s is %s, in the courses %+v", name, a.Certainty, ends)
		case a.Verb == decision.Delete && a.Choice == nil && !certain:
			conditional++
			if !some(deletes) {
				t.Fatalf("%s is never deleted", name)
			}
		case a.Verb == decision.Create && certain && !every(func(e deeds) bool { return e.creates >= a.Count }):
			t.Fatalf("not every course creates %d", a.Count)
		}
	}
	checkUnsaid(t, d, ends)
	return conditional
}

// checkUnsaid demands that what a course does was said to be possible.
func checkUnsaid(t *rapid.T, d *decision.Decision, ends []deeds) {
	said := map[string]bool{}
	for _, a := range d.Actions {
		said[a.Object.Name] = said[a.Object.Name] || a.Verb == decision.Delete
	}
	if d.Ranking != nil {
		for _, row := range d.Ranking.Rows {
			said[row.Object.Name] = said[row.Object.Name] || row.Fate == decision.AtRisk
		}
	}
	most := 0
	for _, e := range ends {
		for name := range e.mayDelete {
			if !said[name] {
				t.Fatalf("%s may be deleted, and nothing said so", name)
			}
		}
		for _, f := range d.Status.Fields {
			if f.Certainty == "" && f.Next != e.status[f.Field] {
				t.Fatalf("status %s is %s for certain, and %s in a course", f.Field, f.Next, e.status[f.Field])
			}
		}
		most = max(most, e.creates)
	}
	if most != d.Summary.Create && !saysCreates(d, most) {
		t.Fatalf("up to %d are created, of which nothing was said: %v", most, d.Caveats)
	}
}

func saysCreates(d *decision.Decision, n int) bool {
	return slices.ContainsFunc(d.Caveats, func(c decision.Caveat) bool {
		return c.Code == "ContestedAdoption" && strings.HasSuffix(c.Message, "it creates "+format.Plural(n, "Pod"))
	})
}
