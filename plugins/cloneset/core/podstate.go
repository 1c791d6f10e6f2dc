package core

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// PodState is a claimed pod with what the controller asks of it, found once.
type PodState struct {
	*Looked
	// Updated: it carries the update revision; Counted: it counts as updated
	// when scaling (IsPodUpdate of pkg/util/revision/revision.go, v1.9.1).
	Updated, Counted bool
	// Specified: it is named for deletion.
	Specified bool
	// Ready and Available are IsPodUpdateReady and IsPodAvailable with
	// minReadySeconds, ReadyNow is isPodReady (cloneset_sync_utils.go, v1.9.1).
	Ready, ReadyNow, Available bool
	// Class is that of the update queue: pods of one class tie.
	Class int
	// Written: this sync has written its status, so that its copy is an old one.
	Written bool
	// Opened: this sync has set its condition InPlaceUpdateReady.
	Opened bool
}

// Looked is what is asked of the Pod alone: the same as long as it does not change.
type Looked struct {
	Pod      *corev1.Pod
	Ref      decision.Ref
	Revision string
	State    string
	ID       string
	// Grace is its annotation of a grace period; Record is that of an update in place,
	// if one has Begun.
	Grace, Record string
	Begun         bool
	// UpToDate: the containers run what was to be updated in place; Unsure is why that
	// cannot be told. A sync finds out both, by its release, and Look neither.
	UpToDate bool
	Unsure   string
	// Marked: a label names it for deletion; Hashed: it has the label with the hash of its
	// template.
	Marked, Hashed bool
	// Adopted: it has no controller, so that the sync makes it the set's own.
	Adopted bool
	// Shut: its readiness gate for updates in place is to be opened.
	Shut bool
	// PodReady is the condition Ready alone, and since when it is True.
	PodReady   bool
	ReadySince time.Time
	// running: its phase; updating: its condition InPlaceUpdateReady is not True.
	running, updating bool
}

// Look finds that out of a Pod, which ref names.
func Look(p *corev1.Pod, ref decision.Ref) *Looked {
	m := &Looked{
		Pod: p, Ref: ref,
		Revision: p.Labels[kruise.RevisionLabel], State: p.Labels[kruise.StateLabel], ID: p.Labels[api.InstanceLabel],
		Grace: kruise.Annotation(p, kruise.GraceAnnotation, kruise.OldGrace), running: p.Status.Phase == corev1.PodRunning,
	}
	m.Adopted = metav1.GetControllerOfNoCopy(p) == nil
	m.Record, m.Begun = kruise.Lookup(p, kruise.UpdateAnnotation, kruise.OldUpdate)
	_, m.Marked = p.Labels[api.SpecifiedLabel]
	_, m.Hashed = p.Labels[api.TemplateHashLabel]
	m.PodReady, m.ReadySince = kruise.Ready(p)
	c := kruise.InPlaceCondition(p)
	m.updating = c != nil && c.Status != corev1.ConditionTrue
	m.Shut = kruise.HasGate(p, kruise.InPlaceReady) && (c == nil || m.updating || c.Reason != "" || c.Message != "")
	return m
}

// Judge finds out how ready the pod is.
func (m *PodState) Judge(minReady int32, now time.Time) {
	settled := m.State == "" || m.State == kruise.Normal
	m.Ready = m.updateReady(0, now)
	m.ReadyNow = settled && m.Ready
	m.Available = settled && m.updateReady(minReady, now)
}

// updateReady mirrors IsPodUpdateReady of core/cloneset_core.go: Running, Ready
// for longer than minReady, and not in the middle of an in-place update.
func (m *PodState) updateReady(minReady int32, now time.Time) bool {
	if !m.running || !m.PodReady {
		return false
	}
	wait := time.Duration(minReady) * time.Second
	if minReady != 0 && (m.ReadySince.IsZero() || !m.ReadySince.Add(wait).Before(now)) {
		return false
	}
	return m.Opened || !m.updating
}

// Carries reports whether the pod's label is of a revision.
//
//go:noinline // it is called at many places
func (m *PodState) Carries(revision string) bool { return kruise.SameHash(m.Revision, revision) }

// GroupPods counts the pods for CalculateDiffs; byLabel counts as the update does, by
// the revision label alone.
//
//go:noinline // it is called at many places
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
