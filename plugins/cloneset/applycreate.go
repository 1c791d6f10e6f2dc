package cloneset

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

func labelSet(l map[string]string) labels.Set { return l }

// newNames hands out the names of new pods: those of free instance IDs first,
// which of them chance decides when there are more, then made up ones.
func (s *sync) newNames(w *cluster.Model) func() string {
	next := 0
	return func() string {
		for next < len(s.ids.reused) {
			id := s.ids.reused[next]
			next++
			if s.ids.blocked[id] == "" {
				return s.set.GetName() + "-" + id
			}
		}
		return w.NewName(s.set.GetNamespace(), s.set.GetName()+"-")
	}
}

// createPods makes the pods of one creation, with their volume claims.
func (s *sync) createPods(w *cluster.Model, a decision.Action, name func() string) []decision.Action {
	revision, template := s.revisions.update, &s.set.spec.Template
	if a.Facts.Str("revision") != revision.name {
		revision = s.revisions.current
		template = &revision.template.typed
	}
	var done []decision.Action
	for range a.Count {
		p := cluster.NewPod(w, name(), cluster.PodOf(s.set.GetNamespace(), s.set.GetName()+"-", template, s.reference()))
		s.mark(p, revision)
		s.giveLaunchPriorities(p)
		s.createVolumes(w, p)
		cluster.StartPod(w, p)
		one := a
		one.Count, one.Object.Name = 1, p.Name
		if free := len(s.ids.reused); free > s.ids.used && s.ids.used > 0 {
			one.Certainty, one.Choice = decision.Possible, &decision.Choice{K: s.ids.used, N: free}
		}
		done = append(done, one)
	}
	return done
}

// mark mirrors newVersionedPods (core/cloneset_core.go, v1.9.1).
func (s *sync) mark(p *corev1.Pod, r *revision) {
	p.Labels[instanceLabel] = strings.TrimPrefix(p.Name, s.set.GetName()+"-")
	p.Labels[stateLabel] = preparingNormal
	s.revise(p, r)
	if !gated(p, inPlaceReady) {
		p.Spec.ReadinessGates = append(p.Spec.ReadinessGates, corev1.PodReadinessGate{ConditionType: inPlaceReady})
	}
}

// revise writes the labels of a revision (WriteRevisionHash of
// utils/cloneset_utils.go, v1.9.1).
func (s *sync) revise(p *corev1.Pod, r *revision) {
	p.Labels[revisionLabel] = r.name
	if s.behaviour.shortHash {
		p.Labels[revisionLabel] = short(r.name)
	}
	p.Labels[templateHashLabel] = short(r.name)
}

func (s *sync) createVolumes(w *cluster.Model, p *corev1.Pod) {
	for i := range s.set.spec.VolumeClaimTemplates {
		t := &s.set.spec.VolumeClaimTemplates[i]
		claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{
			Namespace: p.Namespace, Name: t.Name + "-" + p.Name, Labels: map[string]string{instanceLabel: p.Labels[instanceLabel]},
			OwnerReferences: []metav1.OwnerReference{s.reference()},
		}}
		if _, reused := w.Get(view.PersistentVolumeClaims, claim.Namespace, claim.Name); !reused {
			w.Put(view.PersistentVolumeClaims, claim)
		}
	}
}
