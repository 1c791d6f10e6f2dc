package e2e

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// What users do to a cluster.

// scale changes spec.replicas as kubectl scale does, by one field.
func (w *world) scale(name string, replicas int) {
	w.Helper()
	w.patchSet(name, fmt.Sprintf(`{"spec":{"replicas":%d}}`, replicas))
}

func (w *world) patchSet(name, patch string) {
	w.Helper()
	_, err := w.client.AppsV1().ReplicaSets(w.namespace).Patch(w.Context(), name, types.MergePatchType, []byte(patch), metav1.PatchOptions{})
	w.check(err)
}

// relabel takes a pod out of the target's selector.
func (w *world) relabel(pod string) {
	w.Helper()
	_, err := w.client.CoreV1().Pods(w.namespace).Patch(w.Context(), pod, types.MergePatchType, []byte(`{"metadata":{"labels":{"app":"debug"}}}`), metav1.PatchOptions{})
	w.check(err)
}

func (w *world) anyPod() string {
	w.Helper()
	return w.pods()[0].Name
}

func (w *world) pods() []corev1.Pod {
	w.Helper()
	pods, err := w.client.CoreV1().Pods(w.namespace).List(w.Context(), metav1.ListOptions{})
	w.check(err)
	return pods.Items
}

func (w *world) deleteSet(name string, how metav1.DeletionPropagation) {
	w.Helper()
	w.check(w.client.AppsV1().ReplicaSets(w.namespace).Delete(w.Context(), name, metav1.DeleteOptions{PropagationPolicy: &how}))
}

func (w *world) waitForNoSet(name string) {
	w.Helper()
	w.waitFor(name+" to be gone", func(ctx context.Context) (bool, error) {
		_, err := w.client.AppsV1().ReplicaSets(w.namespace).Get(ctx, name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return true, nil
		}
		return false, err
	})
}

// uidOf is the UID of a set that did not exist when it was asked about.
func (w *world) uidOf(set string) string {
	w.Helper()
	obj, err := w.client.AppsV1().ReplicaSets(w.namespace).Get(w.Context(), set, metav1.GetOptions{})
	w.check(err)
	return string(obj.UID)
}

func (w *world) kubectl(args ...string) string {
	w.Helper()
	out, err := env.Kubectl(w.Context(), nil, append(args, "--namespace", w.namespace)...)
	w.check(err)
	return out
}
