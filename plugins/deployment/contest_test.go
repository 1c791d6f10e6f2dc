package deployment_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"
	"pgregory.net/rapid"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/deployment"
)

// rivals are a few Deployments that select the same ReplicaSets.
type rivals struct {
	version     string
	deployments []*appsv1.Deployment
	sets        []*appsv1.ReplicaSet
}

var (
	noon      = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	labelSets = []map[string]string{{"app": "web"}, {"tier": "front"}, {"app": "web", "tier": "front"}}
)

func drawRivals(t *rapid.T) rivals {
	c := rivals{version: rapid.SampledFrom([]string{"1.37", "1.33", "1.29"}).Draw(t, "version")}
	for i := range rapid.IntRange(2, 3).Draw(t, "deployments") {
		c.deployments = append(c.deployments, drawDeployment(t, i))
	}
	for i := range rapid.IntRange(1, 4).Draw(t, "sets") {
		c.sets = append(c.sets, c.drawSet(t, i))
	}
	return c
}

func drawTemplate(t *rapid.T, labels map[string]string) corev1.PodTemplateSpec {
	image := rapid.SampledFrom([]string{"web:1", "web:2"}).Draw(t, "image")
	return corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: image}}}}
}

func drawDeployment(t *rapid.T, i int) *appsv1.Deployment {
	selector := rapid.SampledFrom(labelSets).Draw(t, "selector")
	name := fmt.Sprint("web", i)
	d := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name), Generation: 1, CreationTimestamp: metav1.NewTime(noon.Add(-time.Hour))}}
	d.Spec = appsv1.DeploymentSpec{
		Replicas: new(rapid.Int32Range(0, 4).Draw(t, "replicas")), Selector: &metav1.LabelSelector{MatchLabels: selector},
		Template: drawTemplate(t, labelSets[2]), RevisionHistoryLimit: new(rapid.Int32Range(0, 2).Draw(t, "history")),
		Paused: rapid.IntRange(0, 5).Draw(t, "paused") == 0,
	}
	d.Spec.Strategy.Type = rapid.SampledFrom([]appsv1.DeploymentStrategyType{appsv1.RollingUpdateDeploymentStrategyType, appsv1.RecreateDeploymentStrategyType}).Draw(t, "strategy")
	if d.Spec.Strategy.Type == appsv1.RollingUpdateDeploymentStrategyType {
		d.Spec.Strategy.RollingUpdate = &appsv1.RollingUpdateDeployment{MaxSurge: new(intstr.FromInt32(1)), MaxUnavailable: new(intstr.FromInt32(rapid.Int32Range(0, 1).Draw(t, "unavailable")))}
	}
	return d
}

func (c *rivals) drawSet(t *rapid.T, i int) *appsv1.ReplicaSet {
	name := fmt.Sprint("set", i)
	replicas := rapid.Int32Range(0, 4).Draw(t, "size")
	age := time.Duration(rapid.IntRange(1, 50).Draw(t, "age")) * time.Minute
	rs := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name), Labels: labelSets[2], CreationTimestamp: metav1.NewTime(noon.Add(-age))}}
	rs.Spec = appsv1.ReplicaSetSpec{Replicas: &replicas, Selector: &metav1.LabelSelector{MatchLabels: labelSets[2]}, Template: drawTemplate(t, labelSets[2])}
	rs.Status = appsv1.ReplicaSetStatus{Replicas: replicas, ReadyReplicas: replicas, AvailableReplicas: replicas}
	if owner := rapid.IntRange(-3, len(c.deployments)-1).Draw(t, "owner"); owner >= 0 {
		rs.OwnerReferences = controlledBy(c.deployments[owner])
	}
	return rs
}

func controlledBy(d *appsv1.Deployment) []metav1.OwnerReference {
	return []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "Deployment", Name: d.Name, UID: d.UID, Controller: new(true), BlockOwnerDeletion: new(true)}}
}

func (c *rivals) decide(t *rapid.T, of *appsv1.Deployment) *decision.Decision {
	b := view.NewBuilder(noon)
	for _, k := range view.Kinds() {
		b.Reads(view.Need{Kind: k, Detail: view.Full}, nil)
	}
	for _, d := range c.deployments {
		b.Add(view.Deployments, d)
	}
	for _, rs := range c.sets {
		b.Add(view.ReplicaSets, rs)
	}
	p, err := profile.New(profile.Options{Emulate: c.version})
	if err != nil {
		t.Fatal(err)
	}
	d, err := deployment.Decide(b.View().Reader(), p, view.Target{Kind: view.Deployments, Namespace: "shop", Name: of.Name}, deployment.Given{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// after are the rivals once these have adopted what they adopt, in turn.
func (c *rivals) after(t *rapid.T, turns []*appsv1.Deployment) rivals {
	next := *c
	for _, of := range turns {
		d := next.decide(t, of)
		next.sets = slices.Clone(next.sets)
		for i, rs := range next.sets {
			if slices.ContainsFunc(d.Actions, func(a decision.Action) bool { return a.Verb == decision.Adopt && a.Object.Name == rs.Name }) {
				next.sets[i] = rs.DeepCopy()
				next.sets[i].OwnerReferences = controlledBy(of)
			}
		}
	}
	return next
}

// turns lists every order in which some of the others sync before a Deployment.
func turns(others []*appsv1.Deployment) [][]*appsv1.Deployment {
	all := [][]*appsv1.Deployment{nil}
	for i, first := range others {
		for _, then := range turns(slices.Delete(slices.Clone(others), i, i+1)) {
			all = append(all, append([]*appsv1.Deployment{first}, then...))
		}
	}
	return all
}

// What one order of the Deployments' syncs contradicts is not certain, and nothing
// is called possible that happens in every order.
func TestNothingCertainDependsOnWhoAdopts(t *testing.T) {
	conditional := map[decision.Verb]int{}
	rapid.Check(t, func(t *rapid.T) {
		c := drawRivals(t)
		for i, of := range c.deployments {
			d := c.decide(t, of)
			var ends []*decision.Decision
			for _, before := range turns(slices.Delete(slices.Clone(c.deployments), i, i+1)) {
				then := c.after(t, before)
				ends = append(ends, then.decide(t, of))
			}
			for _, a := range d.Actions {
				checkAction(t, a, ends)
				if a.Certainty == decision.Possible {
					conditional[a.Verb]++
				}
			}
			checkFields(t, d, ends)
		}
	})
	for _, verb := range []decision.Verb{decision.Adopt, decision.Create} {
		if conditional[verb] == 0 {
			t.Errorf("no action %s depended on an adoption: %v", verb, conditional)
		}
	}
}

func checkAction(t *rapid.T, a decision.Action, ends []*decision.Decision) {
	missing := slices.IndexFunc(ends, func(d *decision.Decision) bool {
		return !slices.ContainsFunc(d.Actions, func(b decision.Action) bool { return same(a, b) })
	})
	switch certain := a.Certainty == decision.Certain; {
	case certain && missing >= 0:
		t.Fatalf("%s of %s is certain, and not done in another order: %+v", a.Verb, a.Object.Name, ends[missing].Actions)
	case !certain && missing < 0:
		t.Fatalf("%s of %s is possible, and done in every order", a.Verb, a.Object.Name)
	}
}

// same reports whether two actions do the same.
func same(a, b decision.Action) bool {
	return a.Verb == b.Verb && a.Object == b.Object && ptr.Equal(a.From, b.From) && ptr.Equal(a.To, b.To) &&
		(a.Verb != decision.Modify || reflect.DeepEqual(a.Facts, b.Facts))
}

// checkFields demands that the status that is written for certain is that of every
// order.
func checkFields(t *rapid.T, d *decision.Decision, ends []*decision.Decision) {
	for _, end := range ends {
		for _, f := range d.Status.Fields {
			if f.Certainty == "" && !slices.ContainsFunc(end.Status.Fields, func(o decision.FieldChange) bool { return o.Field == f.Field && o.Next == f.Next }) {
				t.Fatalf("status %s is %s for certain, and another one in another order", f.Field, f.Next)
			}
		}
	}
}
