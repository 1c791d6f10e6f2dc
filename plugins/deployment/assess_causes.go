package deployment

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// unusable is the cause of a Deployment that is left alone.
func (a *assessor) unusable() decision.Cause {
	c := decision.Cause{Object: a.ref, Reason: a.out.Gate.Rule, Message: a.out.Gate.Message, Evidence: "spec.selector"}
	switch a.out.Gate.Rule {
	case SelectsAll:
		c.Label = "its selector is empty"
	case StrategyUnknown:
		c.Label, c.Evidence = "its strategy is unknown", "spec.strategy.type"
	default:
		c.Label = "its selector is invalid"
	}
	return a.options.Judge(c, health.CreateForbidden, time.Time{})
}

// paused is the cause that updates are outstanding and nobody rolls them out.
func (a *assessor) paused() []decision.Cause {
	if !a.d.Spec.Paused || a.newRS != nil && sum(a.sets, replicasOf) == replicasOf(a.newRS) {
		return nil
	}
	c := decision.Cause{
		Object: a.ref, Reason: "Paused", Label: "paused with outstanding updates", Briefs: []string{"paused"}, Evidence: "spec.paused",
		Message: "the Pod template has changed, and is not rolled out while spec.paused is true",
		Next:    fmt.Sprintf("kubectl rollout resume %s -n %s", a.ref, a.d.Namespace),
	}
	if noted := condition(a.d.Status.Conditions, appsv1.DeploymentProgressing); noted != nil && noted.Reason == "DeploymentPaused" {
		c.Since = noted.LastUpdateTime.Time
	}
	return []decision.Cause{a.options.Judge(c, health.Paused, c.Since)}
}

// refusedSet is the cause that the new ReplicaSet can't be created.
func (a *assessor) refusedSet() []decision.Cause {
	if !failed(a.out) {
		return nil
	}
	c := decision.Cause{
		Object: a.ref, Reason: a.out.NextSync.Rule, Label: "the sync fails", Message: a.out.NextSync.Facts.Str(keyError),
		Next: fmt.Sprintf("kubectl describe %s -n %s", a.ref, a.d.Namespace),
	}
	if a.newRS == nil {
		c.Label = "no new ReplicaSet is accepted"
		if noted := condition(a.d.Status.Conditions, appsv1.DeploymentProgressing); noted != nil && noted.Reason == "ReplicaSetCreateError" {
			c.Since = noted.LastUpdateTime.Time
		}
		health.OfQuota(&c, newSets(a.r, a.d.Namespace).Refusal)
	}
	return []decision.Cause{a.options.Judge(c, health.CreateForbidden, time.Time{})}
}

// goes reports whether a set that has Pods, or is to have some, is being deleted.
func goes(rs *appsv1.ReplicaSet) bool {
	return rs.DeletionTimestamp != nil && max(actual(rs), replicasOf(rs)) > 0
}

// going are the causes that sets with Pods are being deleted: the controller counts on them
// until they are gone (getReplicaSetsForDeployment of deployment_controller.go, v1.37.1, leaves none out).
func (a *assessor) going() (causes []decision.Cause) {
	for _, rs := range a.sets {
		if !goes(rs) {
			continue
		}
		c := decision.Cause{
			Object: ownership.RefTo(view.ReplicaSets, rs), Reason: "Terminating", Label: "ReplicaSet " + rs.Name + " is being deleted",
			Briefs: []string{"its ReplicaSet is being deleted"}, Message: "it is removed at once",
			Since: rs.DeletionTimestamp.Time, Stops: true, Evidence: "metadata.deletionTimestamp", Next: health.Whole("replicaset", rs.Namespace, rs.Name),
		}
		class, began, next := health.Deletion, c.Since, "replaces it"
		if len(rs.Finalizers) > 0 {
			c.Message = health.Finalizers(rs.Finalizers)
		}
		switch alone := len(rs.Finalizers) == 1; {
		case health.Orphaning(rs):
			next = "creates another one, which may adopt them,"
			if alone {
				class = health.Collection
			}
		case health.DeletesDependents(rs):
			c.Message = "the garbage collector deletes its Pods first"
			if alone {
				began = time.Time{} // the Pods say how long that may take
			}
		}
		if rs == a.newRS && !a.d.Spec.Paused {
			c.Message += "; the controller " + next + " when it is gone, and not before"
		}
		causes = append(causes, a.options.Judge(c, class, began))
	}
	return causes
}

// overdue is the cause that progressDeadlineSeconds are over. What to look at is what others
// say, also where these do not block yet.
func (a *assessor) overdue(n *decision.Replicas, others []decision.Cause) []decision.Cause {
	if n.Complete() || a.isOfAnother(condition(a.d.Status.Conditions, appsv1.DeploymentProgressing)) {
		return nil
	}
	next := fmt.Sprintf("kubectl describe deployment %s -n %s", a.d.Name, a.d.Namespace)
	if i := slices.IndexFunc(others, func(c decision.Cause) bool { return c.Next != "" }); i >= 0 {
		next = others[i].Next
	}
	for _, c := range a.out.Status.Conditions {
		if c.Type != string(appsv1.DeploymentProgressing) || c.Reason != deadlineExceeded {
			continue
		}
		return []decision.Cause{a.options.Overdue(decision.Cause{
			Object: a.ref, Reason: c.Reason, Since: c.Since,
			Message: fmt.Sprintf("no progress within progressDeadlineSeconds (%d)", *a.d.Spec.ProgressDeadlineSeconds), Next: next,
		}, others, c.Since, "another Pod is ready or available")}
	}
	return nil
}

// isOfAnother reports whether the deadline was exceeded by the rollout to another ReplicaSet,
// which the condition names. It stays so until the one that is under way progresses, or for
// good (SetDeploymentCondition of util/deployment_util.go, v1.37.1, leaves the message).
func (a *assessor) isOfAnother(c *appsv1.DeploymentCondition) bool {
	return c != nil && a.newRS != nil && c.Reason == deadlineExceeded && slices.ContainsFunc(a.sets, func(rs *appsv1.ReplicaSet) bool {
		return rs != a.newRS && strings.Contains(c.Message, strconv.Quote(rs.Name))
	})
}

// below are the causes of a set that has another number of Pods than it wants, or does not
// report those that are available, which a rollout waits for. Where they were not read, its
// status counts them.
func (a *assessor) below(rs *appsv1.ReplicaSet, read bool) []decision.Cause {
	pods := a.podsOf(rs)
	n := health.Count(pods, 0, a.options)
	if !read {
		n.Current = int(actual(rs))
	}
	n.Desired = a.kept(rs, n.Current)
	switch {
	case rs.DeletionTimestamp != nil: // syncReplicaSet manages no Pods then
		return nil
	case n.Current > n.Desired:
		of := health.Deletions(view.ReplicaSets, rs)
		of.Stored = failure(rs, health.FailedDelete)
		if causes := of.Refused(a.r, a.options); len(causes) > 0 {
			return causes
		}
		return a.pending(rs, "PodsNotDeleted", format.Plural(n.Current-n.Desired, "Pod")+" not deleted yet", "spec.replicas")
	case n.Current == n.Desired && read && n.Available > int(available(rs)):
		return a.pending(rs, "StatusNotUpdated", format.Plural(n.Available-int(available(rs)), "available Pod")+" not reported yet", "status.availableReplicas")
	case n.Current == n.Desired:
		return nil
	}
	causes := health.Creations(a.r, a.creator(rs, n, pods), a.options)
	if len(causes) == 0 {
		return a.pending(rs, "PodsNotCreated", format.Plural(n.Desired-n.Current, "Pod")+" not created yet", "spec.replicas")
	}
	for i := range causes {
		causes[i].Stops = causes[i].Stops && len(a.out.Actions) == 0 // the Deployment itself goes on
	}
	return causes
}

// kept is how many Pods a set that has so many is left to create or delete: not those that the
// Deployment's next sync takes back, as of one that was scaled by hand.
func (a *assessor) kept(rs *appsv1.ReplicaSet, current int) int {
	desired := int(replicasOf(rs))
	s := a.setOf(rs)
	switch {
	case s == nil:
		return desired
	case current < desired:
		return min(desired, max(current, int(s.Next)))
	}
	return max(desired, min(current, int(s.Next)))
}

// belowOld are those of an old set, which the rollout goes on without: they block where
// nothing else explains it.
func (a *assessor) belowOld(rs *appsv1.ReplicaSet, read, explained bool) []decision.Cause {
	causes := a.below(rs, read)
	if a.newRS == nil {
		return causes
	}
	for i := range causes {
		c := &causes[i]
		if c.Object.UID != string(rs.UID) {
			c.Message += " (of the old " + ownership.RefTo(view.ReplicaSets, rs).String() + ")"
		}
		if explained {
			c.Blocked, c.BlockedAt = false, time.Time{}
		}
	}
	return causes
}

// failure is the condition of a set that what its reason says fails; nil for none.
func failure(rs *appsv1.ReplicaSet, reason string) *health.Failed {
	for _, f := range rs.Status.Conditions {
		if f.Type == appsv1.ReplicaSetReplicaFailure && f.Reason == reason {
			return &health.Failed{Since: f.LastTransitionTime.Time, Message: f.Message}
		}
	}
	return nil
}

// creator is a set as one that creates what is missing.
func (a *assessor) creator(rs *appsv1.ReplicaSet, n *decision.Replicas, pods []*corev1.Pod) health.Creator {
	c := health.Creator{
		Kind: view.ReplicaSets, Object: rs, Missing: n.Desired - n.Current, Pods: pods,
		Features: admission.FeaturesOf(a.profile.Kubernetes),
		Pod:      cluster.PodOf(rs.Namespace, rs.Name+"-", &rs.Spec.Template, *metav1.NewControllerRef(rs, appsv1.SchemeGroupVersion.WithKind("ReplicaSet"))),
	}
	c.Failed = failure(rs, "FailedCreate")
	c.Events = health.FailedCreatesOf(view.ReplicaSets, rs, c.Failed != nil)
	if rs == a.newRS {
		c.Replaced = a.replaced()
	}
	return c
}

// replaced are the old Pods that the rollout deletes without a further Pod of the new set:
// those that are being deleted or are about to be, and, once what the new set has is
// available, those beyond minAvailable (cleanupUnhealthyReplicas and
// scaleDownOldReplicaSetsForRollingUpdate of rolling.go, v1.37.1).
func (a *assessor) replaced() []*corev1.Pod {
	var going, staying []*corev1.Pod
	kept := 0
	for _, rs := range a.sets {
		if rs == a.newRS {
			continue
		}
		var running []*corev1.Pod
		for _, p := range a.podsOf(rs) {
			switch {
			case p.DeletionTimestamp != nil:
				going = append(going, p)
			case !view.Ended(p):
				running = append(running, p)
			}
		}
		keep := min(len(running), int(replicasOf(rs)))
		kept += int(replicasOf(rs))
		going, staying = append(going, running[keep:]...), append(staying, running[:keep]...)
	}
	if a.d.Spec.Paused {
		return going
	}
	later := kept + a.comeUp() - int(limitsOf(a.d).minAvailable())
	return append(going, staying[:min(len(staying), max(0, later))]...)
}

// comeUp is how many Pods of the new set are available, or will be.
func (a *assessor) comeUp() int {
	own := a.podsOf(a.newRS)
	n := health.Count(own, 0, a.options)
	if n.Available < n.Current && a.failsAnew(health.Pods(a.r, own, a.options)) {
		return n.Available
	}
	return n.Current
}

// pending is the cause that the controller of a set has something to do.
func (a *assessor) pending(rs *appsv1.ReplicaSet, reason, label, evidence string) []decision.Cause {
	ref := ownership.RefTo(view.ReplicaSets, rs)
	return []decision.Cause{{
		Object: ref, Reason: reason, Label: label, Message: label + ": due in the next sync of " + ref.String(), Evidence: evidence,
		Next: fmt.Sprintf("kubectl ctrl explain %s -n %s", ref, rs.Namespace),
	}}
}

// ofPods are the causes of Pods. Those of old sets that go on without the rollout
// block where nothing else explains it: else the rollout replaces them.
func (a *assessor) ofPods(explained bool) []decision.Cause {
	var fresh, old []*corev1.Pod
	for _, rs := range a.sets {
		for _, p := range a.podsOf(rs) {
			if rs == a.newRS || p.DeletionTimestamp != nil {
				fresh = append(fresh, p)
			} else {
				old = append(old, p)
			}
		}
	}
	if a.d.Spec.Paused {
		return health.Pods(a.r, append(fresh, old...), a.options)
	}
	causes, before := health.Pods(a.r, fresh, a.options), health.Pods(a.r, old, a.options)
	a.holdPlaces(causes, old)
	if len(causes) == 0 && !explained {
		return before
	}
	return health.WithReplaced(causes, before)
}

// failsAnew reports whether a Pod of the new set is among causes that block.
func (a *assessor) failsAnew(causes []decision.Cause) bool {
	if a.newRS == nil {
		return false
	}
	own := a.podsOf(a.newRS)
	return slices.ContainsFunc(causes, func(c decision.Cause) bool {
		return c.Blocked && c.Pod != nil && slices.ContainsFunc(own, func(p *corev1.Pod) bool { return p.Name == c.Object.Name })
	})
}
