package cluster

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/eviction"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/places"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// defaultGrace is what the API server sets as terminationGracePeriodSeconds.
const defaultGrace = 30

// deletePod makes the pod terminate, as the API server does with a DELETE
// (CheckGracefulDelete in pkg/registry/core/pod/strategy.go, v1.37.1).
func deletePod(m *Model, namespace, name string) {
	p, ok := GetPod(m, namespace, name)
	if !ok || p.DeletionTimestamp != nil {
		return
	}
	grace := int64(defaultGrace)
	switch {
	case p.Spec.NodeName == "", view.Ended(p): // no kubelet to wait for
		grace = 0
	case p.Spec.TerminationGracePeriodSeconds != nil:
		grace = *p.Spec.TerminationGracePeriodSeconds
	}
	at := metav1.Time{Time: m.stamp().Add(time.Duration(grace) * time.Second)}
	p.DeletionTimestamp, p.DeletionGracePeriodSeconds = &at, &grace
	m.Put(view.Pods, p)
	if m.onLostNode(p) && grace > 0 {
		m.finishDeletion(p)
		return
	}
	if grace > 0 {
		m.Note(decision.Ruled(WholeGracePeriod))
	}
	leave(m, p, time.Duration(grace)*time.Second)
}

// leave lets a terminating pod go after d. Finalizers keep it, as none is taken to be
// removed; its kubelet is done with it all the same, and ends its grace period.
func leave(m *Model, p *corev1.Pod, d time.Duration) {
	held := len(p.Finalizers) > 0
	if held {
		m.Note(decision.Ruled(FinalizersStay))
	}
	namespace, name, uid := p.Namespace, p.Name, p.UID
	m.After(d, func() {
		now, ok := GetPod(m, namespace, name)
		if !ok || now.UID != uid {
			return
		}
		m.freed = true
		if held {
			m.release(now)
			now.DeletionGracePeriodSeconds = new(int64(0))
			m.Put(view.Pods, now)
			return
		}
		m.Drop(view.Pods, now)
		m.charge(now, -1)
		m.dropClaims(now)
		m.lacks.reattach(m)
		m.places.vacate(m, now)
	})
}

// overdue is how long after its grace period a Pod that is being deleted may still be
// there because the kubelet is about to remove it.
const overdue = 30 * time.Second

// BeginPods schedules what happens to pods that are there at the start: those that
// start become ready in time, those that terminate go. since is from when on a
// pod has been starting; nil for its creation.
func BeginPods(m *Model, pods []*corev1.Pod, since func(*corev1.Pod) time.Time) {
	count := m.begun
	m.failing = append(m.failing, failures(pods)...)
	m.lacks.look(m, pods)
	m.rejected.look(m, pods)
	for _, p := range pods {
		if n, often := restartsOften(p, m.Now()); often {
			m.Note(decision.Ruled(RestartsEnd, decision.F(keyPod, p.Name), decision.F(keyRestarts, n)))
		}
		from := p.CreationTimestamp.Time
		if since != nil {
			from = since(p)
		}
		left := from.Add(m.ReadyAfter()).Sub(m.Now())
		evicted := m.evict(p)
		if keptOff(p) {
			m.nodes.kept = append(m.nodes.kept, p)
		}
		switch {
		case p.DeletionTimestamp != nil:
			m.finishDeletion(p)
		case view.Ended(p) || podReady(p):
		case places.CrowdedOut(p):
			m.places.crowded = append(m.places.crowded, p)
			m.places.wait(m, p)
		case m.onLostNode(p):
			if !evicted {
				count[LostNodesStay]++
			}
		case m.rejected.takes(m, p):
		case unscheduled(p) != nil && m.classless(p):
			m.unclassed = append(m.unclassed, p)
		case m.lacks.awaits(m, p):
		case left > 0 && hindered(p):
			count[HinderedStay]++
			m.broken[key(p)] = assumed{p.UID, HinderedStay}
		case left > 0:
			if unscheduled(p) != nil {
				count[ClaimsFollow]++
			}
			ready(m, p, left)
		case -left <= max(m.ReadyAfter(), lateness) && starting(p):
			count[LateStart]++
			ready(m, p, m.ReadyAfter())
		default:
			count[UnreadyStay]++
			m.broken[key(p)] = assumed{p.UID, UnreadyStay}
		}
	}
	if len(m.places.crowded) > 0 {
		m.leaveElsewhere(pods)
	}
	for _, rule := range []string{UnreadyStay, LateStart, LostNodesStay, HinderedStay, ClaimsFollow} {
		if count[rule] > 0 {
			m.renote(decision.Ruled(rule, decision.F(keyPods, count[rule]), decision.F(keyAfter, m.ReadyAfter().String())))
		}
	}
}

// Reached notes how many of the Pods that are assumed to stay unready do so only until they are
// updated or deleted: those that are ready now, or gone.
func (m *Model) Reached() {
	updated, deleted := map[string]int{}, map[string]int{}
	for k, of := range m.broken {
		switch p, there := GetPod(m, k.Namespace, k.Name); {
		case !there || p.UID != of.uid || p.DeletionTimestamp != nil:
			deleted[of.rule]++
		case podReady(p):
			updated[of.rule]++
		}
	}
	for i, n := range m.notes {
		facts := n.Facts
		if count := updated[n.Rule]; count > 0 {
			facts = append(facts, decision.F(keyUpdated, count))
		}
		if count := deleted[n.Rule]; count > 0 {
			facts = append(facts, decision.F(keyDeleted, count))
		}
		m.notes[i] = decision.Ruled(n.Rule, facts...)
	}
}

// evict lets the taints of its node delete a Pod when its toleration ends, and reports whether
// they do. A deletion that is overdue is none to count on.
func (m *Model) evict(p *corev1.Pod) bool {
	e := eviction.Of(m.nodeOf(p), p, m.Now())
	if e == nil || e.TolerationSeconds == nil || p.DeletionTimestamp != nil || view.Ended(p) {
		return false
	}
	within := time.Duration(*e.TolerationSeconds) * time.Second // at most, where it began at an unknown time
	if !e.At.IsZero() {
		within = e.At.Sub(m.Now())
	}
	if within < -overdue {
		return false
	}
	m.begun[TaintsDelete]++
	m.evictedIn = max(m.evictedIn, within)
	m.renote(decision.Ruled(TaintsDelete, decision.F(keyPods, m.begun[TaintsDelete]), decision.F(keyAfter, format.Seconds(m.evictedIn))))
	namespace, name, uid := p.Namespace, p.Name, p.UID
	m.After(max(within, 0), func() {
		if now, ok := GetPod(m, namespace, name); ok && now.UID == uid {
			deletePod(m, namespace, name)
		}
	})
	return true
}

// lateness is how much longer than others a Pod may take to become ready before it is
// assumed not to, if others take less than that.
const lateness = time.Minute

// starting reports whether nothing is known that keeps a Pod from becoming ready.
func starting(p *corev1.Pod) bool {
	return p.Spec.NodeName != "" && unscheduled(p) == nil && !failed(p)
}

// hindered reports whether the scheduler found no node for a Pod, or a container of it fails.
// A volume claim that is missing or not bound yet is no hindrance: the controller or a
// provisioner may be about to see to it.
func hindered(p *corev1.Pod) bool {
	c := unscheduled(p)
	return c != nil && !ofClaims(c.Message) || failed(p)
}

// keptOff reports whether the scheduler keeps a Pod off all nodes, whoever goes: neither for
// what is on them nor for its volume claims.
func keptOff(p *corev1.Pod) bool {
	message, waits := places.Unschedulable(p)
	return waits && !ofClaims(message) && !places.CrowdedOut(p)
}

// ofClaims reports whether the scheduler speaks of volume claims.
func ofClaims(message string) bool {
	return strings.Contains(strings.ToLower(message), "persistentvolumeclaim")
}

// unscheduled is the condition that the scheduler found no node, nil without.
//
//go:noinline // it is called at many places
func unscheduled(p *corev1.Pod) *corev1.PodCondition {
	if c := view.Condition(p, corev1.PodScheduled); c != nil && c.Status == corev1.ConditionFalse {
		return c
	}
	return nil
}

// fails reports whether a container ended with an error, or waits for something other
// than its start.
func fails(s corev1.ContainerStatus) bool {
	for _, ended := range []*corev1.ContainerStateTerminated{s.State.Terminated, s.LastTerminationState.Terminated} {
		if ended != nil && ended.ExitCode != 0 {
			return true
		}
	}
	return s.State.Waiting != nil && !slices.Contains([]string{"", "ContainerCreating", "PodInitializing"}, s.State.Waiting.Reason)
}

// finishDeletion lets a Pod go that is being deleted at the start, unless nothing ends
// its deletion.
func (m *Model) finishDeletion(p *corev1.Pod) {
	within, stays := m.removal(p)
	if stays != "" {
		m.stuck = append(m.stuck, p.Name+stays)
		return
	}
	leave(m, p, within)
}

// removal is when a Pod that is being deleted at the start is gone, or how it stays: its
// node does not answer, or its grace period is over for long.
func (m *Model) removal(p *corev1.Pod) (within time.Duration, stays string) {
	left := p.DeletionTimestamp.Sub(m.Now())
	switch {
	case m.onAbsentNode(p):
		return ofAbsent, ""
	case m.onLostNode(p):
		return m.stranded(p)
	case left > 0:
		return left, ""
	case left > -overdue:
		return left + overdue, ""
	case len(p.Finalizers) > 0:
		return 0, " stays Terminating with a finalizer"
	}
	return 0, " stays Terminating"
}

// leaveElsewhere lets go what is being deleted beside the Pods of the start, which wait for
// such places, as far as it was read.
func (m *Model) leaveElsewhere(pods []*corev1.Pod) {
	for _, obj := range m.In(view.Pods, pods[0].Namespace) {
		if obj.GetDeletionTimestamp() == nil || slices.ContainsFunc(pods, func(p *corev1.Pod) bool { return p.Name == obj.GetName() }) {
			continue
		}
		p, whole := view.Decoded(obj).(*corev1.Pod)
		if !whole || p.Spec.NodeName == "" || len(p.Finalizers) > 0 {
			continue
		}
		if within, stays := m.removal(p); stays == "" {
			leave(m, p, within)
		}
	}
}

// ofAbsent is how long the Pod garbage collector takes at most to delete Pods whose node does
// not exist, and outOfService those that are being deleted on a node that is out of service
// (pkg/controller/podgc/gc_controller.go gcCheckPeriod and quarantineTime, v1.37.1).
const (
	ofAbsent     = 80 * time.Second
	outOfService = 20 * time.Second
)

// stranded is removal for a node that does not answer, which keeps a Pod unless it is out of
// service.
func (m *Model) stranded(p *corev1.Pod) (within time.Duration, stays string) {
	if view.OutOfService(m.nodeOf(p)) {
		return outOfService, ""
	}
	return 0, " stays Terminating on NotReady node " + p.Spec.NodeName
}

// Stuck says of each Pod that is being deleted, and is not removed, so.
func (m *Model) Stuck() []string { return m.stuck }

// Freed reports whether a Pod is gone that was there, or was created: what it used is
// free for others.
func (m *Model) Freed() bool { return m.freed }

// onLostNode reports whether the kubelet of a Pod's node is known not to answer.
func (m *Model) onLostNode(p *corev1.Pod) bool {
	n := m.nodeOf(p)
	return n != nil && slices.ContainsFunc(n.Status.Conditions, func(c corev1.NodeCondition) bool {
		return c.Type == corev1.NodeReady && c.Status != corev1.ConditionTrue
	})
}

// onAbsentNode reports whether the node of a Pod of the start is known not to exist.
func (m *Model) onAbsentNode(p *corev1.Pod) bool {
	absent, certain := m.view.Absent(view.Need{Kind: view.Nodes, Name: p.Spec.NodeName, Detail: view.Full})
	return absent && certain
}

// nodeOf is the node of a Pod, nil where it is not known.
//
//go:noinline // it is called at many places
func (m *Model) nodeOf(p *corev1.Pod) *corev1.Node {
	obj, _ := m.Get(view.Nodes, "", p.Spec.NodeName)
	n, _ := obj.(*corev1.Node)
	return n
}

// Unserved reports whether a Pod is on no node, or on one that does not answer.
func (m *Model) Unserved(namespace, name string) bool {
	obj, _ := m.Get(view.Pods, namespace, name)
	p, found := obj.(*corev1.Pod)
	return found && m.unserved(p)
}

func (m *Model) unserved(p *corev1.Pod) bool { return p.Spec.NodeName == "" || m.onLostNode(p) }

// podReady reports whether the pod's condition Ready is True.
func podReady(p *corev1.Pod) bool {
	ready, _ := view.Readiness(p)
	return ready
}

// longest is how long a start can take to count as one: a pod that became ready
// later than this did so again.
const longest = time.Hour

// PodStartUp is how long a pod took to become ready since its creation. A pod with
// restarts became ready again since, which tells nothing.
func PodStartUp(p *corev1.Pod) (time.Duration, bool) {
	for _, s := range p.Status.ContainerStatuses {
		if s.RestartCount > 0 {
			return 0, false
		}
	}
	return PodReadySince(p, p.CreationTimestamp.Time)
}

// PodReadySince is how long after an instant a pod that is ready became so.
func PodReadySince(p *corev1.Pod, since time.Time) (time.Duration, bool) {
	ready, at := view.Readiness(p)
	if !ready || at.IsZero() || since.IsZero() || at.Before(since) {
		return 0, false
	}
	took := at.Sub(since)
	return took, took <= longest
}
