package e2e

import (
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// TestWhatIf asks first and changes the cluster afterwards.
func TestWhatIf(t *testing.T) {
	runScenarios(t, []scenario{
		{
			name: "plan --replicas, then kubectl scale", hold: stopped, plugin: true,
			setup: func(w *world) { w.settled(5) },
			args:  []string{"rs/web", "--replicas", "2"},
			then:  func(w *world) { w.kubectl("scale", "rs/web", "--replicas", "2") },
		},
		{
			name: "plan --replicas of a Deployment's set, then kubectl scale of the Deployment", hold: stopped, plugin: true,
			setup: func(w *world) {
				w.kubectl("apply", "-f", "testdata/deployment.yaml")
				w.check(env.WaitForReadyPods(w.Context(), w.namespace, "app=web", 4))
				set := w.onlySet()
				w.waitForStatus(set, func(s appsv1.ReplicaSetStatus) bool { return s.ReadyReplicas == 4 })
				w.args = []string{"rs/" + set, "--replicas", "1"}
			},
			then:  func(w *world) { w.kubectl("scale", "deploy/web", "--replicas", "1") },
			shows: []string{"StatusWritten"},
			after: checkOwnedBy("deployment/web"),
		},
		{
			name: "plan -f of a new set, then kubectl apply", hold: stopped, plugin: true,
			args:  []string{"-f", "testdata/new-set.yaml"},
			then:  func(w *world) { w.kubectl("apply", "-f", "testdata/new-set.yaml") },
			shows: []string{"CreateMissing"},
		},
		{
			name:   "plan -f of a changed set, then kubectl apply",
			change: surplus(1, pod{name: "a", node: bare0, ready: hour}),
			args:   []string{"-f", "testdata/new-set.yaml"},
			then: func(w *world) {
				w.kubectl("apply", "--server-side", "--force-conflicts", "-f", "testdata/new-set.yaml")
			},
			shows: []string{"CreateMissing"},
		},
	})
}

// TestAutoscaler: a real HPA takes a change back that a plan says it takes back.
func TestAutoscaler(t *testing.T) {
	w := newWorld(t, t.Name())
	w.check(env.kcm.release(t.Context()))
	w.settled(1)
	if plan := w.scaledDown(); warned(plan) {
		t.Errorf("before: %v", plan.Caveats)
	}
	w.kubectl("autoscale", "rs/web", "--min", "3", "--max", "5")
	w.waitForStatus(web, func(s appsv1.ReplicaSetStatus) bool { return s.ReadyReplicas == 3 })
	if plan := w.scaledDown(); !warned(plan) {
		t.Errorf("scaled by a HorizontalPodAutoscaler: %v", plan.Caveats)
	}
	w.kubectl("scale", "rs/web", "--replicas", "2") // what the plan was about
	w.waitForStatus(web, func(s appsv1.ReplicaSetStatus) bool { return s.ReadyReplicas == 3 })
	w.kubectl("delete", "hpa", "web")
	if plan := w.scaledDown(); warned(plan) {
		t.Errorf("without a HorizontalPodAutoscaler: %v", plan.Caveats)
	}
}

func (w *world) scaledDown() *decision.Decision {
	w.Helper()
	plan, err := parsePlan(w.run(false, "plan", "rs/web", "--replicas", "2", "-o", "json"))
	w.check(err)
	return plan
}

func warned(d *decision.Decision) bool {
	return slices.ContainsFunc(d.Caveats, func(c decision.Caveat) bool {
		return c.Code == "AutoscalerScales" && strings.HasPrefix(c.Message, "hpa/web has minReplicas 3: it sets spec.replicas of replicaset/web to 3 ")
	})
}

// onlySet is the name of the namespace's one ReplicaSet.
func (w *world) onlySet() string {
	w.Helper()
	sets, err := w.client.AppsV1().ReplicaSets(w.namespace).List(w.Context(), metav1.ListOptions{})
	w.check(err)
	if len(sets.Items) != 1 {
		w.Fatalf("%d sets, want 1", len(sets.Items))
	}
	return sets.Items[0].Name
}

func checkOwnedBy(owner string) func(*world, *decision.Decision, observed) {
	return func(w *world, plan *decision.Decision, _ observed) {
		w.Helper()
		var owners []string
		for _, o := range plan.Owners {
			owners = append(owners, o.String())
		}
		if strings.Join(owners, " ") != owner {
			w.Errorf("the plan says the owners are %v, want %s", owners, owner)
		}
	}
}
