package health

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Ready is the column READY of kubectl get pods: ready containers of all, with
// the sidecars (pkg/printers/internalversion/printers.go printPod, v1.37.1).
func Ready(pod *corev1.Pod) string {
	l := look{pod: pod}
	all := l.sidecars()
	ready := 0
	for _, c := range all {
		if c.status.Ready && ptr.Deref(c.status.Started, false) {
			ready++
		}
	}
	for _, c := range l.mainContainers() {
		if c.status.Ready && c.status.State.Running != nil {
			ready++
		}
	}
	return fmt.Sprintf("%d/%d", ready, len(all)+len(pod.Spec.Containers))
}

// statusColumn is the column STATUS of kubectl get pods (printPod, as above).
func statusColumn(pod *corev1.Pod) string {
	l := look{pod: pod}
	status := l.phase()
	if init, undone := l.initStatus(); undone {
		status = init
	}
	if c := view.Condition(pod, corev1.PodInitialized); !strings.HasPrefix(status, "Init:") || c != nil && c.Status == corev1.ConditionTrue {
		status = l.containerStatus(status)
	}
	switch {
	case pod.DeletionTimestamp != nil && pod.Status.Reason == "NodeLost":
		return "Unknown"
	case pod.DeletionTimestamp != nil && !view.Ended(pod):
		return "Terminating"
	}
	return status
}

func (l look) phase() string {
	status := string(l.pod.Status.Phase)
	if l.pod.Status.Reason != "" {
		status = l.pod.Status.Reason
	}
	if c := view.Condition(l.pod, corev1.PodScheduled); c != nil && c.Reason == corev1.PodReasonSchedulingGated {
		status = c.Reason
	}
	return status
}

// initStatus is that of the first init container that is not done.
func (l look) initStatus() (string, bool) {
	for i, c := range l.initContainers() {
		s := c.status.State
		switch {
		case !c.reported:
			continue
		case s.Terminated != nil && s.Terminated.ExitCode == 0, c.sidecar() && ptr.Deref(c.status.Started, false):
			continue
		case s.Terminated != nil:
			return "Init:" + endOf(s.Terminated), true
		case s.Waiting != nil && s.Waiting.Reason != "" && s.Waiting.Reason != "PodInitializing":
			return "Init:" + s.Waiting.Reason, true
		}
		return fmt.Sprintf("Init:%d/%d", i, len(l.pod.Spec.InitContainers)), true
	}
	return "", false
}

// containerStatus is that of the containers, the first one counting most.
func (l look) containerStatus(status string) string {
	running, failed := false, ""
	for _, c := range slices.Backward(l.pod.Status.ContainerStatuses) {
		switch {
		case c.State.Waiting != nil && c.State.Waiting.Reason != "":
			status = c.State.Waiting.Reason
		case c.State.Terminated != nil:
			if status = endOf(c.State.Terminated); c.State.Terminated.ExitCode != 0 {
				failed = status
			}
		case c.Ready && c.State.Running != nil:
			running = true
		}
	}
	if status != "Completed" {
		return status
	}
	ready := view.Condition(l.pod, corev1.PodReady)
	switch {
	case running && ready != nil && ready.Status == corev1.ConditionTrue:
		return "Running"
	case failed != "":
		return failed
	case running:
		return "NotReady"
	}
	return status
}

func endOf(t *corev1.ContainerStateTerminated) string {
	switch {
	case t.Reason != "":
		return t.Reason
	case t.Signal != 0:
		return fmt.Sprintf("Signal:%d", t.Signal)
	}
	return fmt.Sprintf("ExitCode:%d", t.ExitCode)
}
