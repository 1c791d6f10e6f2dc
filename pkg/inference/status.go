package inference

import (
	"slices"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// statusTime is when the controller last changed status, zero if the object
// does not say. The API server notes it for each manager that writes fields.
func (s *Subject) statusTime() time.Time {
	var at time.Time
	for _, m := range s.Object.GetManagedFields() {
		if m.Subresource == "status" && m.Manager == s.Controller.Manager && m.Time != nil && m.Time.After(at) {
			at = m.Time.Time
		}
	}
	return at.UTC()
}

// counted reports whether status counts what there is, of the spec that there is.
// It must also be what is wanted, or at least that where an update may surge: a
// sync that creates or deletes counts before it does, so that its own status
// can't be that.
func (s *Subject) counted() bool {
	if s.Observed < s.Object.GetGeneration() || s.Active < s.Wanted || !s.Controller.Forever && s.Active != s.Wanted {
		return false
	}
	for _, c := range s.Counts {
		if c.Stored != c.Actual {
			return false
		}
	}
	return true
}

// seenInStatus reports whether the controller wrote, after its last other write,
// a status that counts it.
func (i *inference) seenInStatus() bool {
	at := i.statusTime()
	if at.IsZero() || !i.counted() || i.lost(at) {
		return false
	}
	return len(i.writes) == 0 || !at.Before(i.writes[len(i.writes)-1].At)
}

// countsAll reports whether status shows that creations were seen, although it is not known when
// it was written: the sync that made them had fewer Pods than are wanted, and so did the status
// that it wrote. This one counts all, of the same spec, and no write was done lately.
func (i *inference) countsAll(open []Write) bool {
	return i.CreatesMissing && i.statusTime().IsZero() && i.counted() && i.Active == i.Wanted &&
		!slices.ContainsFunc(open, func(w Write) bool {
			return w.Verb != decision.Create || w.By == "event" || !i.now.After(expiry(w.At))
		})
}

// lost reports whether a pod that a CloneSet's controller created is not there,
// shortly before it wrote status: that was perhaps written by the sync that
// created it, and the pod went before a watch could show it. Nothing would ever
// fulfil that.
func (i *inference) lost(status time.Time) bool {
	return i.Controller.Forever && slices.ContainsFunc(i.writes, func(w Write) bool {
		return w.By == "event" && w.Verb == decision.Create && !i.leader.forgot(w) && !status.After(expiry(w.At))
	})
}

func (i *inference) tellStatus() {
	var facts []decision.Fact
	for _, c := range i.Counts {
		facts = append(facts, decision.At(c.Field, c.Stored, "status."+string(c.Field)), decision.F(c.Field+keyNow, c.Actual))
	}
	facts = append(facts, decision.F(keyCounted, i.counted()), decision.At(keyObservedGeneration, i.Observed, "status.observedGeneration"),
		decision.At(keyGeneration, i.Object.GetGeneration(), "metadata.generation"))
	if at := i.statusTime(); !at.IsZero() {
		facts = append(facts, decision.At(keyAge, ago(i.now, at), "metadata.managedFields"), decision.F(keyAt, stamp(at)))
	}
	i.found(i.Target, StatusSays, facts...)
}
