package e2e

import (
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// TestWait waits for real rollouts: begun right before, and with Pods that no node takes.
func TestWait(t *testing.T) {
	w := newWorld(t, t.Name())
	w.check(env.kcm.release(t.Context()))
	create(w, deploymentOf(web, 3, runs, steps("1", "0")))
	w.waits(0, "stable, 3 of 3 replicas available.")
	for _, next := range []string{"main:2", "main:3"} {
		image(next)(w)
		w.waits(0, "stable, 3 of 3 replicas available.")
		w.wantRolledOut(3)
	}
	w.kubectl("scale", "deploy/"+web, "--replicas", "5")
	w.waits(0, "stable, 5 of 5 replicas available.")
	w.wantRolledOut(5)

	w.patchDeployment(`{"spec":{"template":{"spec":{"nodeSelector":{"no":"such"}}}}}`)
	w.waits(1, "", "--timeout", "5s")
	for _, grace := range []string{"0", "10s"} {
		if said := w.waits(3, ").", "--blocked-for", grace); !strings.Contains(said, "; 1 Unschedulable (") {
			w.Errorf("the scheduler's reason is not in the first line: %s", said)
		}
	}
	w.kubectl("rollout", "undo", "deploy/"+web)
	w.waits(0, "stable, 5 of 5 replicas available.")
	w.wantRolledOut(5)
}

// TestWaitSeesRestart: a wait outlasts a restart of the API server, and sees what
// changes after it.
func TestWaitSeesRestart(t *testing.T) {
	w := newWorld(t, t.Name())
	w.check(env.kcm.release(t.Context()))
	create(w, deploymentOf(web, 2, runs, steps("1", "0")))
	w.waits(0, "stable, 2 of 2 replicas available.")
	w.patchDeployment(`{"spec":{"template":{"spec":{"nodeSelector":{"no":"such"}}}}}`)
	ended := make(chan result, 1)
	go func() { ended <- w.call(env.tool, true, "wait", "deploy/"+web, "--timeout", "55s") }()
	time.Sleep(3 * time.Second)
	w.check(env.Restart(t.Context(), controlplane.APIServer))
	w.kubectl("rollout", "undo", "deploy/"+web)
	if r := <-ended; r.code != 0 || !strings.HasSuffix(r.stdout, "stable, 2 of 2 replicas available.\n") {
		t.Errorf("exit status %d:\n%s%s", r.code, r.stdout, r.stderr)
	}
	w.wantRolledOut(2)
}

// waits wants an exit status of a wait, and how its last line ends.
func (w *world) waits(status int, last string, args ...string) (said string) {
	w.Helper()
	r := w.call(env.tool, true, append([]string{"wait", "deploy/" + web, "--timeout", "50s"}, args...)...)
	if r.code != status || !strings.HasSuffix(r.stdout, last+"\n") {
		w.Errorf("exit status %d, want %d with a last line that ends with %q:\n%s%s", r.code, status, last, r.stdout, r.stderr)
	}
	return r.stdout
}

// wantRolledOut wants as many ready Pods as there are to be, all of the Deployment's
// template, and no others.
func (w *world) wantRolledOut(replicas int) {
	w.Helper()
	d, err := w.client.AppsV1().Deployments(w.namespace).Get(w.Context(), web, metav1.GetOptions{})
	w.check(err)
	pods, err := w.client.CoreV1().Pods(w.namespace).List(w.Context(), metav1.ListOptions{})
	w.check(err)
	ready := 0
	for _, p := range pods.Items {
		if p.DeletionTimestamp != nil {
			continue
		}
		if p.Spec.Containers[0].Image != d.Spec.Template.Spec.Containers[0].Image || len(p.Spec.NodeSelector) > 0 {
			w.Errorf("pod %s is not of the Deployment's template", p.Name)
		}
		if slices.ContainsFunc(p.Status.Conditions, func(c corev1.PodCondition) bool {
			return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
		}) {
			ready++
		}
	}
	if d.Status.ObservedGeneration < d.Generation || ready != replicas {
		w.Errorf("not rolled out when the wait ended: %d ready Pods, generation %d, %+v", ready, d.Generation, d.Status)
	}
}
