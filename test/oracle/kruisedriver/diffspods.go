package kruisedriver

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	appspub "github.com/openkruise/kruise/apis/apps/pub"
	appsv1alpha1 "github.com/openkruise/kruise/apis/apps/v1alpha1"

	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/kruisedriver/contract"
)

// podMaker makes one pod per kind of pod. Upstream only reads and counts
// them, so that equal pods can be the same.
type podMaker struct {
	pods map[podTraits]*corev1.Pod
}

// podTraits is a contract.PodGroup without its count, comparable.
type podTraits struct {
	contract.PodGroup
	ready    bool
	readyFor int64
}

func newPodMaker() *podMaker { return &podMaker{pods: map[podTraits]*corev1.Pod{}} }

func (m *podMaker) all(groups []contract.PodGroup) []*corev1.Pod {
	var all []*corev1.Pod
	for _, group := range groups {
		count := group.Count
		if count == 0 {
			count = 1
		}
		pod := m.one(group)
		for range count {
			all = append(all, pod)
		}
	}
	return all
}

func (m *podMaker) one(group contract.PodGroup) *corev1.Pod {
	traits := podTraits{PodGroup: group}
	traits.Count, traits.ReadyFor = 0, nil
	if group.ReadyFor != nil {
		traits.ready, traits.readyFor = true, *group.ReadyFor
	}
	pod, ok := m.pods[traits]
	if !ok {
		pod = traits.pod()
		m.pods[traits] = pod
	}
	return pod
}

func (t podTraits) pod() *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "pod", Labels: t.labels()}}
	pod.Status.Phase = corev1.PodRunning
	if t.Phase != "" {
		pod.Status.Phase = corev1.PodPhase(t.Phase)
	}
	if t.ready {
		since := metav1.NewTime(time.Now().Add(-time.Duration(t.readyFor) * time.Second))
		pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: since})
	}
	if t.InPlace != "" {
		pod.Status.Conditions = append(pod.Status.Conditions, corev1.PodCondition{Type: appspub.InPlaceUpdateReady, Status: corev1.ConditionStatus(t.InPlace)})
	}
	return pod
}

func (t podTraits) labels() map[string]string {
	labels := map[string]string{appsv1.ControllerRevisionHashLabelKey: currentRevision}
	if t.Updated {
		labels[appsv1.ControllerRevisionHashLabelKey] = updateRevision
	}
	if t.State != "" {
		labels[appspub.LifecycleStateKey] = t.State
	}
	if t.Specified {
		labels[appsv1alpha1.SpecifiedDeleteKey] = "true"
	}
	return labels
}
