package core

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// PodState is a claimed pod with what the controller asks of it, found once.
type PodState struct {
	*corev1.Pod
	Ref      decision.Ref
	Revision string
	State    string
	ID       string
	// Updated: it carries the update revision; Counted: it counts as updated
	// when scaling (IsPodUpdate of pkg/util/revision/revision.go).
	Updated, Counted bool
	// Specified: it is named for deletion.
	Specified bool
	// PodReady is the condition alone, Ready and Available are
	// IsPodUpdateReady and IsPodAvailable with minReadySeconds, ReadyNow is
	// isPodReady (cloneset_sync_utils.go).
	PodReady, Ready, ReadyNow, Available bool
	ReadySince                           time.Time
	// Adopted: this sync makes it the set's own.
	Adopted bool
	// Class is that of the update queue: pods of one class tie.
	Class int
	// Written: this sync has written its status, so that its copy is an old one.
	Written bool
	// Opened: this sync has set its condition InPlaceUpdateReady.
	Opened bool
}

// Judge finds out how ready the pod is.
func (m *PodState) Judge(minReady int32, now time.Time) {
	m.PodReady, m.ReadySince = kruise.Ready(m.Pod)
	settled := m.State == "" || m.State == kruise.Normal
	m.Ready = m.updateReady(0, now)
	m.ReadyNow = settled && m.Ready
	m.Available = settled && m.updateReady(minReady, now)
}

// updateReady mirrors IsPodUpdateReady of core/cloneset_core.go: Running, Ready
// for longer than minReady, and not in the middle of an in-place update.
func (m *PodState) updateReady(minReady int32, now time.Time) bool {
	if m.Status.Phase != corev1.PodRunning || !m.PodReady {
		return false
	}
	wait := time.Duration(minReady) * time.Second
	if minReady != 0 && (m.ReadySince.IsZero() || !m.ReadySince.Add(wait).Before(now)) {
		return false
	}
	c := kruise.Condition(m.Pod, kruise.InPlaceReady)
	return m.Opened || c == nil || c.Status == corev1.ConditionTrue
}

// Carries reports whether the pod's label is of a revision.
func (m *PodState) Carries(revision string) bool { return kruise.SameHash(m.Revision, revision) }

// GroupPods counts the pods for CalculateDiffs; byLabel counts as the update does, by
// the revision label alone.
func GroupPods(members []*PodState, byLabel bool) (fresh, old Group) {
	for _, m := range members {
		g := &old
		if m.Updated || !byLabel && m.Counted {
			g = &fresh
		}
		g.add(m)
	}
	return fresh, old
}

func (g *Group) add(m *PodState) {
	g.Count++
	if m.State == kruise.PreparingDelete {
		g.PreDeleting++
		return
	}
	g.Active++
	switch {
	case m.Specified:
		g.ToDelete++
	case !m.Available:
		g.Unavailable++
	}
}
