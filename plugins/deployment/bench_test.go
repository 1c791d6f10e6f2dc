package deployment_test

import (
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/deployment"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/clusterdsl"
)

// BenchmarkManyRevisions decides on a Deployment with 200 old ReplicaSets.
func BenchmarkManyRevisions(b *testing.B) {
	w := newWorld(4, appsv1.DeploymentStrategy{Type: appsv1.RollingUpdateDeploymentStrategyType})
	w.d.Spec.RevisionHistoryLimit = new(int32(1000))
	for n := range 201 {
		w.release(fmt.Sprintf("web:%d", n))
		w.settle(b)
	}
	if len(w.sets) != 201 {
		b.Fatalf("%d sets", len(w.sets))
	}
	p, err := profile.New(profile.Options{Emulate: "1.37"})
	if err != nil {
		b.Fatal(err)
	}
	v := w.view()
	for b.Loop() {
		t := view.Target{Kind: view.Deployments, Namespace: clusterdsl.Namespace, Name: "web"}
		if _, err := deployment.Decide(v.Reader(), p, t, deployment.Given{}); err != nil {
			b.Fatal(err)
		}
	}
}
