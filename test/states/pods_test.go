package states

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

func uidOf(kind string, m metav1.Object) types.UID {
	return types.UID(uid(kind, m.GetNamespace(), m.GetName()))
}

// newPod is a Pod as admission completes it, on no node yet.
func newPod(namespace, name string, spec corev1.PodSpec) *corev1.Pod {
	spec = *spec.DeepCopy()
	defaults(&spec)
	token := "kube-api-access-" + name[max(0, len(name)-5):]
	for i := range spec.Containers {
		spec.Containers[i].VolumeMounts = append(spec.Containers[i].VolumeMounts, corev1.VolumeMount{
			Name: token, ReadOnly: true, MountPath: "/var/run/secrets/kubernetes.io/serviceaccount",
		})
	}
	spec.Volumes = append(spec.Volumes, corev1.Volume{Name: token, VolumeSource: corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{
		DefaultMode: new(int32(420)),
		Sources:     []corev1.VolumeProjection{{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{ExpirationSeconds: new(int64(3607)), Path: "token"}}},
	}}})
	if spec.ServiceAccountName == "" {
		spec.ServiceAccountName = "default"
	}
	spec.DeprecatedServiceAccount = spec.ServiceAccountName
	spec.PreemptionPolicy = new(corev1.PreemptLowerPriority)
	spec.EnableServiceLinks = new(true)
	if spec.Priority == nil {
		spec.Priority = new(int32(0))
	}
	for _, key := range []string{corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable} {
		spec.Tolerations = append(spec.Tolerations, corev1.Toleration{
			Key: key, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute, TolerationSeconds: new(int64(300)),
		})
	}
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}, Spec: spec,
		Status: corev1.PodStatus{Phase: corev1.PodPending, QOSClass: corev1.PodQOSBurstable},
	}
}

// defaults are what the API server writes into a Pod's spec and a template's.
func defaults(spec *corev1.PodSpec) {
	spec.RestartPolicy, spec.DNSPolicy, spec.SchedulerName = corev1.RestartPolicyAlways, corev1.DNSClusterFirst, corev1.DefaultSchedulerName
	spec.TerminationGracePeriodSeconds, spec.SecurityContext = new(int64(30)), &corev1.PodSecurityContext{}
	for _, list := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range list {
			list[i].TerminationMessagePath, list[i].TerminationMessagePolicy = "/dev/termination-log", corev1.TerminationMessageReadFile
			list[i].ImagePullPolicy = corev1.PullIfNotPresent
			if p := list[i].ReadinessProbe; p != nil {
				p.TimeoutSeconds, p.PeriodSeconds, p.SuccessThreshold, p.FailureThreshold = 1, 10, 1, 3
			}
		}
	}
}

// set sets a condition of a Pod.
func set(p *corev1.Pod, kind corev1.PodConditionType, status corev1.ConditionStatus, reason, message string, since time.Duration) {
	for i := range p.Status.Conditions {
		if c := &p.Status.Conditions[i]; c.Type == kind {
			c.Status, c.Reason, c.Message, c.LastTransitionTime = status, reason, message, ago(since)
			return
		}
	}
	p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{
		Type: kind, Status: status, Reason: reason, Message: message, LastTransitionTime: ago(since), ObservedGeneration: 1,
	})
}

// runs puts a Pod on a node, where all of its containers are ready since a while.
func runs(p *corev1.Pod, node string, since time.Duration) {
	placed(p, node, since)
	for _, kind := range []corev1.PodConditionType{corev1.PodInitialized, corev1.PodReady, corev1.ContainersReady} {
		set(p, kind, corev1.ConditionTrue, "", "", since)
	}
	p.Status.Phase, p.Status.ContainerStatuses, p.Status.InitContainerStatuses = corev1.PodRunning, nil, nil
	for _, c := range p.Spec.InitContainers {
		s := statusOf(p, c)
		s.Ready, s.Started = true, new(false)
		s.State.Terminated = &corev1.ContainerStateTerminated{Reason: "Completed", StartedAt: ago(since + 4*time.Second), FinishedAt: ago(since + 2*time.Second), ContainerID: s.ContainerID}
		p.Status.InitContainerStatuses = append(p.Status.InitContainerStatuses, s)
	}
	for _, c := range p.Spec.Containers {
		s := statusOf(p, c)
		s.Ready, s.Started, s.State.Running = true, new(true), &corev1.ContainerStateRunning{StartedAt: ago(since + time.Second)}
		p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, s)
	}
}

// placed puts a Pod on a node, where nothing of it has started yet.
func placed(p *corev1.Pod, node string, since time.Duration) {
	p.Spec.NodeName, p.Status.StartTime = node, new(ago(since))
	p.Status.HostIP, p.Status.PodIP = "10.0.0."+node[len(node)-1:], fmt.Sprintf("10.244.%s.%d", node[len(node)-1:], 10+len(p.Name))
	p.Status.Conditions = nil
	set(p, corev1.PodReadyToStartContainers, corev1.ConditionTrue, "", "", since)
	set(p, corev1.PodInitialized, corev1.ConditionTrue, "", "", since)
	set(p, corev1.PodScheduled, corev1.ConditionTrue, "", "", since)
	unready(p, since)
	for _, c := range p.Spec.Containers {
		p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, corev1.ContainerStatus{
			Name: c.Name, Image: c.Image, Started: new(false),
			State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ContainerCreating"}},
		})
	}
}

func statusOf(p *corev1.Pod, c corev1.Container) corev1.ContainerStatus {
	id := uid("container", p.Name, c.Name)
	return corev1.ContainerStatus{Name: c.Name, Image: c.Image, ImageID: "registry.example.com/" + c.Image + "@sha256:" + id, ContainerID: "containerd://" + id}
}

// unready are the conditions of a Pod whose containers are not ready since a while.
func unready(p *corev1.Pod, since time.Duration) {
	message := fmt.Sprintf("containers with unready status: [%s]", p.Spec.Containers[0].Name)
	set(p, corev1.PodReady, corev1.ConditionFalse, "ContainersNotReady", message, since)
	set(p, corev1.ContainersReady, corev1.ConditionFalse, "ContainersNotReady", message, since)
}

// unscheduled is what the scheduler writes of a Pod for which it finds no node.
func unscheduled(p *corev1.Pod, message string, since time.Duration) {
	p.Spec.NodeName = ""
	p.Status = corev1.PodStatus{Phase: corev1.PodPending, QOSClass: p.Status.QOSClass}
	set(p, corev1.PodScheduled, corev1.ConditionFalse, corev1.PodReasonUnschedulable, message, since)
}

// waits is a Pod whose first container has not started since a while.
func waits(p *corev1.Pod, reason, message string, since time.Duration) {
	p.Status = corev1.PodStatus{QOSClass: p.Status.QOSClass}
	placed(p, p.Spec.NodeName, since)
	p.Status.Phase = corev1.PodPending
	p.Status.ContainerStatuses[0].State.Waiting = &corev1.ContainerStateWaiting{Reason: reason, Message: message}
}

// crashes is a Pod whose first container ends again and again since a while; its last
// run ended two minutes ago.
func crashes(p *corev1.Pod, restarts, exit int32, reason string, since time.Duration) {
	unready(p, since)
	s := &p.Status.ContainerStatuses[0]
	s.Ready, s.Started, s.RestartCount = false, new(false), restarts
	s.State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{
		Reason:  "CrashLoopBackOff",
		Message: fmt.Sprintf("back-off 5m0s restarting failed container=%s pod=%s_%s(%s)", s.Name, p.Name, p.Namespace, uidOf("Pod", p)),
	}}
	s.LastTerminationState.Terminated = &corev1.ContainerStateTerminated{
		ExitCode: exit, Reason: reason, StartedAt: ago(2*minute + 9*time.Second), FinishedAt: ago(2 * minute), ContainerID: s.ContainerID,
	}
}

// restarted is a Pod whose first container has ended often, at last a while ago, and is ready.
func restarted(p *corev1.Pod, restarts, exit int32, reason string, since time.Duration) {
	for _, kind := range []corev1.PodConditionType{corev1.PodReady, corev1.ContainersReady} {
		set(p, kind, corev1.ConditionTrue, "", "", since-2*time.Second)
	}
	s := &p.Status.ContainerStatuses[0]
	s.RestartCount, s.State.Running.StartedAt = restarts, ago(since-time.Second)
	s.LastTerminationState.Terminated = &corev1.ContainerStateTerminated{
		ExitCode: exit, Reason: reason, StartedAt: ago(since + 9*time.Second), FinishedAt: ago(since), ContainerID: s.ContainerID,
	}
}

// failsProbe is a Pod whose first container runs and is not ready since a while.
func failsProbe(p *corev1.Pod, since time.Duration) {
	unready(p, since)
	p.Status.ContainerStatuses[0].Ready = false
}

// deleted is a Pod whose deletion was asked for a while ago.
func deleted(p *corev1.Pod, since time.Duration) {
	grace := *p.Spec.TerminationGracePeriodSeconds
	p.DeletionGracePeriodSeconds, p.DeletionTimestamp = &grace, new(ago(since-time.Duration(grace)*time.Second))
}
