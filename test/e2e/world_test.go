package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// world is the namespace of one test.
type world struct {
	*testing.T
	client    kubernetes.Interface
	namespace string
	// args are added to the scenario's, for names that it does not know before.
	args []string
}

func newWorld(t *testing.T, name string) *world {
	t.Helper()
	w := &world{T: t, client: env.client, namespace: unused(slug(name))}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: w.namespace}}
	_, err := w.client.CoreV1().Namespaces().Create(t.Context(), namespace, metav1.CreateOptions{})
	w.check(err)
	return w
}

var used = map[string]int{}

// unused makes another name of one that was used, for go test -count.
func unused(namespace string) string {
	used[namespace]++
	if n := used[namespace]; n > 1 {
		return fmt.Sprintf("%s-%d", namespace, n)
	}
	return namespace
}

// slug makes a namespace's name of a test's.
func slug(name string) string {
	letters := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(name))
	return strings.Trim(letters[:min(len(letters), 50)], "-")
}

func (w *world) check(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *world) waitFor(what string, condition func(context.Context) (bool, error)) {
	w.Helper()
	w.check(env.WaitFor(w.Context(), what, condition))
}

// run calls the tool about this namespace and expects it to succeed.
func (w *world) run(viaKubectl bool, args ...string) string {
	w.Helper()
	r := w.call(env.tool, viaKubectl, args...)
	if r.code != 0 {
		w.Fatalf("%v: exit status %d: %s", args, r.code, r.stderr)
	}
	return r.stdout
}

// call calls the tool, whatever comes of it.
func (w *world) call(t tool, viaKubectl bool, args ...string) result {
	w.Helper()
	ctx, cancel := context.WithTimeout(w.Context(), toolTimeout)
	defer cancel()
	args = append(args, "--namespace", w.namespace)
	cmd := t.binary(ctx, args...)
	if viaKubectl {
		cmd = t.plugin(ctx, args...)
	}
	r, err := finish(cmd)
	w.check(err)
	return r
}

// settled makes the target with so many pods on managed nodes and waits until
// they are ready and the controller has said so.
func (w *world) settled(replicas int32) {
	w.Helper()
	w.createSet(replicaSet(web, replicas, scheduled))
	w.waitForStatus(web, func(s appsv1.ReplicaSetStatus) bool { return s.Replicas == replicas && s.ReadyReplicas == replicas })
}

func (w *world) waitForStatus(name string, condition func(appsv1.ReplicaSetStatus) bool) {
	w.Helper()
	w.waitFor("the status of "+name, func(ctx context.Context) (bool, error) {
		set, err := w.client.AppsV1().ReplicaSets(w.namespace).Get(ctx, name, metav1.GetOptions{})
		return err == nil && condition(set.Status), err
	})
}

// waitForReplicas waits until the controller has counted so many pods of the
// target, and nothing is outstanding.
func (w *world) waitForReplicas(replicas int32) {
	w.Helper()
	w.waitForStatus(web, func(s appsv1.ReplicaSetStatus) bool { return s.Replicas == replicas })
}
