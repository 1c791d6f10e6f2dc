package e2e

import (
	"context"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// finish writes the conditions that a finished Job has.
func (w *world) finish(job *batchv1.Job) {
	w.Helper()
	now := metav1.Now()
	job.Status.StartTime, job.Status.CompletionTime = &now, &now
	for _, c := range []batchv1.JobConditionType{batchv1.JobSuccessCriteriaMet, batchv1.JobComplete} {
		job.Status.Conditions = append(job.Status.Conditions, batchv1.JobCondition{Type: c, Status: corev1.ConditionTrue, LastTransitionTime: now, LastProbeTime: now})
	}
	job.Status.Succeeded = *job.Spec.Completions
	_, err := w.client.BatchV1().Jobs(w.namespace).UpdateStatus(w.Context(), job, metav1.UpdateOptions{})
	w.check(err)
}

// waitForSets waits for so many ReplicaSets that have been synced.
func (w *world) waitForSets(n int) {
	w.Helper()
	w.waitFor("the ReplicaSets", func(ctx context.Context) (bool, error) {
		sets, err := w.client.AppsV1().ReplicaSets(w.namespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			return false, err
		}
		synced := 0
		for _, set := range sets.Items {
			if set.Status.ObservedGeneration == set.Generation && set.Status.Replicas == *set.Spec.Replicas {
				synced++
			}
		}
		return synced == n && len(sets.Items) == n, nil
	})
}

func (w *world) waitForRevisions(n int) {
	w.Helper()
	w.waitFor("the revisions", func(ctx context.Context) (bool, error) {
		revisions, err := w.client.AppsV1().ControllerRevisions(w.namespace).List(ctx, metav1.ListOptions{})
		return err == nil && len(revisions.Items) == n, err
	})
}

// waitForNo waits until an object is gone.
func (w *world) waitForNo(obj anyObject) {
	w.Helper()
	w.waitFor(obj.GetName()+" to be gone", func(ctx context.Context) (bool, error) {
		_, err := w.resource(w.kindOf(obj)).Get(ctx, obj.GetName(), metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return true, nil
		}
		return false, err
	})
}

func (w *world) waitForPods(n int) {
	w.Helper()
	w.waitFor("the pods", func(context.Context) (bool, error) { return len(w.pods()) == n, nil })
}
