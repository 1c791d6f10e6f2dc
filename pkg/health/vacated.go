package health

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/places"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// mostLeaving is up to how many Pods that are being deleted are looked at.
const mostLeaving = 10

// vacated returns for a Pod that waits for a place one that is being deleted and leaves
// such a place in time, each of them once; nil for none. It reads those of the namespace.
func vacated(r *view.Reader, namespace string, own []*corev1.Pod, o Options) func(*corev1.Pod) *corev1.Pod {
	all := sync.OnceValue(func() []*corev1.Pod { return leaving(r, namespace, own, o) })
	taken := map[*corev1.Pod]bool{}
	return func(waits *corev1.Pod) *corev1.Pod {
		for _, gone := range all() {
			if !taken[gone] && places.AsksNoMore(waits, gone) {
				taken[gone] = true
				return gone
			}
		}
		return nil
	}
}

// leaving are the Pods of a namespace that are being deleted and are removed in time, the
// first ones first. own are those that were read.
func leaving(r *view.Reader, namespace string, own []*corev1.Pod, o Options) (all []*corev1.Pod) {
	need := view.Need{Kind: view.Pods, Namespace: namespace, IfMissing: "whether a Pod that is being deleted leaves a place is not known", Explains: true}
	looked := 0
	for _, obj := range r.Metadata(need) {
		if obj.GetDeletionTimestamp() == nil || looked == mostLeaving {
			continue
		}
		looked++
		i := slices.IndexFunc(own, func(p *corev1.Pod) bool { return p.Name == obj.GetName() })
		if i >= 0 {
			all = append(all, own[i])
			continue
		}
		one := need
		one.Name = obj.GetName()
		if p, found := view.Get[*corev1.Pod](r, one); found {
			all = append(all, p)
		}
	}
	all = slices.DeleteFunc(all, func(p *corev1.Pod) bool { return !o.leaves(p) })
	slices.SortStableFunc(all, func(a, b *corev1.Pod) int {
		return cmp.Or(a.DeletionTimestamp.Compare(b.DeletionTimestamp.Time), cmp.Compare(a.Name, b.Name))
	})
	return all
}

// leaves reports whether a Pod that is being deleted has a place on a node, and is expected
// to be removed.
func (o Options) leaves(p *corev1.Pod) bool {
	if p.DeletionTimestamp == nil || p.Spec.NodeName == "" || view.Ended(p) || len(p.Finalizers) > 0 || o.blockedBy(o.blocks(Deletion, p.DeletionTimestamp.Time)) {
		return false
	}
	_, lost := look{pod: p, Options: o}.lost()
	return !lost
}

// waitsForPlace makes a finding that of a Pod for which a place becomes free.
func (l look) waitsForPlace(f *finding) {
	if l.vacated == nil || !places.CrowdedOut(l.pod) {
		return
	}
	gone := l.vacated(l.pod)
	if gone == nil {
		return
	}
	left, within := gone.DeletionTimestamp.Sub(l.Now), "any moment"
	if left > 0 {
		within = "within " + duration.HumanDuration(left.Round(time.Second))
	}
	f.class, f.briefs = PlaceFreed, []string{"waiting for a place (" + within + ")"}
	f.label = "waiting for the place of a Terminating Pod (" + within + ")"
	f.message = fmt.Sprintf("%s on node %s is being deleted and leaves such a place %s; %s", gone.Name, gone.Spec.NodeName, within, f.message)
}
