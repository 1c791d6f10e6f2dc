package e2e

import (
	"context"
	"fmt"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// rolloutScenario is a Deployment, each of whose next steps is predicted and then
// made by the real controller, alone. In between, all others act until its
// ReplicaSets are settled.
type rolloutScenario struct {
	name string
	// deployment is what is rolled out when the scenario starts; change is what
	// starts it.
	deployment *appsv1.Deployment
	setup      func(*world)
	change     func(*world)
	// shows lists rules without which the plans would miss the point.
	shows []string
	// steps is the least number of steps with actions that the scenario is to
	// take.
	steps int
	// unready says that pods never become ready.
	unready bool
}

// mostSteps is more than any scenario takes.
const mostSteps = 25

func runRolloutScenarios(t *testing.T, scenarios []rolloutScenario) {
	for _, s := range scenarios {
		t.Run(s.name, s.run)
	}
}

func (s rolloutScenario) run(t *testing.T) {
	w := newWorld(t, t.Name())
	w.check(env.kcm.release(t.Context()))
	create(w, s.deployment)
	w.waitForRollout(s.unready)
	if s.setup != nil {
		s.setup(w)
	}
	w.check(env.kcm.hold(t.Context(), alone))
	s.change(w)
	shown := map[string]bool{}
	steps := 0
	for step := 1; ; step++ {
		plan, rest := w.rolloutStep(step)
		for _, d := range []*decision.Decision{plan, rest} {
			d.EachRuling(func(r *decision.Ruling) { shown[r.Rule] = true })
		}
		if len(plan.Actions) > 0 {
			steps++
		}
		if len(plan.Actions) == 0 && !plan.Status.Writes {
			break
		}
		if step == mostSteps {
			w.Fatalf("the rollout does not end: %s", plan.Answer)
		}
		w.othersAct(s.unready)
	}
	for _, rule := range s.shows {
		if !shown[rule] {
			t.Errorf("no plan shows %s, but %v", rule, shown)
		}
	}
	if steps < s.steps {
		t.Errorf("%d steps with actions, want %d", steps, s.steps)
	}
}

// rolloutStep holds the controller's next sync to what is predicted of it, and
// runs it until it has nothing more to do, and predicts that as well.
func (w *world) rolloutStep(step int) (plan, rest *decision.Decision) {
	w.Helper()
	plan, err := parsePlan(w.run(false, "plan", "deploy/"+web, "-o", "json"))
	w.check(err)
	before := w.sets()
	mark := w.mark()
	w.check(env.kcm.release(w.Context()))
	w.deploymentCanary()
	did := w.observeRollout(mark, plan, before)
	err = compareRollout(plan, did)
	env.report.addStep(fmt.Sprintf("%s, step %d", w.Name(), step), plan, did, err)
	if err != nil {
		w.Fatalf("step %d: the controller did not keep to the plan %q:\n%v\nit did: %s", step, plan.Answer, err, did)
	}
	w.deploymentCanary()
	rest, err = parsePlan(w.run(false, "plan", "deploy/"+web, "-o", "json"))
	w.check(err)
	if len(rest.Actions) > 0 {
		w.Fatalf("step %d: the controller is at rest, but is predicted to act: %s", step, rest.Answer)
	}
	return plan, rest
}

// deploymentCanary waits until the Deployment controller has worked on
// something newer than all that is in its queue.
func (w *world) deploymentCanary() {
	w.Helper()
	mark := w.mark()
	there := &world{T: w.T, client: w.client, namespace: canaries}
	name := unused("canary-rollout")
	create(there, deploymentOf(name, 0))
	w.waitForSong(mark, "deployment-controller", name)
}

// othersAct lets every controller but that of Deployments act until the
// ReplicaSets are settled.
func (w *world) othersAct(unready bool) {
	w.Helper()
	w.check(env.kcm.hold(w.Context(), undeployed))
	w.check(env.kcm.release(w.Context()))
	w.waitFor("the ReplicaSets to settle", func(context.Context) (bool, error) {
		for _, set := range w.sets() {
			if !isSettled(set, unready) {
				return false, fmt.Errorf("%s: %+v", set.Name, set.Status)
			}
		}
		return true, nil
	})
	w.check(env.kcm.hold(w.Context(), alone))
}

func isSettled(set appsv1.ReplicaSet, unready bool) bool {
	s, want := set.Status, *set.Spec.Replicas
	terminating := s.TerminatingReplicas != nil && *s.TerminatingReplicas > 0
	return s.ObservedGeneration == set.Generation && s.Replicas == want && !terminating &&
		(s.AvailableReplicas == want || unready)
}

// sets are the ReplicaSets by name.
func (w *world) sets() map[string]appsv1.ReplicaSet {
	w.Helper()
	list, err := w.client.AppsV1().ReplicaSets(w.namespace).List(w.Context(), metav1.ListOptions{})
	w.check(err)
	sets := map[string]appsv1.ReplicaSet{}
	for _, set := range list.Items {
		sets[set.Name] = set
	}
	return sets
}

// waitForRollout waits until the Deployment is complete, or has at least made
// its pods.
func (w *world) waitForRollout(unready bool) {
	w.Helper()
	w.waitFor("the first rollout", func(ctx context.Context) (bool, error) {
		d, err := w.client.AppsV1().Deployments(w.namespace).Get(ctx, web, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		s := d.Status
		return s.ObservedGeneration == d.Generation && s.UpdatedReplicas == *d.Spec.Replicas && s.Replicas == *d.Spec.Replicas &&
			(unready || s.AvailableReplicas == *d.Spec.Replicas), nil
	})
}

// deadline waits until a Deployment's progress deadline has passed.
func (w *world) deadline() {
	w.Helper()
	w.waitFor("the progress deadline", func(ctx context.Context) (bool, error) {
		d, err := w.client.AppsV1().Deployments(w.namespace).Get(ctx, web, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		for _, c := range d.Status.Conditions {
			if c.Type == appsv1.DeploymentProgressing {
				return time.Since(c.LastUpdateTime.Time) > time.Duration(*d.Spec.ProgressDeadlineSeconds+1)*time.Second, nil
			}
		}
		return false, nil
	})
}

// waitForHalt waits until a rollout that can't go on has come as far as it can:
// the Deployment has said so of its last size, and the ReplicaSets of theirs.
func (w *world) waitForHalt() {
	w.Helper()
	w.waitFor("the rollout to halt", func(ctx context.Context) (bool, error) {
		d, err := w.client.AppsV1().Deployments(w.namespace).Get(ctx, web, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		total := int32(0)
		for _, set := range w.sets() {
			if !isSettled(set, true) {
				return false, nil
			}
			total += *set.Spec.Replicas
		}
		strategy := d.Spec.Strategy.RollingUpdate
		most := *d.Spec.Replicas + strategy.MaxSurge.IntVal
		return d.Status.ObservedGeneration == d.Generation && d.Status.Replicas == total && total == most &&
			d.Status.AvailableReplicas == *d.Spec.Replicas-strategy.MaxUnavailable.IntVal, nil
	})
}
