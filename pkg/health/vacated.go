package health

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/places"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// mostLeaving is up to how many Pods that are being deleted are looked at.
const mostLeaving = 10

// vacated returns for a Pod that waits for a place one that is being deleted and leaves
// such a place in time, each of them once, and one that was preempted for it and is not
// removed; nil for none. It reads those of the namespace.
func vacated(r *view.Reader, namespace string, own []*corev1.Pod, o Options) (vacated, kept func(*corev1.Pod) *corev1.Pod) {
	all := sync.OnceValue(func() []*corev1.Pod { return leaving(r, namespace, own) })
	taken := map[*corev1.Pod]bool{}
	vacated = func(waits *corev1.Pod) *corev1.Pod {
		var last *corev1.Pod
		for _, gone := range all() {
			if taken[gone] || !o.leaves(gone) || !places.Leaves(gone, waits) || !o.fits(waits, gone.Spec.NodeName) {
				continue
			}
			last = gone
			if places.Preempted(gone) == nil { // of those that are, it needs the places of all
				break
			}
		}
		taken[last] = last != nil
		return last
	}
	kept = func(waits *corev1.Pod) *corev1.Pod {
		for _, p := range all() {
			if p.Spec.NodeName == waits.Status.NominatedNodeName && places.Preempted(p) != nil && !o.leaves(p) {
				return p
			}
		}
		return nil
	}
	return vacated, kept
}

// fits reports whether a node may fit a Pod, as one may that was not read.
func (o Options) fits(p *corev1.Pod, name string) bool {
	n := o.node(name)
	return n == lacking || places.Fits(p, n)
}

// leaving are the Pods of a namespace that are being deleted, the first ones first. own are
// those that were read.
func leaving(r *view.Reader, namespace string, own []*corev1.Pod) (all []*corev1.Pod) {
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
	if l.waitsForVictim(f) {
		return
	}
	gone := l.vacated(l.pod)
	if gone == nil {
		return
	}
	left, within := gone.DeletionTimestamp.Sub(l.Now), "any moment"
	if left > 0 {
		within = "within " + atMost(left.Round(time.Second))
	}
	f.class, f.briefs = PlaceFreed, []string{"waiting for a place (" + within + ")"}
	f.label = "waiting for the place of a Terminating Pod (" + within + ")"
	leaves := "is being deleted and leaves such a place"
	if places.Preempted(gone) != nil {
		leaves = "was preempted for it, and leaves its place"
	}
	f.message = fmt.Sprintf("%s on node %s %s %s; %s", gone.Name, gone.Spec.NodeName, leaves, within, f.message)
}

// waitsForVictim makes a finding that of a Pod for which another one was preempted that is
// not removed, and reports whether there is one: until it is, none else is preempted (pkg/scheduler/framework/plugins/
// defaultpreemption PodEligibleToPreemptOthers, v1.37.1).
func (l look) waitsForVictim(f *finding) bool {
	if l.pod.Status.NominatedNodeName == "" {
		return false
	}
	victim := l.unmoved(l.pod)
	if victim == nil {
		return false
	}
	f.label, f.briefs = "waiting for preempted Pod "+victim.Name, []string{"waiting for a preempted Pod"}
	f.message = fmt.Sprintf("%s on node %s was preempted for it, and is not removed; %s", victim.Name, victim.Spec.NodeName, f.message)
	f.next = ExplainPod(victim.Namespace, victim.Name)
	return true
}
