package cluster

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/events"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/places"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// lack is what keeps a Pod of the start from starting, whatever its image: an object that is
// not there, by its kind as messages name it, or a volume claim that is attached elsewhere.
type lack struct {
	pod        *corev1.Pod
	kind, name string
	attached   bool
}

// lacks are those of the Pods of the start, and the Pods that wait for a volume which is
// attached elsewhere; these do not use it yet.
type lacks struct {
	all   []lack
	waits []*corev1.Pod
	idle  map[types.UID]bool
}

// look finds those of Pods that are not ready, as their status and their events say.
func (s *lacks) look(m *Model, pods []*corev1.Pod) {
	if len(pods) == 0 {
		return
	}
	mounts := m.failedMounts(pods[0].Namespace)
	for _, p := range pods {
		if view.Ended(p) || p.DeletionTimestamp != nil || podReady(p) {
			continue
		}
		for _, message := range said(p, mounts) {
			if kind, name := events.Absent(message); name != "" {
				s.lack(lack{pod: p, kind: kind, name: name})
			}
			if volume := events.AttachedElsewhere(message); volume != "" {
				s.attached(m, p, volume)
			}
		}
	}
}

// lack notes an object that is not there, once for all Pods that need it.
func (s *lacks) lack(l lack) {
	known := slices.ContainsFunc(s.all, func(k lack) bool {
		return !k.attached && k.kind == l.kind && k.name == l.name && k.pod.Namespace == l.pod.Namespace
	})
	if !known {
		s.all = append(s.all, l)
	}
}

// attached finds the claims of a Pod with a volume that is attached elsewhere.
func (s *lacks) attached(m *Model, p *corev1.Pod, volume string) {
	for _, name := range view.ClaimsOf(p) {
		obj, _ := m.Get(view.PersistentVolumeClaims, p.Namespace, name)
		if claim, ok := obj.(*corev1.PersistentVolumeClaim); ok && claim.Spec.VolumeName == volume {
			s.all = append(s.all, lack{p, events.Claim, name, true})
		}
	}
}

// said is what the scheduler and the kubelet say of why a Pod does not start.
func said(p *corev1.Pod, mounts []*corev1.Event) []string {
	message, _ := places.Unschedulable(p)
	says, waits := []string{message}, false
	for _, all := range [][]corev1.ContainerStatus{p.Status.InitContainerStatuses, p.Status.ContainerStatuses} {
		for i := range all {
			if w := all[i].State.Waiting; waitsForOthers(w) {
				says, waits = append(says, w.Message), true
			}
		}
	}
	for _, e := range mounts {
		if waits && e.InvolvedObject.UID == p.UID {
			says = append(says, e.Message)
		}
	}
	return says
}

// failedMounts are the events of a namespace about volumes that Pods don't get.
func (m *Model) failedMounts(namespace string) (all []*corev1.Event) {
	for _, obj := range m.In(view.Events, namespace) {
		if e, ok := view.Decoded(obj).(*corev1.Event); ok && (e.Reason == "FailedMount" || e.Reason == "FailedAttachVolume") {
			all = append(all, e)
		}
	}
	return all
}

// takes reports whether a Pod needs what one of the start lacks, and puts that on record.
func (s *lacks) takes(m *Model, p *corev1.Pod) bool {
	i := slices.IndexFunc(s.all, func(l lack) bool {
		if l.pod.Namespace != p.Namespace || !refers(p, l.kind, l.name) {
			return false
		}
		_, held := m.Get(view.PersistentVolumeClaims, p.Namespace, l.name)
		return l.kind != events.Claim || !held || l.attached && s.inUse(m, p, l.name, l.pod.Name)
	})
	if i < 0 {
		return m.lost(p)
	}
	l := s.all[i]
	if l.attached {
		s.wait(m, l, p)
		return true
	}
	m.Note(decision.Ruled(AlikeFail, decision.F(keyPod, l.pod.Name), decision.F(keyReason, l.needed())))
	return true
}

// lost reports whether a Pod that has no node yet needs a claim whose volume is gone, so that the
// scheduler finds none for it, and puts that on record.
func (m *Model) lost(p *corev1.Pod) bool {
	if p.Spec.NodeName != "" && !strings.HasPrefix(p.Spec.NodeName, madeUp) {
		return false
	}
	for _, name := range view.ClaimsOf(p) {
		obj, _ := m.Get(view.PersistentVolumeClaims, p.Namespace, name)
		if claim, ok := obj.(*corev1.PersistentVolumeClaim); ok && claim.Status.Phase == corev1.ClaimLost {
			m.Note(decision.Ruled(LostStay, decision.F(keyReason, name)))
			return true
		}
	}
	return false
}

// awaits reports whether a Pod of the start waits for a volume that is attached to the node of
// another Pod, and puts that on record.
func (s *lacks) awaits(m *Model, p *corev1.Pod) bool {
	i := slices.IndexFunc(s.all, func(l lack) bool { return l.attached && l.pod.UID == p.UID && s.inUse(m, p, l.name, "") })
	if i >= 0 {
		s.wait(m, s.all[i], p)
	}
	return i >= 0
}

// shared reports whether a Pod needs a claim that only one Pod may use, and that another one
// uses. Of a claim that the Pods of one node may use, it puts on record that a new Pod gets
// that node.
func (s *lacks) shared(m *Model, p *corev1.Pod) bool {
	for _, name := range view.ClaimsOf(p) {
		obj, _ := m.Get(view.PersistentVolumeClaims, p.Namespace, name)
		claim, ok := obj.(*corev1.PersistentVolumeClaim)
		if !ok || !s.inUse(m, p, name, "") {
			continue
		}
		switch modes := claim.Spec.AccessModes; {
		case slices.Contains(modes, corev1.ReadWriteOncePod):
			s.wait(m, lack{kind: events.Claim, name: name}, p)
			return true
		case len(modes) == 1 && modes[0] == corev1.ReadWriteOnce && strings.HasPrefix(p.Spec.NodeName, madeUp):
			m.Note(decision.Ruled(VolumesShared, decision.F(keyReason, name)))
		}
	}
	return false
}

// inUse reports whether a Pod other than p and another one uses a claim that p needs: those
// that wait for a volume do not yet.
//
//go:noinline // it is called at many places
func (s *lacks) inUse(m *Model, p *corev1.Pod, claim, other string) bool {
	return m.claimKept(p.Namespace, claim, func(by *corev1.Pod) bool { return s.idle[by.UID] || by.Name == p.Name || by.Name == other })
}

// wait lets a Pod wait for a volume until it is no longer attached elsewhere.
func (s *lacks) wait(m *Model, l lack, p *corev1.Pod) {
	if s.idle == nil {
		s.idle = map[types.UID]bool{}
	}
	s.waits, s.idle[p.UID] = append(s.waits, p), true
	m.Note(decision.Ruled(AlikeFail, decision.F(keyReason, l.needed())))
}

// needed is what Pods need that one lacks.
func (l lack) needed() string { return events.Referred[l.kind] + " " + l.name }

// reattach lets Pods start that wait for a volume which was attached elsewhere.
func (s *lacks) reattach(m *Model) {
	waits := s.waits
	s.waits = nil
	for _, w := range waits {
		if p, ok := GetPod(m, w.Namespace, w.Name); ok && p.UID == w.UID && p.DeletionTimestamp == nil {
			m.begin(p)
		}
	}
}

// refers reports whether a Pod can't start without an object: it reads it, or mounts it
// (pkg/api/v1/pod/util.go VisitPodSecretNames and VisitPodConfigmapNames, v1.37.1).
func refers(p *corev1.Pod, kind, name string) bool {
	if kind == events.Claim {
		return slices.Contains(view.ClaimsOf(p), name)
	}
	if mounts(p.Spec.Volumes, kind, name) {
		return true
	}
	for _, all := range [][]corev1.Container{p.Spec.InitContainers, p.Spec.Containers} {
		for i := range all {
			if reads(&all[i], kind, name) {
				return true
			}
		}
	}
	return false
}

func mounts(all []corev1.Volume, kind, name string) bool {
	for i := range all {
		c, s := all[i].ConfigMap, all[i].Secret
		if c != nil && kind == configMap && c.Name == name && !ptr.Deref(c.Optional, false) || s != nil && kind == secret && s.SecretName == name && !ptr.Deref(s.Optional, false) {
			return true
		}
	}
	return false
}

func reads(c *corev1.Container, kind, name string) bool {
	for i := range c.EnvFrom {
		from := &c.EnvFrom[i]
		switch {
		case from.ConfigMapRef != nil && kind == configMap && from.ConfigMapRef.Name == name && !ptr.Deref(from.ConfigMapRef.Optional, false),
			from.SecretRef != nil && kind == secret && from.SecretRef.Name == name && !ptr.Deref(from.SecretRef.Optional, false):
			return true
		}
	}
	for i := range c.Env {
		from := c.Env[i].ValueFrom
		switch {
		case from == nil:
		case from.ConfigMapKeyRef != nil && kind == configMap && from.ConfigMapKeyRef.Name == name && !ptr.Deref(from.ConfigMapKeyRef.Optional, false),
			from.SecretKeyRef != nil && kind == secret && from.SecretKeyRef.Name == name && !ptr.Deref(from.SecretKeyRef.Optional, false):
			return true
		}
	}
	return false
}

// configMap and secret are these kinds as messages name them.
const (
	configMap = "configmap"
	secret    = "secret"
)
