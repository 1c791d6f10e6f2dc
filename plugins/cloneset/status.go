package cloneset

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
)

// status predicts the status update: counts of the pods as they were claimed,
// before this sync's own actions (cloneset_status.go, v1.9.1).
func (s *sync) status() {
	next := s.nextStatus()
	s.d.Status = decision.StatusWrite{Writes: s.writes(next), Fields: s.statusFields(next), Ruling: decision.Ruled(rules.StatusAsStored)}
	if s.d.Status.Writes {
		s.d.Status.Ruling = decision.Ruled(rules.StatusCounted)
	}
	if err := s.err(); err != nil {
		rule := rules.StatusErrorUnwritten
		if s.d.Status.Writes {
			rule = rules.StatusError
		}
		s.d.Status.Ruling = decision.Ruled(rule, decision.F("error", err.Error()))
	}
	s.d.Status.Plain = s.d.Status.Rule == rules.StatusCounted
	if c := progressing(next.Conditions); c != nil && c.Reason == deadlineExceeded && s.outcome.panicked == nil {
		s.limit(rules.DeadlinePassed, decision.At("progressDeadlineSeconds", int(*s.set.Spec.ProgressDeadlineSeconds), s.set.Ref.String()+" spec.progressDeadlineSeconds"))
	}
	for _, c := range next.Conditions {
		s.d.Status.Conditions = append(s.d.Status.Conditions, decision.Condition{
			Type: c.Type, Status: c.Status, Reason: c.Reason, Message: c.Message, Since: c.LastTransitionTime.UTC(),
		})
	}
	s.availabilityTimer(next)
	if s.d.Status.Writes {
		_, err := s.send(retried(s.toSet(true, func(now metav1.Object) metav1.Object { return withStatus(now, next) })))
		s.outcome.statusFails(err)
	}
}

func (s *sync) err() error {
	return cmp.Or(s.outcome.scaleErr, s.outcome.updateErr)
}

func (s *sync) nextStatus() api.Status {
	next := api.Status{
		ObservedGeneration: s.set.GetGeneration(), UpdateRevision: s.revisions.Update.Name,
		CurrentRevision: s.revisions.Current.Name, CollisionCount: s.set.Status.CollisionCount,
		LabelSelector: s.set.Selector.String(),
	}
	for _, m := range s.pods {
		count(&next, m)
	}
	promoted := next.UpdatedReplicas == next.Replicas && (!s.behaviour.StrictPromotion || int(next.Replicas) == s.set.Desired())
	if promoted {
		next.CurrentRevision = next.UpdateRevision
	}
	if partition, ok := api.PartitionOf(s.set.Spec.UpdateStrategy.Partition, s.set.Desired()); ok {
		next.ExpectedUpdatedReplicas = int32(s.set.Desired() - partition)
	}
	next.Conditions = s.nextConditions(next)
	return next
}

func count(st *api.Status, m *core.PodState) {
	add := func(all, updated *int32) {
		*all++
		if m.Updated {
			*updated++
		}
	}
	add(&st.Replicas, &st.UpdatedReplicas)
	if m.Ready {
		add(&st.ReadyReplicas, &st.UpdatedReadyReplicas)
	}
	if m.Available {
		add(&st.AvailableReplicas, &st.UpdatedAvailableReplicas)
	}
}

// nextConditions: from 1.9 on conditions of failures stay for good; before,
// the list was made anew by every sync.
func (s *sync) nextConditions(next api.Status) []api.Condition {
	var out []api.Condition
	if s.behaviour.StickyConditions {
		out = append(out, s.set.Status.Conditions...)
	}
	if s.outcome.scaleErr != nil {
		out = s.setCondition(out, api.Condition{Type: "FailedScale", Status: "True", Message: s.outcome.scaleErr.Error()})
	}
	if s.outcome.updateErr != nil {
		out = s.setCondition(out, api.Condition{Type: "FailedUpdate", Status: "True", Message: s.outcome.updateErr.Error()})
	}
	if s.behaviour.Progressing {
		out = s.progress(out, next)
	}
	return out
}

// setCondition mirrors SetCloneSetCondition (utils/cloneset_utils.go, v1.9.1):
// one of the same status and reason stays as it is, message and all.
func (s *sync) setCondition(all []api.Condition, c api.Condition) []api.Condition {
	now := metav1.Time{Time: s.now}
	c.LastTransitionTime = now
	if s.behaviour.StickyConditions && c.Type == progressingType {
		c.LastUpdateTime = now
	}
	var kept []api.Condition
	for _, old := range all {
		switch {
		case old.Type != c.Type:
			kept = append(kept, old)
		case old.Status == c.Status && old.Reason == c.Reason:
			return all
		case old.Status == c.Status:
			c.LastTransitionTime = old.LastTransitionTime
		}
	}
	return append(kept, c)
}

// The condition of the progress deadline, and its reason once that has passed.
const (
	progressingType  = "Progressing"
	deadlineExceeded = "ProgressDeadlineExceeded"
)

// progress mirrors calculateProgressingStatus.
func (s *sync) progress(all []api.Condition, next api.Status) []api.Condition {
	deadline := s.set.Spec.ProgressDeadlineSeconds
	if deadline == nil || *deadline == math.MaxInt32 {
		return dropCondition(all, progressingType)
	}
	want := int32(s.set.Desired())
	c := api.Condition{Type: progressingType, Status: "True"}
	stored := progressing(all)
	limit := time.Duration(*deadline) * time.Second
	switch {
	case next.CurrentRevision == next.UpdateRevision && next.Replicas == want && next.UpdatedReplicas == want && next.UpdatedAvailableReplicas == want:
		c.Reason, c.Message = "CloneSetAvailable", "CloneSet is available"
	case s.set.Spec.UpdateStrategy.Paused:
		c.Reason, c.Message = "CloneSetPaused", "CloneSet is paused"
	case next.ExpectedUpdatedReplicas < want && next.ExpectedUpdatedReplicas <= next.UpdatedAvailableReplicas:
		c.Reason, c.Message = "ProgressPartitionAvailable", "CloneSet has been paused due to partition ready"
	case stored != nil && (stored.Reason == deadlineExceeded || stored.LastUpdateTime.Add(limit).Before(s.now)):
		c.Status, c.Reason = "False", deadlineExceeded
		c.Message = fmt.Sprintf("CloneSet revision %s has timed out progressing", next.UpdateRevision)
	default:
		c.Reason, c.Message = "CloneSetUpdated", "CloneSet is progressing"
		all = s.setCondition(all, c)
		s.deadlineTimer(progressing(all).LastUpdateTime.Time.Add(limit).Sub(s.now))
		return all
	}
	return s.setCondition(all, c)
}

func (s *sync) deadlineTimer(left time.Duration) {
	if left >= time.Second {
		left += time.Second
	}
	s.timer(left, rules.DeadlineCheck)
}

func progressing(all []api.Condition) *api.Condition {
	for i := range all {
		if all[i].Type == progressingType {
			return &all[i]
		}
	}
	return nil
}

func dropCondition(all []api.Condition, t string) []api.Condition {
	var kept []api.Condition
	for _, c := range all {
		if c.Type != t {
			kept = append(kept, c)
		}
	}
	return kept
}

// withStatus is the set with these fields in its status.
func withStatus(now metav1.Object, next api.Status) metav1.Object {
	set, ok := view.Copy(now).(*unstructured.Unstructured)
	if !ok {
		return now
	}
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&next)
	stored, _, found := unstructured.NestedMap(set.Object, "status")
	if err != nil || found != nil {
		return now
	}
	if stored == nil {
		stored = map[string]any{}
	}
	maps.Copy(stored, fields)
	set.Object["status"] = stored
	return set
}
