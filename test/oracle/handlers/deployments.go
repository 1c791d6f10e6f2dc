package handlers

import (
	"encoding/json"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/deployment"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/statefulset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
)

// watching are our handlers of a controller without expectations, with its caches.
type watching struct {
	handle  handlers.Handle
	profile profile.Profile
	kinds   kinds
	caches  map[string]map[string]metav1.Object
	// fired counts the branches taken.
	fired map[string]int
}

// kinds are what a controller watches, by their names.
type kinds map[string]struct {
	view.Kind
	empty func() metav1.Object
}

// caches are empty.
func (k kinds) caches() map[string]map[string]metav1.Object {
	all := map[string]map[string]metav1.Object{}
	for kind := range k {
		all[kind] = map[string]metav1.Object{}
	}
	return all
}

func newDeployments(p profile.Profile, fired map[string]int) *watching {
	return &watching{deployment.Handle(view.Deployments), p, deploymentKinds, deploymentKinds.caches(), fired}
}

func newStatefulSets(p profile.Profile, fired map[string]int) *watching {
	return &watching{statefulset.Handle(view.StatefulSets), p, statefulSetKinds, statefulSetKinds.caches(), fired}
}

var statefulSetKinds = kinds{
	contract.KindStatefulSet: {view.StatefulSets, func() metav1.Object { return &appsv1.StatefulSet{} }},
	contract.KindPod:         {view.Pods, func() metav1.Object { return &corev1.Pod{} }},
}

var deploymentKinds = kinds{
	contract.KindDeployment: {view.Deployments, func() metav1.Object { return &appsv1.Deployment{} }},
	contract.KindReplicaSet: {view.ReplicaSets, func() metav1.Object { return &appsv1.ReplicaSet{} }},
	contract.KindPod:        {view.Pods, func() metav1.Object { return &corev1.Pod{} }},
}

// Get, In and Satisfied make watching a handlers.Cluster.
func (d *watching) Get(k view.Kind, namespace, name string) (metav1.Object, bool) {
	obj, ok := d.caches[k.Kind][keyOf(namespace, name)]
	return obj, ok
}

func (d *watching) In(k view.Kind, namespace string) []metav1.Object {
	var all []metav1.Object
	for _, obj := range d.caches[k.Kind] {
		if obj.GetNamespace() == namespace {
			all = append(all, obj)
		}
	}
	return all
}

func (d *watching) Satisfied(view.Target) bool { return true }

// see takes one event and tells what it did; no key has expectations.
func (d *watching) see(ev contract.Event, _ []string) (contract.EventRun, error) {
	kind := d.kinds[ev.Kind]
	event := handlers.Event{Type: typeOf[ev.Type], Kind: kind.Kind}
	var err error
	if event.Old, err = objectOf(ev.Old, kind.empty()); err != nil {
		return contract.EventRun{}, err
	}
	if event.New, err = objectOf(ev.New, kind.empty()); err != nil {
		return contract.EventRun{}, err
	}
	if event.Type == handlers.Deleted {
		delete(d.caches[ev.Kind], keyOf(event.Old.GetNamespace(), event.Old.GetName()))
	} else {
		d.caches[ev.Kind][keyOf(event.New.GetNamespace(), event.New.GetName())] = event.New
	}
	run := contract.EventRun{}
	for _, e := range d.handle(d, d.profile, event) {
		d.fired[e.Rule]++
		switch key := keyOf(e.Target.Namespace, e.Target.Name); {
		case e.After > 0:
			run.After = append(run.After, fmt.Sprint(key, " ", e.After))
		case e.Enqueue:
			run.Added = append(run.Added, key)
		}
	}
	slices.Sort(run.Added)
	return run, nil
}

// objectOf is nil for no text.
func objectOf(text []byte, into metav1.Object) (metav1.Object, error) {
	if text == nil {
		return nil, nil
	}
	return into, json.Unmarshal(text, into)
}
