package e2e

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/controlplane"
)

// canaries is a namespace in which nothing stands in the controllers' way.
const canaries = "canaries"

func createCanaries(ctx context.Context, client kubernetes.Interface) error {
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: canaries}}
	_, err := client.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{})
	return err
}

func (w *world) mark() controlplane.AuditMark {
	w.Helper()
	mark, err := env.AuditMark()
	w.check(err)
	return mark
}

// letGo lets the controllers act. It makes a canary for each of the two that
// this package is about: an object to work on after everything that is in
// their queues by now; and waits until they do.
func (w *world) letGo(since controlplane.AuditMark) {
	w.Helper()
	w.check(env.kcm.release(w.Context()))
	there := &world{T: w.T, client: w.client, namespace: canaries}
	set := there.createSet(replicaSet(w.namespace, 1))
	rc := there.createRC(replicationController(w.namespace, 1))
	w.waitForCreation(since, "replicaset-controller", string(set.UID))
	w.waitForCreation(since, "replication-controller", string(rc.UID))
}

func (w *world) waitForCreation(since controlplane.AuditMark, controller, uid string) {
	w.Helper()
	_, err := env.WaitForAudit(w.Context(), since, 1, func(e controlplane.AuditEvent) bool {
		return e.Controller() == controller && e.Verb == "create" && refersTo(e, uid)
	})
	if err != nil {
		w.Fatal(fmt.Errorf("the %s does not act: %w", controller, err))
	}
}
