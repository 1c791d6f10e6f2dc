package cluster

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// PodOf is the Pod that controllers send for a template (GetPodFromTemplate of
// pkg/controller/controller_utils.go, v1.37.1). It shares the template's maps.
//
//go:noinline // it is large, and called at several places
func PodOf(namespace, prefix string, t *corev1.PodTemplateSpec, owner metav1.OwnerReference) *corev1.Pod {
	return &corev1.Pod{Spec: t.Spec, ObjectMeta: metav1.ObjectMeta{
		Namespace: namespace, GenerateName: prefix, Labels: t.Labels, Annotations: t.Annotations, Finalizers: t.Finalizers,
		OwnerReferences: []metav1.OwnerReference{owner},
	}}
}

// madeUp begins the name of a node that is made up.
const madeUp = "<node of "

// launch stores a new Pod, which quotas count, on a node of its own, unless there is none
// for those like it.
func (m *Model) launch(p *corev1.Pod) {
	if p.Labels == nil {
		p.Labels = map[string]string{}
	}
	p.Status.Phase = corev1.PodPending
	like, full := m.places.crowdedOut(p)
	why := ""
	if !full {
		why = m.nodes.misfit(m.view, p)
	}
	switch {
	case full:
		p.Status.Conditions = append(p.Status.Conditions, *view.Condition(like, corev1.PodScheduled))
	case why != "":
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{
			Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable, Message: why, LastTransitionTime: m.stamp(),
		})
	default:
		m.nodes.beside(m.places.crowded)
		place(p)
	}
	m.Put(view.Pods, p)
	m.charge(p, 1)
	if why != "" {
		m.Note(decision.Ruled(NoNodeFits, decision.F(keyReason, why)))
		return
	}
	if full {
		m.places.wait(m, p)
		m.places.seat(m)
		return
	}
	m.begin(p)
}

// place binds the Pod to a node of its own.
func place(p *corev1.Pod) { p.Spec.NodeName = fmt.Sprintf("%s%s>", madeUp, p.Name) }

// begin lets a Pod on a node become ready in time, unless those like it fail.
func (m *Model) begin(p *corev1.Pod) {
	delete(m.lacks.idle, p.UID)
	if !m.StaysUnready(p) && !m.lacks.shared(m, p) {
		ready(m, p, m.ReadyAfter())
	}
}

// ready lets the pod's containers be up after d, if it is still there then.
func ready(m *Model, p *corev1.Pod, d time.Duration) {
	if LaunchBatchesOf(p) > 1 {
		m.Note(decision.Ruled(LaunchBatches))
	}
	LaterPod(m, p, d, func(p *corev1.Pod) { PodUp(m, p) })
}

// LaterPod changes the pod after d, if it is still there then and not on its way
// out. It hands a copy to change.
func LaterPod(m *Model, p *corev1.Pod, d time.Duration, change func(*corev1.Pod)) {
	namespace, name, uid := p.Namespace, p.Name, p.UID
	m.After(d, func() {
		if now, ok := GetPod(m, namespace, name); ok && now.UID == uid && now.DeletionTimestamp == nil {
			change(now)
			m.Put(view.Pods, now)
		}
	})
}

// GetPod is a copy of the pod as it is now.
func GetPod(m *Model, namespace, name string) (*corev1.Pod, bool) {
	obj, ok := m.Get(view.Pods, namespace, name)
	if !ok {
		return nil, false
	}
	p, ok := obj.(*corev1.Pod)
	if !ok {
		return nil, false
	}
	return p.DeepCopy(), true
}

// PodUp changes the pod to one on a node whose containers all run and are ready, but for those
// of a broken Pod that were not restarted. Readiness gates that nobody has spoken about are
// taken as opened by whoever does.
func PodUp(m *Model, p *corev1.Pod) {
	if p.Spec.NodeName == "" {
		place(p)
		set(m, p, corev1.PodScheduled, true)
	}
	p.Status.Phase = corev1.PodRunning
	run(p)
	set(m, p, corev1.ContainersReady, !m.unmended(p, false))
	for _, g := range p.Spec.ReadinessGates {
		if view.Condition(p, g.ConditionType) == nil && !ownGate[g.ConditionType] {
			set(m, p, g.ConditionType, true)
		}
	}
	judgePod(m, p)
}

// run reports the containers that nothing was reported of yet.
func run(p *corev1.Pod) {
	for _, c := range p.Spec.Containers {
		if !slices.ContainsFunc(p.Status.ContainerStatuses, func(s corev1.ContainerStatus) bool { return s.Name == c.Name }) {
			p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, corev1.ContainerStatus{Name: c.Name, Image: c.Image, ImageID: "new:" + c.Image, Ready: true})
		}
	}
}

// ownGate are gates that the target's own controller opens in a later sync.
var ownGate = map[corev1.PodConditionType]bool{"InPlaceUpdateReady": true}

// judgePod sets the pod's condition Ready as the kubelet does: its containers are
// ready and all of its gates are open.
func judgePod(m *Model, p *corev1.Pod) {
	up := view.Condition(p, corev1.ContainersReady)
	ready := up != nil && up.Status == corev1.ConditionTrue
	for _, g := range p.Spec.ReadinessGates {
		c := view.Condition(p, g.ConditionType)
		ready = ready && c != nil && c.Status == corev1.ConditionTrue
	}
	set(m, p, corev1.PodReady, ready)
}

// SetPodCondition sets a condition of the pod, and Ready with it.
func SetPodCondition(m *Model, p *corev1.Pod, t corev1.PodConditionType, on bool) {
	vouch(p)
	set(m, p, t, on)
	judgePod(m, p)
}

// vouch fills in what files may lack: a ready pod's containers are ready.
func vouch(p *corev1.Pod) {
	if r := view.Condition(p, corev1.PodReady); r != nil && r.Status == corev1.ConditionTrue && view.Condition(p, corev1.ContainersReady) == nil {
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: corev1.ContainersReady, Status: corev1.ConditionTrue, LastTransitionTime: r.LastTransitionTime})
	}
}

func set(m *Model, p *corev1.Pod, t corev1.PodConditionType, on bool) {
	status := corev1.ConditionFalse
	if on {
		status = corev1.ConditionTrue
	}
	c := view.Condition(p, t)
	if c == nil {
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: t})
		c = &p.Status.Conditions[len(p.Status.Conditions)-1]
	}
	if c.Status != status {
		*c = corev1.PodCondition{Type: t, Status: status, LastTransitionTime: m.stamp()}
	}
}
