package rounds

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/inplace"
)

// begin schedules what happens to the pods that are there: those in the middle
// of an update finish it, the others start or go as pods do.
func (s synced) begin(w *cluster.Model) {
	var plain []*corev1.Pod
	for _, p := range slices.Concat(s.found.Active, s.found.Inactive) {
		st, updating := inplace.StateOf(p)
		if done, _ := s.Done.Completed(p); !updating || done || kruise.Annotation(p, kruise.GraceAnnotation, kruise.OldGrace) != "" {
			plain = append(plain, p)
			continue
		}
		if left := s.up(w, p, st).Sub(w.Now()); left > 0 {
			cluster.LaterPod(w, p, left, func(p *corev1.Pod) { inplace.ContainersUp(w, p) })
			continue
		}
		plain = append(plain, p)
	}
	cluster.BeginPods(w, plain, since)
	inplace.Restarts(w)
	s.Budgets.Follow(w)
}

// up is when the containers are up that are being updated: after their batch's
// part of the time that pods take, or, when that is over, after all of it.
func (s synced) up(w *cluster.Model, p *corev1.Pod, st inplace.State) time.Time {
	n := len(st.ContainerBatchesRecord)
	if n == 0 {
		return st.UpdateTimestamp.Add(s.Set.Grace() + w.ReadyAfter())
	}
	from := st.ContainerBatchesRecord[n-1].Timestamp
	if at := from.Add(st.Part(w, p)); at.After(w.Now()) {
		return at
	}
	return from.Add(w.ReadyAfter())
}

// since is from when on a pod starts: its last update in place, or its creation.
func since(p *corev1.Pod) time.Time {
	if st, ok := inplace.StateOf(p); ok {
		return st.UpdateTimestamp.Time
	}
	return p.CreationTimestamp.Time
}

func (s synced) startUps() []simulate.StartUp {
	var seen []simulate.StartUp
	for _, p := range s.found.Active {
		st, inPlace := inplace.StateOf(p)
		took, ok := cluster.PodStartUp(p)
		if inPlace { // its containers were restarted for that
			took, ok = cluster.PodReadySince(p, st.UpdateTimestamp.Add(s.Set.Grace()))
		}
		if ok {
			seen = append(seen, simulate.StartUp{Took: took, InPlace: inPlace})
		}
	}
	return seen
}
