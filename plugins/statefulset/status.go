package statefulset

import (
	"errors"
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

// status is the status that a sync comes to, from the Pods that it leaves.
type status struct {
	*target
	history *history
	// next is what the sync comes to, nil where it ends before.
	next *appsv1.StatefulSetStatus
	// err is the API server's last answer, tries how often it was asked.
	err   error
	tries int
}

// begin makes the one that updateStatefulSet begins with (stateful_set_control.go, v1.37.1).
func (u *status) begin() {
	u.next = &appsv1.StatefulSetStatus{
		ObservedGeneration: u.set.Generation, CollisionCount: new(u.history.collisions),
		CurrentRevision: u.history.current.Name, UpdateRevision: u.history.update.Name,
	}
	if u.behaviour.conditions {
		u.next.Conditions = slices.Clone(u.set.Status.Conditions)
	}
}

// count mirrors updateStatus and computeReplicaStatus (same file).
func (u *status) count(lists ...[]*pod) {
	st := u.next
	st.Replicas, st.ReadyReplicas, st.AvailableReplicas, st.CurrentReplicas, st.UpdatedReplicas = 0, 0, 0, 0, 0
	for _, list := range lists {
		for _, p := range list {
			u.countPod(p)
		}
	}
}

func (u *status) countPod(p *pod) {
	st := u.next
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
	if p.revision == u.history.current.Name {
		st.CurrentReplicas++
	}
	if p.revision == u.history.update.Name {
		st.UpdatedReplicas++
	}
}

// complete mirrors completeUpdate (stateful_set_utils.go, v1.37.1), and
// completeRollingUpdate of 1.36 and before.
func (u *status) complete() {
	st, want := u.next, *u.set.Spec.Replicas
	rolling := u.set.Spec.UpdateStrategy.Type == appsv1.RollingUpdateStatefulSetStrategyType
	if !u.behaviour.completesAll && !rolling || st.UpdatedReplicas != want || st.ReadyReplicas != want || st.Replicas != want {
		return
	}
	st.CurrentReplicas, st.CurrentRevision = st.UpdatedReplicas, st.UpdateRevision
	if u.isRecreate() && u.behaviour.recreate && condition(st.Conditions) != nil {
		u.setProgressing(false, "RecreateCompleted", "All pods recreated successfully")
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
func (u *status) setProgressing(on bool, reason, message string) {
	next := appsv1.StatefulSetCondition{Type: progressing, Status: corev1.ConditionFalse, LastTransitionTime: metav1.Time{Time: u.now}, Reason: reason, Message: message}
	if on {
		next.Status = corev1.ConditionTrue
	}
	was := condition(u.next.Conditions)
	if was == nil {
		u.next.Conditions = append(u.next.Conditions, next)
		return
	}
	if was.Status == next.Status {
		next.LastTransitionTime = was.LastTransitionTime
	}
	*was = next
}

// differs mirrors inconsistentStatus (same file).
func (u *status) differs() bool {
	old, next := u.set.Status, u.next
	return next.ObservedGeneration > old.ObservedGeneration || next.Replicas != old.Replicas || next.CurrentReplicas != old.CurrentReplicas ||
		next.ReadyReplicas != old.ReadyReplicas || next.UpdatedReplicas != old.UpdatedReplicas || next.CurrentRevision != old.CurrentRevision ||
		next.AvailableReplicas != old.AvailableReplicas || next.UpdateRevision != old.UpdateRevision ||
		u.behaviour.conditions && !reflect.DeepEqual(old.Conditions, next.Conditions)
}

// write mirrors updateStatefulSetStatus (stateful_set_control.go) and
// UpdateStatefulSetStatus (stateful_set_status_updater.go, v1.37.1).
func (u *status) write(server *server) {
	u.complete()
	if !u.differs() {
		return
	}
	next := u.set.DeepCopy()
	next.Status = *u.next.DeepCopy()
	status := next.Status
	u.err = onConflict(retrySteps, func() error {
		u.tries++
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
		return server.send(w)
	})
}

// belowZero reports whether the last answer to status is that of admitStatus.
func (u *status) belowZero() bool {
	return u.next != nil && u.next.CurrentReplicas < 0 && errors.Is(u.err, cluster.ErrInvalid)
}

// shown says what is written into status.
func (u *status) shown() decision.StatusWrite {
	if u.next == nil {
		return decision.StatusWrite{Ruling: decision.Ruled(StatusNotReached)}
	}
	out := decision.StatusWrite{Writes: u.tries > 0, Fields: u.fields()}
	switch {
	case u.belowZero():
		out.Ruling = decision.Ruled(StatusBelowZero, decision.F(keyCurrent, u.next.CurrentReplicas))
	case u.err != nil:
		out.Ruling = decision.Ruled(StatusRefused, decision.F(keyTries, u.tries), decision.F(keyError, u.err.Error()))
	case out.Writes:
		out.Ruling, out.Plain = decision.Ruled(StatusWritten), true
	default:
		out.Ruling = decision.Ruled(StatusUnchanged)
	}
	if u.behaviour.conditions && !reflect.DeepEqual(u.set.Status.Conditions, u.next.Conditions) {
		for _, c := range u.next.Conditions {
			out.Conditions = append(out.Conditions, decision.Condition{
				Type: string(c.Type), Status: string(c.Status), Reason: c.Reason, Message: c.Message, Since: c.LastTransitionTime.UTC(),
			})
		}
	}
	return out
}

func (u *status) fields() []decision.FieldChange {
	old, next := u.set.Status, u.next
	observed := old.ObservedGeneration
	if u.tries > 0 {
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
	if was := ptr.Deref(old.CollisionCount, 0); was != u.history.collisions {
		fields = append(fields, field("collisionCount", was, u.history.collisions))
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
