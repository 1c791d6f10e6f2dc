package deployment

import (
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/selectorindex"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// dueSets are the ReplicaSets of a Deployment whose own controller may have something to do
// about Pods, whatever the Deployment's does: those whose status does not say that it has
// done all, or that have more or fewer Pods than it says, those that adopt Pods or release
// some, and all of them where no active leader writes status. The Pods' metadata is enough.
func dueSets(r *view.Reader, _ profile.Profile, t view.Target) []view.Target {
	d, err := load(r, t)
	if err != nil {
		return nil
	}
	selector, err := metav1.LabelSelectorAsSelector(d.Spec.Selector)
	if err != nil {
		return nil
	}
	a := &assessor{r: r, d: d, selector: selector}
	a.load()
	if !a.podsInFiles() {
		return a.targets(func(rs *appsv1.ReplicaSet) bool { return !reported(rs) && a.noPods(rs) })
	}
	if a.r.Provisional() || a.r.Err(a.podsNeed(a.selector)) != nil || a.r.Provisional() {
		return nil // what is read next depends on it
	}
	due := a.targets(a.due)
	if len(due) > 0 || a.upToDate() || a.r.Provisional() {
		return due
	}
	return a.targets(func(*appsv1.ReplicaSet) bool { return true })
}

// targets are those of the sets that something holds of.
func (a *assessor) targets(holds func(*appsv1.ReplicaSet) bool) (all []view.Target) {
	for _, rs := range a.sets {
		if rs.DeletionTimestamp == nil && holds(rs) {
			all = append(all, handlers.TargetOf(view.ReplicaSets, rs))
		}
	}
	return all
}

func (a *assessor) due(rs *appsv1.ReplicaSet) bool {
	selector, err := metav1.LabelSelectorAsSelector(rs.Spec.Selector)
	return err == nil && (!reported(rs) || a.miscounts(rs) || a.adopts(selector) || a.releases(rs, selector))
}

// miscounts reports whether a set has not as many Pods as its status counts: one was created or
// deleted since. Pods that have ended make it true as well, which their metadata does not tell.
func (a *assessor) miscounts(rs *appsv1.ReplicaSet) bool {
	pods := 0
	for _, pod := range a.r.ControlledBy(a.podsNeed(a.selector), rs.UID) {
		if pod.GetDeletionTimestamp() == nil {
			pods++
		}
	}
	return pods != int(actual(rs))
}

// reported reports whether a set's status says that it has as many Pods as it wants.
func reported(rs *appsv1.ReplicaSet) bool {
	return rs.Status.ObservedGeneration >= rs.Generation && actual(rs) == replicasOf(rs)
}

// adopts reports whether a set with the selector may adopt Pods. Those that match the Deployment's selector
// are one read for all sets.
func (a *assessor) adopts(selector labels.Selector) bool {
	need := a.podsNeed(a.selector)
	if !selectorindex.Narrower(selector, a.selector) {
		need = a.podsNeed(selector)
	}
	for _, pod := range a.r.Orphans(need) {
		if pod.GetDeletionTimestamp() == nil && selector.Matches(labels.Set(pod.GetLabels())) {
			return true
		}
	}
	return false
}

// podsNeed is the metadata of the Pods that match a selector. Where not all is as desired
// already, it explains the answer, and changes no state; and of a what-if it is all of the Pods,
// which its ReplicaSets' controller reads next.
func (a *assessor) podsNeed(selector labels.Selector) view.Need {
	need := view.Need{
		Kind: view.Pods, Namespace: a.d.Namespace, Selector: view.SelectorText(selector),
		IfMissing: "whether ReplicaSets adopt Pods is not known", Explains: !a.stored().Complete(),
	}
	if need.Explains && a.r.WhatIf() {
		need.Detail = view.Full
	}
	return need
}

// releases reports whether a Pod of a set is known that matches its selector no longer: files
// have it. In a cluster it is worth no read, as the set's status tells.
func (a *assessor) releases(rs *appsv1.ReplicaSet, selector labels.Selector) bool {
	need := view.Need{Kind: view.Pods, Namespace: rs.Namespace}
	if a.r.Vouches(view.Pods) && !a.r.Knows(need) {
		return false
	}
	for _, pod := range a.r.ControlledBy(need, rs.UID) {
		if pod.GetDeletionTimestamp() == nil && !selector.Matches(labels.Set(pod.GetLabels())) {
			return true
		}
	}
	return false
}
