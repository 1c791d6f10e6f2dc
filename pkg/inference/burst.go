package inference

import (
	"cmp"
	"slices"
	"sort"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// lastSync leaves the creations that the last sync which created may have made. It found
// all earlier ones observed, or no longer counted, and created no more Pods than were
// missing: those that are active since before were there already (replica_set.go
// syncReplicaSet and manageReplicas, v1.37.1). All are left where something else was done
// as well, or where more Pods are active than are desired, so that more may have been. Of a
// controller that creates one by one it is the last.
func (i *inference) lastSync(open []Write) []Write {
	if i.Controller.OneByOne {
		return open[len(open)-1:]
	}
	others := func(w Write) bool { return w.Verb != decision.Create }
	if i.Controller.Forever || i.Controller.Uncounted || i.Active > i.Wanted || slices.ContainsFunc(open, others) {
		return open
	}
	active := map[string]bool{}
	for _, p := range i.Pods {
		pod, read := p.(*corev1.Pod)
		active[p.GetName()] = read && pod.DeletionTimestamp == nil && !view.Ended(pod)
	}
	// Of those of one second, the active ones may all be the last.
	open = slices.Clone(open)
	sort.SliceStable(open, func(x, y int) bool {
		a, b := &open[x], &open[y]
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(rank(active[a.Object.Name]), rank(active[b.Object.Name]))) < 0
	})
	last, before := open, i.Active
	for _, w := range open {
		if active[w.Object.Name] {
			before--
		}
	}
	for len(last)+before > i.Wanted && len(last) > 1 {
		if active[last[0].Object.Name] {
			before++
		}
		last = last[1:]
	}
	return last
}

func rank(active bool) int {
	if active {
		return 1
	}
	return 0
}
