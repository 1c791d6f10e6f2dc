package deployment_test

import (
	"fmt"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/deployment"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// world is a cluster of one Deployment that syncs change.
type world struct {
	d       *appsv1.Deployment
	sets    []*appsv1.ReplicaSet
	created int
}

func newWorld(replicas int32, strategy appsv1.DeploymentStrategy) *world {
	d := &appsv1.Deployment{}
	d.Name, d.Namespace, d.UID, d.Generation, d.ResourceVersion = "web", clusterdsl.Namespace, "web", 1, "1"
	d.Spec.Replicas, d.Spec.Strategy = &replicas, strategy
	d.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
	w := &world{d: d}
	w.release("web:1")
	return w
}

// release sets another image.
func (w *world) release(image string) {
	w.d.Spec.Template.Labels = map[string]string{"app": "web"}
	w.d.Spec.Template.Spec.Containers = []corev1.Container{{Name: "main", Image: image}}
	w.d.Generation++
}

func (w *world) view() *view.View {
	b := view.NewBuilder(clusterdsl.Now)
	for _, k := range view.Kinds() {
		b.Reads(view.Need{Kind: k, Detail: view.Full}, nil)
	}
	b.Add(view.Deployments, w.d)
	for _, rs := range w.sets {
		b.Add(view.ReplicaSets, rs)
	}
	return b.View()
}

// sync makes one sync's writes come true.
func (w *world) sync(t rapid.TB) *deployment.Result {
	p, err := profile.New(profile.Options{Emulate: "1.37"})
	if err != nil {
		t.Fatal(err)
	}
	target := view.Target{Kind: view.Deployments, Namespace: clusterdsl.Namespace, Name: "web"}
	r, err := deployment.Sync(w.view().Reader(), p, target, deployment.Given{})
	if err != nil {
		t.Fatal(err)
	}
	for _, write := range r.Writes {
		if write.Err == nil {
			w.apply(write)
		}
	}
	return r
}

func (w *world) apply(write cluster.Write) {
	switch obj := write.Object.(type) {
	case *appsv1.Deployment:
		w.d = obj
	case *appsv1.ReplicaSet:
		if write.Verb == cluster.Create {
			w.created++
			obj.Name = fmt.Sprintf("web-%03d", w.created)
			obj.UID, obj.Generation, obj.ResourceVersion = types.UID(obj.Name), 1, "1"
			obj.CreationTimestamp = metav1.Time{Time: clusterdsl.Now.Add(time.Duration(w.created-1000) * time.Minute)}
			w.sets = append(w.sets, obj)
			return
		}
		for i := range w.sets {
			if w.sets[i].Name == obj.Name {
				w.sets[i] = obj
			}
		}
	case nil:
		var kept []*appsv1.ReplicaSet
		for _, rs := range w.sets {
			if write.Verb != cluster.Delete || rs.Name != write.Name {
				kept = append(kept, rs)
			}
		}
		w.sets = kept
	}
}

// catchUp lets a set's own controller do its work.
func catchUp(rs *appsv1.ReplicaSet, available int32) {
	n := *rs.Spec.Replicas
	rs.Status.ObservedGeneration, rs.Status.Replicas = rs.Generation, n
	rs.Status.ReadyReplicas, rs.Status.AvailableReplicas = min(available, n), min(available, n)
}

func (w *world) wanted() (total int32) {
	for _, rs := range w.sets {
		total += *rs.Spec.Replicas
	}
	return total
}

func (w *world) available() (total int32) {
	for _, rs := range w.sets {
		total += rs.Status.AvailableReplicas
	}
	return total
}

var anyStrategy = rapid.Custom(func(t *rapid.T) appsv1.DeploymentStrategy {
	limit := rapid.SampledFrom([]intstr.IntOrString{intstr.FromString("25%"), intstr.FromInt32(1), intstr.FromInt32(0), intstr.FromInt32(3), intstr.FromString("50%"), intstr.FromString("100%")})
	return appsv1.DeploymentStrategy{
		Type:          appsv1.RollingUpdateDeploymentStrategyType,
		RollingUpdate: &appsv1.RollingUpdateDeployment{MaxSurge: new(limit.Draw(t, "surge")), MaxUnavailable: new(limit.Draw(t, "unavailable"))},
	}
})

// TestRolloutStaysWithinLimits rolls from release to release while pods become
// available bit by bit: scaling up never goes beyond surge, and what scaling
// down takes from available pods always leaves minAvailable. In the end only
// the last release is left.
func TestRolloutStaysWithinLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(rapid.Int32Range(1, 12).Draw(t, "replicas"), anyStrategy.Draw(t, "strategy"))
		w.settle(t)
		for n := range rapid.IntRange(1, 3).Draw(t, "releases") {
			w.release(fmt.Sprintf("web:%d", n+2))
			for range rapid.IntRange(0, 12).Draw(t, "steps") {
				w.step(t)
				if len(w.sets) > 0 {
					rs := rapid.SampledFrom(w.sets).Draw(t, "set")
					catchUp(rs, rapid.Int32Range(0, *rs.Spec.Replicas).Draw(t, "available"))
				}
			}
		}
		w.settle(t)
		for _, rs := range w.sets {
			mine := rs.Spec.Template.Spec.Containers[0].Image == w.d.Spec.Template.Spec.Containers[0].Image
			if want := map[bool]int32{true: *w.d.Spec.Replicas}[mine]; *rs.Spec.Replicas != want {
				t.Fatalf("%s has %d replicas in the end, want %d", rs.Name, *rs.Spec.Replicas, want)
			}
		}
	})
}

// step does one sync and checks what it did against the limits it names.
func (w *world) step(t *rapid.T) {
	before, have := w.wanted(), w.available()
	d := w.sync(t).Decision
	limit := d.Count.Of.Int("desired") + d.Count.Of.Int("maxSurge")
	if after := w.wanted(); after > before && int64(after) > limit {
		t.Fatalf("%d replicas wanted after scaling up, at most %d are allowed: %s", after, limit, d.Answer)
	}
	taken := int64(0)
	for _, a := range d.Actions {
		if a.Rule == deployment.ScaleOldDown {
			taken += int64(*a.From - *a.To)
		}
	}
	if lowest := d.Count.Of.Int("minAvailable"); taken > 0 && int64(have)-taken < lowest {
		t.Fatalf("%d of %d available pods are taken, %d have to stay: %s", taken, have, lowest, d.Answer)
	}
}

// settle syncs with all pods available until nothing more is written.
func (w *world) settle(t rapid.TB) {
	for range 200 {
		for _, rs := range w.sets {
			catchUp(rs, *rs.Spec.Replicas)
		}
		if len(w.sync(t).Writes) == 0 {
			return
		}
	}
	t.Fatal("the rollout does not come to an end")
}

// TestScalingAddsUp scales in the middle of a rollout: what the sets want then
// adds up to the new size with surge.
func TestScalingAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(rapid.Int32Range(1, 20).Draw(t, "replicas"), anyStrategy.Draw(t, "strategy"))
		w.settle(t)
		w.release("web:2")
		for range rapid.IntRange(1, 6).Draw(t, "steps") {
			w.step(t)
			for _, rs := range w.sets {
				catchUp(rs, *rs.Spec.Replicas)
			}
		}
		w.d.Spec.Replicas = new(rapid.Int32Range(1, 20).Draw(t, "scaled"))
		w.d.Generation++
		d := w.sync(t).Decision
		if d.Gate.Rule != deployment.ScalingEvent || d.Summary.Scale < 2 {
			return // an event only with several active sets to share among
		}
		want := d.Count.Of.Int("desired") + d.Count.Of.Int("maxSurge")
		for _, a := range d.Actions {
			if a.Rule != deployment.ScaleInProportion && a.Rule != deployment.NoteNewSizes {
				return
			}
		}
		if got := int64(w.wanted()); got != want {
			t.Fatalf("%d replicas wanted after scaling, want %d: %s", got, want, d.Answer)
		}
	})
}

// TestEverySetIsShown keeps the sum of the sets and the actions in step.
func TestEverySetIsShown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(rapid.Int32Range(1, 9).Draw(t, "replicas"), anyStrategy.Draw(t, "strategy"))
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			d := w.sync(t).Decision
			next := int32(0)
			for _, s := range d.Sets {
				if !s.Deleted {
					next += s.Next
				}
			}
			if next != w.wanted() {
				t.Fatalf("the sets are said to want %d, they want %d: %s", next, w.wanted(), d.Answer)
			}
			if d.Pending != (len(d.Actions) > 0) || d.Pending && d.Sets == nil && d.Summary == (decision.Summary{}) {
				t.Fatalf("nothing is said about %v", d.Actions)
			}
			for _, rs := range w.sets {
				catchUp(rs, rapid.Int32Range(0, 9).Draw(t, "available"))
			}
		}
	})
}
