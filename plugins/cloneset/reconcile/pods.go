package reconcile

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// States returns what a sync knows of claimed Pods.
func (s *Run) States(pods []*corev1.Pod) []*core.PodState {
	all := make([]core.PodState, len(pods))
	out := make([]*core.PodState, 0, len(all))
	listed := map[string]bool{}
	for _, name := range s.Set.Spec.ScaleStrategy.PodsToDelete {
		listed[name] = true
	}
	for i, p := range pods {
		m := &all[i]
		s.look(m, p)
		m.Adopted = metav1.GetControllerOfNoCopy(p) == nil
		_, labelled := p.Labels[api.SpecifiedLabel]
		m.Specified = labelled || listed[p.Name]
		out = append(out, m)
	}
	return out
}

// Pod returns the claimed Pod of this name, or nil.
func (s *Run) Pod(name string) *core.PodState {
	i, found := slices.BinarySearchFunc(s.Pods, name, func(m *core.PodState, name string) int { return strings.Compare(m.Name, name) })
	if !found {
		return nil
	}
	return s.Pods[i]
}

// look takes from the pod what is asked of it.
func (s *Run) look(m *core.PodState, p *corev1.Pod) {
	*m = core.PodState{
		Pod: p, Ref: ownership.RefTo(view.Pods, p),
		Revision: p.Labels[kruise.RevisionLabel], State: p.Labels[kruise.StateLabel], ID: p.Labels[api.InstanceLabel],
	}
	m.Updated = m.Carries(s.Revisions.Update.Name)
	m.Counted = m.Updated || s.Behaviour.PreparingAsUpdate && m.State == kruise.PreparingUpdate
	m.Judge(s.Set.Spec.MinReadySeconds, s.Now)
}
