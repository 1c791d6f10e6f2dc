package cloneset

import (
	"fmt"
	"maps"
	"math"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// status foretells the status update: counts of the pods as they were claimed,
// before this sync's own actions (cloneset_status.go, v1.9.1).
func (s *sync) status() {
	next := s.nextStatus()
	s.d.Status = decision.StatusWrite{Writes: s.writes(next), Fields: s.statusFields(next), Ruling: decision.Ruled(StatusAsStored)}
	if s.d.Status.Writes {
		s.d.Status.Ruling = decision.Ruled(StatusCounted)
	}
	if err := s.err(); err != nil {
		rule := StatusErrorUnwritten
		if s.d.Status.Writes {
			rule = StatusError
		}
		s.d.Status.Ruling = decision.Ruled(rule, decision.F("error", err.Error()))
	}
	s.d.Status.Plain = s.d.Status.Rule == StatusCounted
	if c := progressing(next.Conditions); c != nil && c.Reason == deadlineExceeded && s.panicked == nil {
		s.limit(DeadlinePassed, decision.At("progressDeadlineSeconds", int(*s.set.spec.ProgressDeadlineSeconds), s.set.ref.String()+" spec.progressDeadlineSeconds"))
	}
	for _, c := range next.Conditions {
		s.d.Status.Conditions = append(s.d.Status.Conditions, decision.Condition{
			Type: c.Type, Status: c.Status, Reason: c.Reason, Message: c.Message, Since: c.LastTransitionTime.Time,
		})
	}
	s.availabilityTimer(next)
	if s.d.Status.Writes {
		_, s.statusErr = s.send(retried(s.toSet(true, func(now metav1.Object) metav1.Object { return withStatus(now, next) })))
	}
}

func (s *sync) err() error {
	if s.scaleErr != nil {
		return s.scaleErr
	}
	return s.updateErr
}

func (s *sync) nextStatus() status {
	next := status{
		ObservedGeneration: s.set.GetGeneration(), UpdateRevision: s.revisions.update.name,
		CurrentRevision: s.revisions.current.name, CollisionCount: s.set.status.CollisionCount,
		LabelSelector: s.set.selector.String(),
	}
	for _, m := range s.pods {
		next.count(m)
	}
	promoted := next.UpdatedReplicas == next.Replicas && (!s.behaviour.strictPromotion || int(next.Replicas) == s.set.want())
	if promoted {
		next.CurrentRevision = next.UpdateRevision
	}
	if partition, ok := partitioned(s.set.spec.UpdateStrategy.Partition, s.set.want()); ok {
		next.ExpectedUpdatedReplicas = int32(s.set.want() - partition)
	}
	next.Conditions = s.nextConditions(next)
	return next
}

func (st *status) count(m *member) {
	add := func(all, updated *int32) {
		*all++
		if m.updated {
			*updated++
		}
	}
	add(&st.Replicas, &st.UpdatedReplicas)
	if m.ready {
		add(&st.ReadyReplicas, &st.UpdatedReadyReplicas)
	}
	if m.available {
		add(&st.AvailableReplicas, &st.UpdatedAvailableReplicas)
	}
}

// nextConditions: from 1.9 on conditions of failures stay for good; before,
// the list was made anew by every sync.
func (s *sync) nextConditions(next status) []condition {
	var out []condition
	if s.behaviour.stickyConditions {
		out = append(out, s.set.status.Conditions...)
	}
	if s.scaleErr != nil {
		out = s.setCondition(out, condition{Type: "FailedScale", Status: "True", Message: s.scaleErr.Error()})
	}
	if s.updateErr != nil {
		out = s.setCondition(out, condition{Type: "FailedUpdate", Status: "True", Message: s.updateErr.Error()})
	}
	if s.behaviour.progressing {
		out = s.progress(out, next)
	}
	return out
}

// setCondition mirrors SetCloneSetCondition (utils/cloneset_utils.go, v1.9.1):
// one of the same status and reason stays as it is, message and all.
func (s *sync) setCondition(all []condition, c condition) []condition {
	now := metav1.Time{Time: s.now}
	c.LastTransitionTime = now
	if s.behaviour.stickyConditions && c.Type == progressingType {
		c.LastUpdateTime = now
	}
	var kept []condition
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
func (s *sync) progress(all []condition, next status) []condition {
	deadline := s.set.spec.ProgressDeadlineSeconds
	if deadline == nil || *deadline == math.MaxInt32 {
		return dropCondition(all, progressingType)
	}
	want := int32(s.set.want())
	c := condition{Type: progressingType, Status: "True"}
	stored := progressing(all)
	limit := time.Duration(*deadline) * time.Second
	switch {
	case next.CurrentRevision == next.UpdateRevision && next.Replicas == want && next.UpdatedReplicas == want && next.UpdatedAvailableReplicas == want:
		c.Reason, c.Message = "CloneSetAvailable", "CloneSet is available"
	case s.set.spec.UpdateStrategy.Paused:
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
	s.timer(left, DeadlineCheck)
}

func progressing(all []condition) *condition {
	for i := range all {
		if all[i].Type == progressingType {
			return &all[i]
		}
	}
	return nil
}

func dropCondition(all []condition, t string) []condition {
	var kept []condition
	for _, c := range all {
		if c.Type != t {
			kept = append(kept, c)
		}
	}
	return kept
}

// withStatus is the set with these fields in its status.
func withStatus(now metav1.Object, next status) metav1.Object {
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
