package reconcile

import (
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
)

// tree makes the facts of calculateDiffsWithExpectation under upstream's
// variable names, each leaf with the field it was read from.
type tree struct {
	s          *Run
	d          core.Diffs
	fresh, old core.Group
}

// ExplainScale records the arithmetic of scaling, ExplainUpdate that of the
// update. They differ in how pods in PreparingUpdate count.
func (s *Run) ExplainScale(d core.Diffs, fresh, old core.Group) {
	t := tree{s, d, fresh, old}
	facts := []decision.Fact{t.currentTotal(), t.expectedTotal()}
	switch {
	case d.ScaleUpNum > 0:
		facts = append(facts, t.scaleUpLimit(), decision.Derived("scaleUpNumOldRevision", d.ScaleUpNumOldRevision, "max(expectedTotalOldCount − currentTotalOldCount, 0)", t.oldCounts()...))
		s.Limit(rules.ScaleUpArithmetic, facts...)
	case d.ScaleDownNum > 0 || fresh.ToDelete+old.ToDelete > 0:
		facts = append(facts, t.scaleDown(), t.deleteReadyLimit())
		s.Limit(rules.ScaleDownArithmetic, facts...)
	default:
		s.Limit(rules.ScaleInStep, facts...)
	}
}

func (s *Run) ExplainUpdate(d core.Diffs, fresh, old core.Group) {
	t := tree{s, d, fresh, old}
	facts := []decision.Fact{t.updateNum()}
	if d.UpdateNum != 0 {
		facts = append(facts, t.updateMaxUnavailable())
	}
	s.Limit(rules.UpdateArithmetic, facts...)
}

func (t tree) spec(name string, value int, field string) decision.Fact {
	return decision.At(name, value, t.s.Set.Ref.String()+" spec."+field+t.written(field))
}

// written is what stands in the field, where the number was made from it.
func (t tree) written(field string) string {
	if text := t.s.Set.Written(field); text != "" {
		return " (" + text + ")"
	}
	return ""
}

func (t tree) replicas() decision.Fact {
	return t.spec("replicas", t.s.Limits.Replicas, "replicas")
}

func (t tree) partition() decision.Fact {
	return t.spec("partition", t.s.Limits.Partition, "updateStrategy.partition")
}

func (t tree) maxUnavailable() decision.Fact {
	return t.spec("maxUnavailable", t.s.Limits.MaxUnavailable, "updateStrategy.maxUnavailable")
}

func (t tree) pods() decision.Fact { return decision.F("pods", t.fresh.Count+t.old.Count) }

func (t tree) currentTotal() decision.Fact {
	op, of := "pods", []decision.Fact{t.pods()}
	if t.s.Limits.ExcludePreparingDelete {
		op = "pods − preDeletingNewRevisionCount − preDeletingOldRevisionCount"
		of = append(of, decision.F("preDeletingNewRevisionCount", t.fresh.PreDeleting), decision.F("preDeletingOldRevisionCount", t.old.PreDeleting))
	}
	return decision.Derived("currentTotalCount", t.d.CurrentTotalCount, op, of...)
}

func (t tree) expectedTotal() decision.Fact {
	return decision.Derived("expectedTotalCount", t.d.ExpectedTotalCount, "replicas + useSurge", t.replicas(), t.useSurge())
}

func (t tree) useSurge() decision.Fact {
	if t.s.Limits.MaxSurge == 0 {
		return decision.Derived("useSurge", 0, "no surge", t.spec("maxSurge", 0, "updateStrategy.maxSurge"))
	}
	return decision.Derived("useSurge", t.d.UseSurge, "min(maxSurge, max(scaleSurge, updateSurge))",
		t.spec("maxSurge", t.s.Limits.MaxSurge, "updateStrategy.maxSurge"),
		decision.Derived("scaleSurge", t.d.ScaleSurge, "min(max(totalUnavailable + toDelete − maxUnavailable, 0), toDelete)",
			t.totalUnavailable(), t.toDelete(), t.maxUnavailable()),
		decision.Derived("updateSurge", t.d.UpdateSurge, "min(|updateOldDiff|, |updateNewDiff|) when their signs differ", t.oldDiff(), t.newDiff()))
}

func (t tree) toDelete() decision.Fact {
	return decision.Derived("toDelete", t.fresh.ToDelete+t.old.ToDelete, "toDeleteNewRevisionCount + toDeleteOldRevisionCount",
		decision.F("toDeleteNewRevisionCount", t.fresh.ToDelete), decision.F("toDeleteOldRevisionCount", t.old.ToDelete))
}

func (t tree) totalUnavailable() decision.Fact {
	return decision.Derived("totalUnavailable", t.d.TotalUnavailable, "preDeleting + unavailable",
		decision.F("preDeletingNewRevisionCount", t.fresh.PreDeleting), decision.F("preDeletingOldRevisionCount", t.old.PreDeleting),
		decision.F("unavailableNewRevisionCount", t.fresh.Unavailable), decision.F("unavailableOldRevisionCount", t.old.Unavailable))
}

func (t tree) scaleUpLimit() decision.Fact {
	return decision.Derived("scaleUpLimit", t.d.ScaleUpLimit, "min(scaleUpNum, max(scaleMaxUnavailable − totalUnavailable, 0))",
		decision.Derived("scaleUpNum", t.d.ScaleUpNum, "expectedTotalCount − currentTotalCount"),
		t.spec("scaleMaxUnavailable", t.s.Limits.ScaleMaxUnavailable, "scaleStrategy.maxUnavailable"), t.totalUnavailable())
}

func (t tree) oldCounts() []decision.Fact {
	return []decision.Fact{
		decision.Derived("expectedTotalOldCount", t.d.ExpectedTotalOldCount, "partition + useSurgeOldRevision", t.partition(), decision.F("useSurgeOldRevision", t.d.UseSurgeOldRevision)),
		decision.F("currentTotalOldCount", t.d.CurrentTotalOldCount),
	}
}

func (t tree) scaleDown() decision.Fact {
	return decision.Derived("scaleDownNum", t.d.ScaleDownNum, "currentTotalCount − toDelete − expectedTotalCount", t.toDelete(),
		decision.Derived("scaleDownNumOldRevision", t.d.ScaleDownNumOldRevision, "max(currentTotalOldCount − toDeleteOldRevisionCount − expectedTotalOldCount, 0)", t.oldCounts()...))
}

func (t tree) deleteReadyLimit() decision.Fact {
	return decision.Derived("deleteReadyLimit", t.d.DeleteReadyLimit, "max(maxUnavailable + (pods − replicas) − totalUnavailable, 0)",
		t.maxUnavailable(), t.pods(), t.replicas(), t.totalUnavailable())
}

func (t tree) oldDiff() decision.Fact {
	return decision.Derived("updateOldDiff", t.d.UpdateOldDiff, t.clamped("oldRevisionActiveCount − partition", "max"),
		decision.F("oldRevisionActiveCount", t.old.Active), t.partition())
}

func (t tree) newDiff() decision.Fact {
	return decision.Derived("updateNewDiff", t.d.UpdateNewDiff, t.clamped("newRevisionActiveCount − (replicas − partition)", "min"),
		decision.F("newRevisionActiveCount", t.fresh.Active), t.replicas(), t.partition())
}

// clamped: without gate CloneSetPartitionRollback pods only go forward.
func (t tree) clamped(op, f string) string {
	if t.s.Limits.SameRevision || !t.s.Limits.Rollback {
		return fmt.Sprintf("%s(%s, 0)", f, op)
	}
	return op
}

func (t tree) updateNum() decision.Fact {
	return decision.Derived("updateNum", t.d.UpdateNum, "the smaller of updateOldDiff and −updateNewDiff", t.oldDiff(), t.newDiff())
}

func (t tree) updateMaxUnavailable() decision.Fact {
	return decision.Derived("updateMaxUnavailable", t.d.UpdateMaxUnavailable, "maxUnavailable + pods − replicas", t.maxUnavailable(), t.pods(), t.replicas())
}
