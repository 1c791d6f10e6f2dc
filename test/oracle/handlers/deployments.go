package handlers

import (
	"encoding/json"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/deployment"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
)

// deployments are our handlers of Deployments with their caches.
type deployments struct {
	handle  handlers.Handle
	profile profile.Profile
	caches  map[string]map[string]metav1.Object
	// fired counts the branches taken.
	fired map[string]int
}

func newDeployments(p profile.Profile, fired map[string]int) *deployments {
	d := &deployments{handle: deployment.Handle(view.Deployments), profile: p, caches: map[string]map[string]metav1.Object{}, fired: fired}
	for kind := range deploymentKinds {
		d.caches[kind] = map[string]metav1.Object{}
	}
	return d
}

// deploymentKinds are what the controller watches.
var deploymentKinds = map[string]struct {
	view.Kind
	empty func() metav1.Object
}{
	contract.KindDeployment: {view.Deployments, func() metav1.Object { return &appsv1.Deployment{} }},
	contract.KindReplicaSet: {view.ReplicaSets, func() metav1.Object { return &appsv1.ReplicaSet{} }},
	contract.KindPod:        {view.Pods, func() metav1.Object { return &corev1.Pod{} }},
}

// Get, In and Satisfied make deployments a handlers.Cluster.
func (d *deployments) Get(k view.Kind, namespace, name string) (metav1.Object, bool) {
	obj, ok := d.caches[k.Kind][keyOf(namespace, name)]
	return obj, ok
}

func (d *deployments) In(k view.Kind, namespace string) []metav1.Object {
	var all []metav1.Object
	for _, obj := range d.caches[k.Kind] {
		if obj.GetNamespace() == namespace {
			all = append(all, obj)
		}
	}
	return all
}

func (d *deployments) Satisfied(view.Target) bool { return true }

// see takes one event and tells what it did; no key has expectations.
func (d *deployments) see(ev contract.Event, _ []string) (contract.EventRun, error) {
	kind := deploymentKinds[ev.Kind]
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
		if e.Enqueue {
			run.Added = append(run.Added, keyOf(e.Target.Namespace, e.Target.Name))
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
