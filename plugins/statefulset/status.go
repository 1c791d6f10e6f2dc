package statefulset

import (
	"fmt"
	"reflect"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// newStatus is what updateStatefulSet begins with (stateful_set_control.go, v1.37.1).
func (s *reconcile) newStatus() *appsv1.StatefulSetStatus {
	status := &appsv1.StatefulSetStatus{
		ObservedGeneration: s.set.Generation, CollisionCount: new(s.history.collisions),
		CurrentRevision: s.history.current.Name, UpdateRevision: s.history.update.Name,
	}
	if s.behaviour.conditions {
		status.Conditions = slices.Clone(s.set.Status.Conditions)
	}
	return status
}

// count mirrors updateStatus and computeReplicaStatus (same file).
func (s *reconcile) count(lists ...[]*pod) {
	st := s.status
	st.Replicas, st.ReadyReplicas, st.AvailableReplicas, st.CurrentReplicas, st.UpdatedReplicas = 0, 0, 0, 0, 0
	for _, list := range lists {
		for _, p := range list {
			s.countPod(p)
		}
	}
}

func (s *reconcile) countPod(p *pod) {
	st := s.status
	if p.created {
		st.Replicas++
	}
	if p.ready {
		st.ReadyReplicas++
		if p.available {
			st.AvailableReplicas++
		}
	}
	if !p.created || p.terminating() {
		return
	}
	if p.revision == s.history.current.Name {
		st.CurrentReplicas++
	}
	if p.revision == s.history.update.Name {
		st.UpdatedReplicas++
	}
}

// complete mirrors completeUpdate (stateful_set_utils.go, v1.37.1), and
// completeRollingUpdate of 1.36 and before.
func (s *reconcile) complete() {
	st, want := s.status, *s.set.Spec.Replicas
	rolling := s.set.Spec.UpdateStrategy.Type == appsv1.RollingUpdateStatefulSetStrategyType
	if !s.behaviour.completesAll && !rolling || st.UpdatedReplicas != want || st.ReadyReplicas != want || st.Replicas != want {
		return
	}
	st.CurrentReplicas, st.CurrentRevision = st.UpdatedReplicas, st.UpdateRevision
	if s.isRecreate() && s.behaviour.recreate && condition(st.Conditions) != nil {
		s.setProgressing(false, "RecreateCompleted", "All pods recreated successfully")
	}
}

// progressing is the condition of the strategy Recreate.
const progressing = appsv1.StatefulSetConditionType("Progressing")

func condition(all []appsv1.StatefulSetCondition) *appsv1.StatefulSetCondition {
	for i := range all {
		if all[i].Type == progressing {
			return &all[i]
		}
	}
	return nil
}

// setProgressing mirrors setStatefulSetCondition (same file).
func (s *reconcile) setProgressing(on bool, reason, message string) {
	next := appsv1.StatefulSetCondition{Type: progressing, Status: corev1.ConditionFalse, LastTransitionTime: metav1.Time{Time: s.now}, Reason: reason, Message: message}
	if on {
		next.Status = corev1.ConditionTrue
	}
	was := condition(s.status.Conditions)
	if was == nil {
		s.status.Conditions = append(s.status.Conditions, next)
		return
	}
	if was.Status == next.Status {
		next.LastTransitionTime = was.LastTransitionTime
	}
	*was = next
}

// differs mirrors inconsistentStatus (same file).
func (s *reconcile) differs() bool {
	old, next := s.set.Status, s.status
	return next.ObservedGeneration > old.ObservedGeneration || next.Replicas != old.Replicas || next.CurrentReplicas != old.CurrentReplicas ||
		next.ReadyReplicas != old.ReadyReplicas || next.UpdatedReplicas != old.UpdatedReplicas || next.CurrentRevision != old.CurrentRevision ||
		next.AvailableReplicas != old.AvailableReplicas || next.UpdateRevision != old.UpdateRevision ||
		s.behaviour.conditions && !reflect.DeepEqual(old.Conditions, next.Conditions)
}

// writeStatus mirrors updateStatefulSetStatus (stateful_set_control.go) and
// UpdateStatefulSetStatus (stateful_set_status_updater.go, v1.37.1).
func (s *reconcile) writeStatus() {
	s.complete()
	if !s.differs() {
		return
	}
	next := s.set.DeepCopy()
	next.Status = *s.status.DeepCopy()
	status := next.Status
	s.statusErr = onConflict(retrySteps, func() error {
		s.tries++
		w := object(cluster.Update, view.StatefulSets, next)
		w.Status, w.Rereads = true, true
		w.Stored = func(now metav1.Object) metav1.Object {
			set, ok := view.Copy(now).(*appsv1.StatefulSet)
			if !ok {
				return now
			}
			set.Status = *status.DeepCopy()
			return set
		}
		return s.server.send(w)
	})
}

// statusWrite says what is written into status.
func (s *reconcile) statusWrite() decision.StatusWrite {
	if s.status == nil {
		return decision.StatusWrite{Ruling: decision.Ruled(StatusNotReached)}
	}
	out := decision.StatusWrite{Writes: s.tries > 0, Fields: s.statusFields()}
	switch {
	case s.belowZero():
		out.Ruling = decision.Ruled(StatusBelowZero, decision.F(keyCurrent, s.status.CurrentReplicas))
	case s.statusErr != nil:
		out.Ruling = decision.Ruled(StatusRefused, decision.F(keyTries, s.tries), decision.F(keyError, s.statusErr.Error()))
	case out.Writes:
		out.Ruling, out.Plain = decision.Ruled(StatusWritten), true
	default:
		out.Ruling = decision.Ruled(StatusUnchanged)
	}
	if s.behaviour.conditions && !reflect.DeepEqual(s.set.Status.Conditions, s.status.Conditions) {
		for _, c := range s.status.Conditions {
			out.Conditions = append(out.Conditions, decision.Condition{
				Type: string(c.Type), Status: string(c.Status), Reason: c.Reason, Message: c.Message, Since: c.LastTransitionTime.UTC(),
			})
		}
	}
	return out
}

func (s *reconcile) statusFields() []decision.FieldChange {
	old, next := s.set.Status, s.status
	observed := old.ObservedGeneration
	if s.tries > 0 {
		observed = next.ObservedGeneration
	}
	fields := []decision.FieldChange{
		field("replicas", old.Replicas, next.Replicas), field("readyReplicas", old.ReadyReplicas, next.ReadyReplicas),
		field("availableReplicas", old.AvailableReplicas, next.AvailableReplicas),
		field("currentReplicas", old.CurrentReplicas, next.CurrentReplicas), field("updatedReplicas", old.UpdatedReplicas, next.UpdatedReplicas),
		field("currentRevision", orNone(old.CurrentRevision), orNone(next.CurrentRevision)),
		field("updateRevision", orNone(old.UpdateRevision), orNone(next.UpdateRevision)),
		field("observedGeneration", old.ObservedGeneration, observed),
	}
	if was := ptr.Deref(old.CollisionCount, 0); was != s.history.collisions {
		fields = append(fields, field("collisionCount", was, s.history.collisions))
	}
	return fields
}

func orNone(text string) string {
	if text == "" {
		return "unset"
	}
	return text
}

func field[T int32 | int64 | string](name string, stored, next T) decision.FieldChange {
	return decision.FieldChange{Field: name, Stored: fmt.Sprint(stored), Next: fmt.Sprint(next)}
}
