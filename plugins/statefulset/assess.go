package statefulset

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// assess finds out why Pods of the target are missing, not available or not updated.
func assess(r *view.Reader, p profile.Profile, t view.Target, d *decision.Decision) health.Assessment {
	s, err := run(r, p, t, Given{})
	if err != nil {
		return health.Unassessed()
	}
	a := s.assessor()
	switch {
	case a.set.DeletionTimestamp != nil:
		return health.Deleted(a.ref, a.set, health.Remaining(r, a.pods, a.options))
	case a.out.Gate.Rule == InvalidSelector:
		return health.Assessment{Causes: []decision.Cause{a.own("its selector is invalid", d.Gate.Message, "spec.selector")}}
	case a.out.Gate.Rule == StrategyOff:
		return health.Assessment{Replicas: a.counted(), Causes: []decision.Cause{a.own("strategy Recreate is off", d.Gate.Message, "spec.updateStrategy.type")}}
	}
	return a.assess()
}

// assessor is what is known of one StatefulSet: what a sync came to, without the methods by
// which it decides.
type assessor struct {
	ordinals
	volumes *volumes
	// pods are its own; padded are those whose ordinals are written with zeros before them.
	pods, padded []*corev1.Pod
	held         []held
	out          *decision.Decision
	options      health.Options
	creator      health.Creator
	deletions    health.Attempt
	// err is what the sync returns to the queue, refused what refused a volume claim, nil
	// for nothing.
	err     error
	refused *admission.Refusal
	// belowZero: the API server refuses status, of which a count is below zero.
	belowZero bool
}

func (s *reconcile) assessor() assessor {
	return assessor{
		ordinals: s.ordinals, volumes: &s.volumes, pods: s.claims.pods, padded: s.claims.withZeros(), held: s.held,
		out: s.out, options: s.options(), creator: s.creator(), deletions: s.deletions(),
		err: s.err, refused: s.admits.refused, belowZero: s.status.belowZero(),
	}
}

func (a *assessor) assess() health.Assessment {
	ofPods := a.rolledOver(freed(health.Pods(a.r, a.pods, a.options)))
	causes := append(a.misnamed(), a.failing()...)
	causes = append(causes, a.deletions.Refused(a.r, a.options)...)
	causes = append(causes, a.ended()...)
	causes = append(causes, a.kept(ofPods)...)
	causes = append(causes, a.blockers(ofPods)...)
	causes = append(causes, a.stale()...)
	a.tellUnreached(ofPods)
	causes = append(causes, ofPods...)
	return health.Assessment{Replicas: a.counted(), Causes: causes, Undone: a.shrinks(), Note: a.note(), BesidesNext: a.deleteNext(), Before: a.volumes.before()}
}

// deleteNext is the command that lets OnDelete update the Pod of the highest ordinal that is
// outdated, as a rolling update begins with; empty where there is none, or a Pod is not available.
func (a *assessor) deleteNext() string {
	if !a.onDelete() || a.history.update == nil || slices.ContainsFunc(a.replicas, func(p *pod) bool { return !p.available }) {
		return ""
	}
	left := a.outdated()
	if len(left) == 0 {
		return ""
	}
	return fmt.Sprintf("kubectl delete pod %s -n %s", left[len(left)-1].Name, a.set.Namespace)
}

// counted are the numbers that the state turns on: of the Pods of the ordinals, since none
// beyond them stands for one that is missing. Below the partition, and with OnDelete, no
// Pod is to be updated.
func (a *assessor) counted() *decision.Replicas {
	want, updated := int(*a.set.Spec.Replicas), 0
	own := slices.DeleteFunc(slices.Clone(a.pods), func(p *corev1.Pod) bool { return !metav1.IsControlledBy(p, a.set) || a.beyond(ordinalOf(p.Name)) })
	n := health.Count(own, want, a.options)
	if a.history.update == nil || slices.ContainsFunc(a.replicas, a.mayBeUpdated) {
		return n
	}
	for _, p := range own {
		if p.DeletionTimestamp == nil && !view.Ended(p) && p.Labels[appsv1.StatefulSetRevisionLabel] == a.history.update.Name {
			updated++
		}
	}
	desired := max(want-partition(a.set), 0)
	if a.onDelete() {
		desired = min(updated, want)
	}
	n.Updated, n.UpdatedDesired = &updated, &desired
	return n
}

// note says what a stable StatefulSet leaves as it is.
func (a *assessor) note() string {
	switch left := a.outdated(); {
	case len(left) == 0 || a.history.update == nil:
		return ""
	case a.onDelete():
		who := format.Plural(len(left), "Pod")
		if len(left) <= 2 { // for more, a first line has no room
			who = someOf(left, 2)
		}
		return "OnDelete: " + who + " not updated"
	case partition(a.set) > 0:
		return fmt.Sprintf("partition %d is reached", partition(a.set))
	}
	return ""
}
