package clusterdsl

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// troubles are why a Pod is not available, as why=NAME@AGE says:
//
//	why=unschedulable@58m   no node has the cpu that it asks for
//	why=unpreempted@58m     the same, and the scheduler says that it preempts none
//	why=tainted@58m         no node has only taints that it tolerates
//	why=unbound@5s          it waits for its volume claims
//	why=oom@41m×17          its container was killed so often, at last two minutes ago
//	why=crash@41m×2         the same, with exit code 1
//	why=restarted@1m×2      the same, and it runs again
//	why=image@12m           the registry does not have its image
//	why=creating@8s         the kubelet starts its container
//	why=config@8m           its container refers to a ConfigMap that is missing
//	why=nonroot@8m          its image runs as root, which it may not
//	why=rejected@4m         the kubelet did not admit it
//	why=evicted@4m          the kubelet ended it, since its node was low on memory
//	why=flapping@1m×3       its container was killed so often, at last two minutes ago, and is as
//	                        ready as the Pod
//	why=probe@20m           its container runs, and is not ready
//	why=unreported@20m      its container is ready, as its kubelet reported last
var troubles = map[string]func(p *corev1.Pod, since metav1.Time, n int32){
	"unschedulable": func(p *corev1.Pod, since metav1.Time, _ int32) { unfit(p, since, "Insufficient cpu") },
	"unpreempted": func(p *corev1.Pod, since metav1.Time, _ int32) {
		unfit(p, since, "Insufficient cpu. no new claims to deallocate, preemption: 0/12 nodes are available: 12 No preemption victims found for incoming pod")
	},
	"tainted": func(p *corev1.Pod, since metav1.Time, _ int32) {
		unfit(p, since, "node(s) had untolerated taint {gpu: }")
	},
	"unbound": func(p *corev1.Pod, since metav1.Time, _ int32) {
		unfit(p, since, "")
		p.Status.Conditions[0].Message = "0/12 nodes are available: pod has unbound immediate PersistentVolumeClaims."
	},
	"oom": func(p *corev1.Pod, since metav1.Time, n int32) {
		crashed(p, since, n, corev1.ContainerStateTerminated{Reason: "OOMKilled", ExitCode: 137})
	},
	"crash": func(p *corev1.Pod, since metav1.Time, n int32) {
		crashed(p, since, n, corev1.ContainerStateTerminated{Reason: "Error", ExitCode: 1})
	},
	"restarted": func(p *corev1.Pod, since metav1.Time, n int32) {
		crashed(p, since, n, corev1.ContainerStateTerminated{Reason: "Error", ExitCode: 1})
		p.Status.ContainerStatuses[0].State = corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: since}}
	},
	"image":    waiting("ErrImagePull", "failed to pull and unpack image: manifest unknown"),
	"creating": waiting("ContainerCreating", ""),
	"config":   waiting("CreateContainerConfigError", `configmap "app" not found`),
	"nonroot":  waiting("CreateContainerConfigError", "container has runAsNonRoot and image will run as root"),
	"rejected": func(p *corev1.Pod, since metav1.Time, _ int32) {
		p.Status = corev1.PodStatus{Phase: corev1.PodFailed, Reason: "UnexpectedAdmissionError", StartTime: &since}
	},
	"evicted": func(p *corev1.Pod, since metav1.Time, _ int32) {
		p.Status = corev1.PodStatus{Phase: corev1.PodFailed, Reason: "Evicted", Message: "The node was low on resource: memory. ", Conditions: []corev1.PodCondition{{
			Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: "TerminationByKubelet", LastTransitionTime: since,
		}}, ContainerStatuses: []corev1.ContainerStatus{{
			Name: p.Spec.Containers[0].Name, State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "Error", ExitCode: 137, FinishedAt: since}},
		}}}
	},
	"flapping": func(p *corev1.Pod, since metav1.Time, n int32) {
		killed := corev1.ContainerStateTerminated{Reason: "Error", ExitCode: 137, FinishedAt: metav1.Time{Time: Now.Add(-2 * time.Minute)}}
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{
			Name: p.Spec.Containers[0].Name, Ready: true, RestartCount: n, LastTerminationState: corev1.ContainerState{Terminated: &killed},
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: since}},
		}}
	},
	"unreported": func(p *corev1.Pod, since metav1.Time, _ int32) {
		unready(p, since, corev1.ContainerStatus{Ready: true, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: since}}})
	},
	"probe": func(p *corev1.Pod, since metav1.Time, _ int32) {
		p.Spec.Containers[0].ReadinessProbe = &corev1.Probe{}
		unready(p, since, corev1.ContainerStatus{Started: new(true), State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: since}}})
	},
}

func waiting(reason, message string) func(*corev1.Pod, metav1.Time, int32) {
	return func(p *corev1.Pod, since metav1.Time, _ int32) {
		p.Status.Phase = corev1.PodPending
		unready(p, since, corev1.ContainerStatus{State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason, Message: message}}})
	}
}

func unfit(p *corev1.Pod, since metav1.Time, why string) {
	p.Spec.NodeName, p.Status.Phase = "", corev1.PodPending
	p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable,
		Message: "0/12 nodes are available: 12 " + why + ".", LastTransitionTime: since}}
}

func crashed(p *corev1.Pod, since metav1.Time, n int32, last corev1.ContainerStateTerminated) {
	last.FinishedAt = metav1.Time{Time: Now.Add(-2 * time.Minute)}
	unready(p, since, corev1.ContainerStatus{
		RestartCount:         n,
		State:                corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}},
		LastTerminationState: corev1.ContainerState{Terminated: &last},
	})
}

func unready(p *corev1.Pod, since metav1.Time, c corev1.ContainerStatus) {
	main := &p.Spec.Containers[0]
	if c.Name = main.Name; main.Image == "" {
		main.Image = "shop/edge:1.9"
	}
	p.Status.StartTime = &since
	p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionFalse, LastTransitionTime: since}}
	others := p.Status.ContainerStatuses
	p.Status.ContainerStatuses = []corev1.ContainerStatus{c}
	if len(others) > 1 {
		p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, others[1:]...)
	}
}

// trouble reads why=, before the object's labels are.
func (o *object) trouble() func(*corev1.Pod) {
	text, ok := o.take("why")
	if !ok {
		return func(*corev1.Pod) {}
	}
	text, count, _ := strings.Cut(text, "×")
	name, age, _ := strings.Cut(text, "@")
	apply, known := troubles[name]
	if !known {
		panic(fmt.Sprintf("why=%s: no such trouble", text))
	}
	o.words["since"] = age
	since := o.ago("since", 0)
	n, err := strconv.ParseInt("0"+count, 10, 32)
	if err != nil {
		panic(err)
	}
	return func(p *corev1.Pod) { apply(p, since, int32(n)) }
}
