package statefulset

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/events"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// refusalRules are the rules of evidence that the API server refuses what the sync writes.
var refusalRules = []string{CreateRefused, FailedCreateEvent, NameInUse, LabelTooLong, VolumesCantChange}

// refusals says which creation is refused; where none is, what refused the last attempt.
// Until a retry succeeds, and at most as long as the longest back-off, that holds for the
// next one as well.
func (s *reconcile) refusals() {
	if s.refusedNow() || s.creator().Missing == 0 || s.r.Hypothetical() {
		return
	}
	if _, found := health.RefusedBefore(s.r, s.creator(), s.options()); !found {
		return
	}
	newest := events.Newest(view.List[*corev1.Event](s.r, s.creator().Events, nil), s.set.UID, failedCreate)
	last := events.Last(newest)
	s.out.Find(decision.Evidence{Source: ownership.RefTo(view.Events, newest), At: last, Ruling: decision.Ruled(FailedCreateEvent,
		decision.At(keyMessage, newest.Message, "message"), decision.At(keyCount, events.Count(newest), "count"),
		decision.At(keyAge, format.Seconds(s.now.Sub(last)), "lastTimestamp"))})
}

// failedCreate is the reason of events about Pods and volume claims that were not created
// (recordPodEvent and recordClaimEvent, stateful_pod_control.go, v1.37.1).
const failedCreate = "FailedCreate"

// refusedNow reports whether the API server refuses what the sync writes, and says which
// Pod or volume claim it does not create, unless a rule of its own says why.
func (s *reconcile) refusedNow() bool {
	if slices.ContainsFunc(s.out.Evidence, func(e decision.Evidence) bool { return slices.Contains(refusalRules, e.Rule) }) {
		return true
	}
	for _, w := range s.server.writes {
		if w.Verb == cluster.Create && w.Err != nil && w.Kind.GroupKind() != view.ControllerRevisions.GroupKind() {
			s.hold(CreateRefused, s.ref, decision.F(keyWhat, w.Kind.Kind+" "+w.Name), decision.F(keyError, w.Err.Error()))
			return true
		}
	}
	return false
}

// deletions are those of the Pods that this sync deletes.
func (s *reconcile) deletions() health.Attempt {
	of := health.Deletions(view.StatefulSets, s.set)
	of.Decision = s.out
	return of
}

// creator is the set as one that creates the Pods of this sync.
func (s *reconcile) creator() health.Creator {
	c := health.Creator{
		Kind: view.StatefulSets, Object: s.set, Pods: s.claims.pods,
		Features: admission.FeaturesOf(s.profile.Kubernetes), Events: health.FailedCreates(view.StatefulSets, s.set),
	}
	for i := range s.server.writes {
		if w := &s.server.writes[i]; w.Verb == cluster.Create && w.Kind.GroupKind() == view.Pods.GroupKind() {
			c.Missing++
			c.Pod, _ = w.Object.(*corev1.Pod)
		}
	}
	return c
}
