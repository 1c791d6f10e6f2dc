package controlplane

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
)

const waitTimeout = time.Minute

// WaitFor polls until the condition holds or the context ends; a context without
// a deadline gets one of a minute. An error of the condition is not final,
// because API servers are restarted; the last one is in the error that WaitFor
// returns.
func (c *Cluster) WaitFor(ctx context.Context, what string, condition func(context.Context) (bool, error)) error {
	ctx, cancel := withDeadline(ctx)
	defer cancel()
	last := errors.New("the condition does not hold")
	err := wait.PollUntilContextCancel(ctx, readyPoll, true, func(ctx context.Context) (bool, error) {
		done, err := condition(ctx)
		if err != nil && ctx.Err() == nil {
			last = err
		}
		return done && err == nil, nil
	})
	if err == nil {
		return nil
	}
	return fmt.Errorf("wait for %s: %w: %w%s", what, err, last, c.exits())
}

func withDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, waitTimeout)
}

// WaitForReadyPods waits until exactly so many pods match the selector and all
// of them are ready and not being deleted.
func (c *Cluster) WaitForReadyPods(ctx context.Context, namespace, selector string, count int) error {
	client, err := c.Client()
	if err != nil {
		return err
	}
	what := fmt.Sprintf("%d ready pods of %s in %s", count, selector, namespace)
	return c.WaitFor(ctx, what, func(ctx context.Context) (bool, error) {
		pods, err := client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{LabelSelector: selector})
		if err != nil {
			return false, err
		}
		ready := 0
		for _, pod := range pods.Items {
			if podReady(pod) {
				ready++
			}
		}
		if ready != count || len(pods.Items) != count {
			return false, fmt.Errorf("%d pods, %d of them ready", len(pods.Items), ready)
		}
		return true, nil
	})
}

func podReady(pod corev1.Pod) bool {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodReady {
			return condition.Status == corev1.ConditionTrue && pod.DeletionTimestamp == nil
		}
	}
	return false
}

// WaitForAudit waits until so many finished requests since the mark match, and
// returns those.
func (c *Cluster) WaitForAudit(ctx context.Context, since AuditMark, count int, match func(AuditEvent) bool) ([]AuditEvent, error) {
	var matching []AuditEvent
	err := c.WaitFor(ctx, fmt.Sprintf("%d requests in the audit log", count), func(context.Context) (bool, error) {
		events, next, err := c.AuditEvents(since)
		since = next
		for _, event := range events {
			if event.Stage == "ResponseComplete" && match(event) {
				matching = append(matching, event)
			}
		}
		if len(matching) < count {
			return false, errors.Join(err, fmt.Errorf("%d so far", len(matching)))
		}
		return true, err
	})
	return matching, err
}
