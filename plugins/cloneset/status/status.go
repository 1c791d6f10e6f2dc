package status

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
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
)

// writer is the run that counts its Pods.
type writer struct{ *reconcile.Run }

// Write predicts the status update: counts of the pods as they were claimed,
// before this sync's own actions (cloneset_status.go, v1.9.1).
func Write(run *reconcile.Run) decision.StatusWrite { return (&writer{run}).status() }

// Next returns the status that the set is to have.
func Next(run *reconcile.Run) api.Status { return (&writer{run}).nextStatus() }

func (s *writer) status() decision.StatusWrite {
	next := s.nextStatus()
	out := decision.StatusWrite{Writes: s.writes(next), Fields: s.statusFields(next), Ruling: decision.Ruled(rules.StatusUnchanged)}
	if out.Writes {
		out.Ruling = decision.Ruled(rules.StatusWritten)
	}
	if err := s.Outcome.Err(); err != nil {
		rule := rules.StatusErrorUnwritten
		if out.Writes {
			rule = rules.StatusError
		}
		out.Ruling = decision.Ruled(rule, decision.F(rules.KeyError, err.Error()))
	}
	out.Plain = out.Rule == rules.StatusWritten
	if c := Progressing(next.Conditions); c != nil && c.Reason == DeadlineExceeded && s.Outcome.Panicked == nil {
		s.Limit(rules.DeadlinePassed, decision.At(rules.KeyProgressDeadlineSeconds, int(*s.Set.Spec.ProgressDeadlineSeconds), s.Set.Ref.String()+" spec.progressDeadlineSeconds"))
	}
	for _, c := range next.Conditions {
		out.Conditions = append(out.Conditions, decision.Condition{
			Type: c.Type, Status: c.Status, Reason: c.Reason, Message: c.Message, Since: c.LastTransitionTime.UTC(),
		})
	}
	s.availabilityTimer(next)
	if out.Writes {
		_, err := s.Send(reconcile.Retried(s.ToSet(true, func(now metav1.Object) metav1.Object { return withStatus(now, next) })))
		s.Outcome.StatusFails(err)
	}
	return out
}

func (s *writer) nextStatus() api.Status {
	next := api.Status{
		ObservedGeneration: s.Set.GetGeneration(), UpdateRevision: s.Revisions.Update.Name,
		CurrentRevision: s.Revisions.Current.Name, CollisionCount: s.Set.Status.CollisionCount,
		LabelSelector: s.Set.Selector.String(),
	}
	for _, m := range s.Pods {
		count(&next, m)
	}
	promoted := next.UpdatedReplicas == next.Replicas && (!s.Behaviour.StrictPromotion || int(next.Replicas) == s.Set.Desired())
	if promoted {
		next.CurrentRevision = next.UpdateRevision
	}
	if partition, ok := api.PartitionOf(s.Set.Spec.UpdateStrategy.Partition, s.Set.Desired()); ok {
		next.ExpectedUpdatedReplicas = int32(s.Set.Desired() - partition)
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
func (s *writer) nextConditions(next api.Status) []api.Condition {
	var out []api.Condition
	if s.Behaviour.StickyConditions {
		out = append(out, s.Set.Status.Conditions...)
	}
	if s.Outcome.ScaleErr != nil {
		out = s.setCondition(out, api.Condition{Type: "FailedScale", Status: "True", Message: s.Outcome.ScaleErr.Error()})
	}
	if s.Outcome.UpdateErr != nil {
		out = s.setCondition(out, api.Condition{Type: "FailedUpdate", Status: "True", Message: s.Outcome.UpdateErr.Error()})
	}
	if s.Behaviour.Progressing {
		out = s.progress(out, next)
	}
	return out
}

// setCondition mirrors SetCloneSetCondition (utils/cloneset_utils.go, v1.9.1):
// one of the same status and reason stays as it is, message and all.
//
//go:noinline // it is called at many places
func (s *writer) setCondition(all []api.Condition, c api.Condition) []api.Condition {
	now := metav1.Time{Time: s.Now}
	c.LastTransitionTime = now
	if s.Behaviour.StickyConditions && c.Type == ProgressingType {
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
	ProgressingType  = "Progressing"
	DeadlineExceeded = "ProgressDeadlineExceeded"
)

// progress mirrors calculateProgressingStatus.
func (s *writer) progress(all []api.Condition, next api.Status) []api.Condition {
	deadline := s.Set.Spec.ProgressDeadlineSeconds
	if deadline == nil || *deadline == math.MaxInt32 {
		return dropCondition(all, ProgressingType)
	}
	want := int32(s.Set.Desired())
	c := api.Condition{Type: ProgressingType, Status: "True"}
	stored := Progressing(all)
	limit := time.Duration(*deadline) * time.Second
	switch {
	case next.CurrentRevision == next.UpdateRevision && next.Replicas == want && next.UpdatedReplicas == want && next.UpdatedAvailableReplicas == want:
		c.Reason, c.Message = "CloneSetAvailable", "CloneSet is available"
	case s.Set.Spec.UpdateStrategy.Paused:
		c.Reason, c.Message = "CloneSetPaused", "CloneSet is paused"
	case next.ExpectedUpdatedReplicas < want && next.ExpectedUpdatedReplicas <= next.UpdatedAvailableReplicas:
		c.Reason, c.Message = "ProgressPartitionAvailable", "CloneSet has been paused due to partition ready"
	case stored != nil && (stored.Reason == DeadlineExceeded || stored.LastUpdateTime.Add(limit).Before(s.Now)):
		c.Status, c.Reason = "False", DeadlineExceeded
		c.Message = fmt.Sprintf("CloneSet revision %s has timed out progressing", next.UpdateRevision)
	default:
		c.Reason, c.Message = "CloneSetUpdated", "CloneSet is progressing"
		all = s.setCondition(all, c)
		s.deadlineTimer(Progressing(all).LastUpdateTime.Time.Add(limit).Sub(s.Now))
		return all
	}
	return s.setCondition(all, c)
}

func (s *writer) deadlineTimer(left time.Duration) {
	if left >= time.Second {
		left += time.Second
	}
	s.Timer(left, rules.DeadlineCheck)
}

// Progressing returns the condition of the progress deadline, nil for none.
func Progressing(all []api.Condition) *api.Condition {
	for i := range all {
		if all[i].Type == ProgressingType {
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

// availabilityTimer: while ready pods are not available, the set is looked at
// again after minReadySeconds, which count from the sync (the end of doReconcile, v1.9.1).
func (s *writer) availabilityTimer(next api.Status) {
	if s.Outcome.Err() == nil && next.AvailableReplicas != next.ReadyReplicas {
		before, pod := s.Ripens()
		s.Timer(time.Duration(s.Set.Spec.MinReadySeconds)*time.Second, rules.MinReadyCheck, decision.F(rules.KeyBefore, before.String()), decision.F(rules.KeyPod, pod),
			decision.At(rules.KeyMinReadySeconds, s.Set.Spec.MinReadySeconds, s.Set.Ref.String()+" spec.minReadySeconds"))
	}
}
