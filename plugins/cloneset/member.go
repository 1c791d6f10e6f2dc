package cloneset

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// member is a claimed pod with what the controller asks of it, found once.
type member struct {
	*corev1.Pod
	ref      decision.Ref
	revision string
	state    string
	id       string
	// updated: it carries the update revision; counted: it counts as updated
	// when scaling (IsPodUpdate of pkg/util/revision/revision.go).
	updated, counted bool
	// specified: it is named for deletion.
	specified bool
	// podReady is the condition alone, ready and available are
	// IsPodUpdateReady and IsPodAvailable with minReadySeconds, readyNow is
	// isPodReady (cloneset_sync_utils.go).
	podReady, ready, readyNow, available bool
	readySince                           time.Time
	// adopted: this sync makes it the set's own.
	adopted bool
	// class is that of the update queue: pods of one class tie.
	class int
	// written: this sync has written its status, so that its copy is an old one.
	written bool
	// opened: this sync has set its condition InPlaceUpdateReady.
	opened bool
}

func (s *sync) members() []*member {
	all := make([]member, len(s.claims.active))
	out := make([]*member, 0, len(all))
	listed := map[string]bool{}
	for _, name := range s.set.Spec.ScaleStrategy.PodsToDelete {
		listed[name] = true
	}
	for i, p := range s.claims.active {
		m := &all[i]
		s.look(m, p)
		m.adopted = metav1.GetControllerOfNoCopy(p) == nil
		_, labelled := p.Labels[api.SpecifiedLabel]
		m.specified = labelled || listed[p.Name]
		out = append(out, m)
	}
	return out
}

// holds tells whether a claimed pod has this name.
func (s *sync) holds(name string) bool { return s.member(name) != nil }

// member is the claimed pod of this name, or nil.
func (s *sync) member(name string) *member {
	i, found := slices.BinarySearchFunc(s.pods, name, func(m *member, name string) int { return strings.Compare(m.Name, name) })
	if !found {
		return nil
	}
	return s.pods[i]
}

// look takes from the pod what is asked of it.
func (s *sync) look(m *member, p *corev1.Pod) {
	*m = member{
		Pod: p, ref: ownership.RefTo(view.Pods, p),
		revision: p.Labels[kruise.RevisionLabel], state: p.Labels[kruise.StateLabel], id: p.Labels[api.InstanceLabel],
	}
	m.updated = m.carries(s.revisions.update.name)
	m.counted = m.updated || s.behaviour.preparingAsUpdate && m.state == kruise.PreparingUpdate
	m.podReady, m.readySince = kruise.Ready(p)
	s.judge(m)
}

// judge finds out how ready the pod is.
func (s *sync) judge(m *member) {
	settled := m.state == "" || m.state == kruise.Normal
	m.ready = m.updateReady(0, s.now)
	m.readyNow = settled && m.ready
	m.available = settled && m.updateReady(s.set.Spec.MinReadySeconds, s.now)
}

// reread mirrors that PatchPodSpecifiedDelete reads the API server's answer
// into the pod that status is counted from: a condition that this sync has set
// before shows there, and nowhere else (pkg/util/specifieddelete, v1.9.1).
func (s *sync) reread(m *member) {
	if m.opened {
		s.judge(m)
	}
}

// updateReady mirrors IsPodUpdateReady of core/cloneset_core.go: Running, Ready
// for longer than minReady, and not in the middle of an in-place update.
func (m *member) updateReady(minReady int32, now time.Time) bool {
	if m.Status.Phase != corev1.PodRunning || !m.podReady {
		return false
	}
	wait := time.Duration(minReady) * time.Second
	if minReady != 0 && (m.readySince.IsZero() || !m.readySince.Add(wait).Before(now)) {
		return false
	}
	c := kruise.Condition(m.Pod, kruise.InPlaceReady)
	return m.opened || c == nil || c.Status == corev1.ConditionTrue
}

func (m *member) carries(revision string) bool { return kruise.SameHash(m.revision, revision) }

// groups counts the members for CalculateDiffs; byLabel counts as the update
// does, by the revision label alone.
func groups(members []*member, byLabel bool) (fresh, old Group) {
	for _, m := range members {
		g := &old
		if m.updated || !byLabel && m.counted {
			g = &fresh
		}
		g.add(m)
	}
	return fresh, old
}

func (g *Group) add(m *member) {
	g.Count++
	if m.state == kruise.PreparingDelete {
		g.PreDeleting++
		return
	}
	g.Active++
	switch {
	case m.specified:
		g.ToDelete++
	case !m.available:
		g.Unavailable++
	}
}
