package deployment_test

import (
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/deployment"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// TestClaimsAreStored: a claim's patch leaves the owner that a simulation goes on
// with, and each action names its request.
func TestClaimsAreStored(t *testing.T) {
	v, err := clusterdsl.Parse(`
deploy web revision=1 replicas=1
set web-a app=web replicas=1 revision=1 desired=1 max=2
set web-b of=deployment/web app=other replicas=0 revision=1`)
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.New(profile.Options{Emulate: "1.37"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := deployment.Sync(v.Reader(), p, view.Target{Kind: view.Deployments, Namespace: clusterdsl.Namespace, Name: "web"}, deployment.Given{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range r.Decision.Actions[:2] {
		w := r.Writes[a.Write-1]
		now, _ := v.Held(w.Kind, w.Namespace, w.Name)
		got = append(got, fmt.Sprintf("%s %s: %s, by deployment %t", a.Verb, w.Verb, w.Name, metav1.IsControlledBy(w.After(now), v.All(view.Deployments)[0])))
	}
	if want := "[adopt patch: web-a, by deployment true release patch: web-b, by deployment false]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
}
