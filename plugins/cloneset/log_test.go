package cloneset_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// step is one sync of cs/sample in a sketched cluster.
func step(t *testing.T, text string) (*view.View, *simulate.Sync) {
	t.Helper()
	v, err := clusterdsl.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.New(profile.Options{Emulate: "1.36"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := cloneset.Step(v.Reader(), p, view.Target{Kind: view.CloneSets, Namespace: clusterdsl.Namespace, Name: "sample"})
	if err != nil {
		t.Fatal(err)
	}
	return v, s
}

// TestRequests: each action names the request that does it, and what leads up to it
// goes with it.
func TestRequests(t *testing.T) {
	const manager = "manager v1.9.1\n"
	for _, c := range []struct{ name, sketch, want string }{
		{
			"update in place", `
cs sample selector=app=web replicas=1 image=web:2 type=InPlaceIfPossible maxUnavailable=1 current=sample-a tlabel=app:web
rev sample-a of=cs/sample number=1 app=web image=web:1 tlabel=app:web
kpod sample-1 of=cs/sample app=web rev=sample-a state=Normal age=1h ready=59m node=n1 id=1 image=web:1 running=old gate inplace=True`,
			"- create ControllerRevision sample-<hash>; - update Pod/status sample-1 with 3; 3 update Pod sample-1; - update CloneSet/status sample",
		}, {
			"claims come before their Pods", `
cs sample selector=app=web replicas=3 image=web:1 current=sample-a update=sample-a claims=data stored=1,1,1,1,1,1,3
rev sample-a of=cs/sample number=1 app=web image=web:1
kpod sample-0 of=cs/sample app=web rev=sample-a id=0 state=Normal node=n0 ready=10m age=1h
pvc data-sample-0 of=cs/sample id=0
pvc data-sample-7 of=cs/sample id=7`,
			"- create PersistentVolumeClaim data-sample- with 2; 2 create Pod sample-",
		}, {
			"claims go with their Pods", `
cs sample selector=app=web replicas=0 image=web:1 current=sample-a update=sample-a claims=data stored=1,1,1,1,1,1,0
rev sample-a of=cs/sample number=1 app=web image=web:1
kpod sample-0 of=cs/sample app=web rev=sample-a id=0 state=Normal node=n0 ready=10m age=1h
pvc data-sample-0 of=cs/sample id=0`,
			"1 delete Pod sample-0; 2 delete PersistentVolumeClaim data-sample-0 with 1",
		}, {
			"a hook closes the gate first", `
cs sample selector=app=web replicas=0 image=web:1 current=sample-a update=sample-a preDelete=a/b marks=preDelete stored=1,1,1,1,1,1,0
rev sample-a of=cs/sample number=1 app=web image=web:1
kpod sample-0 of=cs/sample app=web rev=sample-a id=0 state=Normal node=n0 ready=10m age=1h finalizer=a/b kruiseReady=True`,
			"- update Pod/status sample-0 with 2; 2 patch Pod sample-0",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, s := step(t, manager+c.sketch)
			if got := clusterdsl.Requests(s.Decision.Actions, s.Writes); got != c.want {
				t.Errorf("sends %s\nwant  %s", got, c.want)
			}
		})
	}
}

// TestRequestsAreStored: what a sync sends is what the model cluster has afterwards.
func TestRequestsAreStored(t *testing.T) {
	v, s := step(t, `manager v1.9.1
cs sample selector=app=web replicas=4 image=web:1 current=sample-a update=sample-a claims=data generation=2 podsToDelete=sample-9
rev sample-a of=cs/sample number=1 app=web image=web:1
kpod sample-0 of=cs/sample app=web rev=sample-a id=0 state=Normal node=n0 ready=10m age=1h
pvc data-sample-0 of=cs/sample id=0
pvc data-sample-7 of=cs/sample id=7`)
	m := cluster.New(v, admission.Features{})
	set := v.All(view.CloneSets)[0]
	m.CommitAll(s.Writes, nil)
	for _, name := range []string{"sample-7", "sample-<new 1>", "sample-<new 2>"} {
		p, ok := cluster.GetPod(m, clusterdsl.Namespace, name)
		if !ok {
			t.Fatalf("no Pod %s", name)
		}
		id := name[len("sample-"):]
		if !metav1.IsControlledBy(p, set) || p.Labels["apps.kruise.io/cloneset-instance-id"] != id || p.Labels["lifecycle.apps.kruise.io/state"] != "PreparingNormal" {
			t.Errorf("%s: labels %v, owners %v", name, p.Labels, p.OwnerReferences)
		}
		claim, ok := m.Get(view.PersistentVolumeClaims, clusterdsl.Namespace, "data-"+name)
		if !ok || claim.GetLabels()["apps.kruise.io/cloneset-instance-id"] != id {
			t.Errorf("no claim of %s: %v", name, claim)
		}
		if len(p.Spec.ReadinessGates) == 0 || p.Spec.ReadinessGates[0].ConditionType != corev1.PodConditionType("InPlaceUpdateReady") {
			t.Errorf("%s has the gates %v", name, p.Spec.ReadinessGates)
		}
	}
	now, _ := m.Get(view.CloneSets, clusterdsl.Namespace, "sample")
	stored, typed := now.(*unstructured.Unstructured)
	if !typed {
		t.Fatalf("the set is a %T", now)
	}
	observed, _, _ := unstructured.NestedInt64(stored.Object, "status", "observedGeneration")
	names, _, _ := unstructured.NestedStringSlice(stored.Object, "spec", "scaleStrategy", "podsToDelete")
	if observed != 2 || len(names) > 0 {
		t.Errorf("observedGeneration %d, podsToDelete %v", observed, names)
	}
}
