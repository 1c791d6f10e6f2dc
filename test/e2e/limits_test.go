package e2e

import (
	"context"
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

const quota = "quota"

// limit makes the quota and waits until it is in force.
func (w *world) limit(name corev1.ResourceName, amount string) {
	w.Helper()
	w.check(env.Limit(w.Context(), w.namespace, quota, corev1.ResourceList{name: resource.MustParse(amount)}))
}

// raise does the work of the quota controller, too, which is held with the
// others.
func (w *world) raise(name corev1.ResourceName, amount string) {
	w.Helper()
	for part, subresources := range map[string][]string{"spec": nil, "status": {"status"}} {
		patch := fmt.Appendf(nil, `{%q:{"hard":{%q:%q}}}`, part, name, amount)
		_, err := w.client.CoreV1().ResourceQuotas(w.namespace).Patch(w.Context(), quota, types.MergePatchType, patch, metav1.PatchOptions{}, subresources...)
		w.check(err)
	}
	w.waitFor("pods to be admitted", func(ctx context.Context) (bool, error) {
		err := w.probe(ctx, pod{name: "probe"}.object())
		return err == nil, err
	})
}

// waitForFailure waits for the target's condition and for the event about it.
func (w *world) waitForFailure() {
	w.Helper()
	w.waitForStatus(web, func(s appsv1.ReplicaSetStatus) bool { return len(s.Conditions) > 0 })
	w.waitFor("a FailedCreate event", func(ctx context.Context) (bool, error) {
		events, err := w.client.CoreV1().Events(w.namespace).List(ctx, metav1.ListOptions{FieldSelector: "reason=FailedCreate"})
		return err == nil && len(events.Items) > 0, err
	})
}

// waitForRefusal tries to create a pod until that is refused for the reason
// given.
func (w *world) waitForRefusal(probe *corev1.Pod, reason string) {
	w.Helper()
	w.waitFor("pods to be refused", func(ctx context.Context) (bool, error) {
		err := w.probe(ctx, probe)
		if err != nil && strings.Contains(err.Error(), reason) {
			return true, nil
		}
		return false, err
	})
}

// probe is a dry run of the test's, not the tool's.
func (w *world) probe(ctx context.Context, probe *corev1.Pod) error {
	_, err := w.client.CoreV1().Pods(w.namespace).Create(ctx, probe, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	return err
}
