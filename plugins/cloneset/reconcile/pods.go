package reconcile

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/inplace"
)

// States returns what a sync knows of claimed Pods.
func (s *Run) States(pods []*corev1.Pod) []*core.PodState {
	all := make([]core.PodState, len(pods))
	out := make([]*core.PodState, 0, len(all))
	listed := map[string]bool{}
	for _, name := range s.Set.Spec.ScaleStrategy.PodsToDelete {
		listed[name] = true
	}
	for i, looked := range s.look(pods) {
		m := &all[i]
		m.Looked = looked.Found
		m.Updated = m.Carries(s.Revisions.Update.Name)
		m.Counted = m.Updated || s.Behaviour.PreparingAsUpdate && m.State == kruise.PreparingUpdate
		m.Specified = m.Marked || listed[m.Ref.Name]
		m.Judge(s.Set.Spec.MinReadySeconds, s.Now)
		out = append(out, m)
	}
	return out
}

// Pod returns the claimed Pod of this name, or nil.
func (s *Run) Pod(name string) *core.PodState {
	i, found := slices.BinarySearchFunc(s.Pods, name, func(m *core.PodState, name string) int { return strings.Compare(m.Ref.Name, name) })
	if !found {
		return nil
	}
	return s.Pods[i]
}

// looks is where it is kept what is asked of each Pod of a set alone.
type looks struct {
	set     types.UID
	release inplace.Release
}

// look is that of claimed Pods, which are in the order of their names.
func (s *Run) look(pods []*corev1.Pod) []view.Finding[*core.Looked] {
	known := view.Carried[[]view.Finding[*core.Looked]](s.Reader.View, looks{s.Set.GetUID(), s.Behaviour.Release})
	return view.Refound(known, pods, func(p *corev1.Pod) *core.Looked {
		m := core.Look(p, ownership.RefTo(view.Pods, p))
		if st, err := s.Done.State(m.Record); m.Begun && err == nil {
			m.UpToDate, m.Unsure = s.Behaviour.ContainersUpdated(p, st)
		}
		return m
	})
}
