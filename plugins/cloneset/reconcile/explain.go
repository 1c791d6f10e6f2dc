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
		facts = append(facts, t.scaleUpLimit(), decision.Derived(rules.KeyScaleUpNumOldRevision, d.ScaleUpNumOldRevision, "max(expectedTotalOldCount − currentTotalOldCount, 0)", t.oldCounts()...))
		s.Limit(rules.ScaleUpArithmetic, facts...)
	case d.ScaleDownNum > 0 || fresh.ToDelete+old.ToDelete > 0:
		facts = append(facts, t.scaleDown(), t.deleteReadyLimit())
		s.Limit(rules.ScaleDownArithmetic, facts...)
	default:
		s.Limit(rules.ScaleInStep, facts...)
	}
}

// ExplainUpdate adds the arithmetic of an update to the limits.
func (s *Run) ExplainUpdate(d core.Diffs, fresh, old core.Group) {
	t := tree{s, d, fresh, old}
	facts := []decision.Fact{t.updateNum()}
	if d.UpdateNum != 0 {
		facts = append(facts, t.updateMaxUnavailable())
	}
	s.Limit(rules.UpdateArithmetic, facts...)
}

func (t tree) spec(name decision.Key, value int, field string) decision.Fact {
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
	return t.spec(rules.KeyReplicas, t.s.Limits.Replicas, "replicas")
}

func (t tree) partition() decision.Fact {
	return t.spec(rules.KeyPartition, t.s.Limits.Partition, "updateStrategy.partition")
}

func (t tree) maxUnavailable() decision.Fact {
	return t.spec(decision.KeyMaxUnavailable, t.s.Limits.MaxUnavailable, "updateStrategy.maxUnavailable")
}

func (t tree) pods() decision.Fact { return decision.F(rules.KeyPods, t.fresh.Count+t.old.Count) }

func (t tree) currentTotal() decision.Fact {
	op, of := "pods", []decision.Fact{t.pods()}
	if t.s.Limits.ExcludePreparingDelete {
		op = "pods − preDeletingNewRevisionCount − preDeletingOldRevisionCount"
		of = append(of, decision.F(rules.KeyPreDeletingNewRevisionCount, t.fresh.PreDeleting), decision.F(rules.KeyPreDeletingOldRevisionCount, t.old.PreDeleting))
	}
	return decision.Derived(rules.KeyCurrentTotalCount, t.d.CurrentTotalCount, op, of...)
}

func (t tree) expectedTotal() decision.Fact {
	return decision.Derived(rules.KeyExpectedTotalCount, t.d.ExpectedTotalCount, "replicas + useSurge", t.replicas(), t.useSurge())
}

func (t tree) useSurge() decision.Fact {
	if t.s.Limits.MaxSurge == 0 {
		return decision.Derived(rules.KeyUseSurge, 0, "no surge", t.spec(decision.KeyMaxSurge, 0, "updateStrategy.maxSurge"))
	}
	return decision.Derived(rules.KeyUseSurge, t.d.UseSurge, "min(maxSurge, max(scaleSurge, updateSurge))",
		t.spec(decision.KeyMaxSurge, t.s.Limits.MaxSurge, "updateStrategy.maxSurge"),
		decision.Derived(rules.KeyScaleSurge, t.d.ScaleSurge, "min(max(totalUnavailable + toDelete − maxUnavailable, 0), toDelete)",
			t.totalUnavailable(), t.toDelete(), t.maxUnavailable()),
		decision.Derived(rules.KeyUpdateSurge, t.d.UpdateSurge, "min(|updateOldDiff|, |updateNewDiff|) when their signs differ", t.oldDiff(), t.newDiff()))
}

func (t tree) toDelete() decision.Fact {
	return decision.Derived(rules.KeyToDelete, t.fresh.ToDelete+t.old.ToDelete, "toDeleteNewRevisionCount + toDeleteOldRevisionCount",
		decision.F(rules.KeyToDeleteNewRevisionCount, t.fresh.ToDelete), decision.F(rules.KeyToDeleteOldRevisionCount, t.old.ToDelete))
}

func (t tree) totalUnavailable() decision.Fact {
	return decision.Derived(rules.KeyTotalUnavailable, t.d.TotalUnavailable, "preDeleting + unavailable",
		decision.F(rules.KeyPreDeletingNewRevisionCount, t.fresh.PreDeleting), decision.F(rules.KeyPreDeletingOldRevisionCount, t.old.PreDeleting),
		decision.F(rules.KeyUnavailableNewRevisionCount, t.fresh.Unavailable), decision.F(rules.KeyUnavailableOldRevisionCount, t.old.Unavailable))
}

func (t tree) scaleUpLimit() decision.Fact {
	return decision.Derived(rules.KeyScaleUpLimit, t.d.ScaleUpLimit, "min(scaleUpNum, max(scaleMaxUnavailable − totalUnavailable, 0))",
		decision.Derived(rules.KeyScaleUpNum, t.d.ScaleUpNum, "expectedTotalCount − currentTotalCount"),
		t.spec(rules.KeyScaleMaxUnavailable, t.s.Limits.ScaleMaxUnavailable, "scaleStrategy.maxUnavailable"), t.totalUnavailable())
}

func (t tree) oldCounts() []decision.Fact {
	return []decision.Fact{
		decision.Derived(rules.KeyExpectedTotalOldCount, t.d.ExpectedTotalOldCount, "partition + useSurgeOldRevision", t.partition(), decision.F(rules.KeyUseSurgeOldRevision, t.d.UseSurgeOldRevision)),
		decision.F(rules.KeyCurrentTotalOldCount, t.d.CurrentTotalOldCount),
	}
}

func (t tree) scaleDown() decision.Fact {
	return decision.Derived(rules.KeyScaleDownNum, t.d.ScaleDownNum, "currentTotalCount − toDelete − expectedTotalCount", t.toDelete(),
		decision.Derived(rules.KeyScaleDownNumOldRevision, t.d.ScaleDownNumOldRevision, "max(currentTotalOldCount − toDeleteOldRevisionCount − expectedTotalOldCount, 0)", t.oldCounts()...))
}

func (t tree) deleteReadyLimit() decision.Fact {
	return decision.Derived(rules.KeyDeleteReadyLimit, t.d.DeleteReadyLimit, "max(maxUnavailable + (pods − replicas) − totalUnavailable, 0)",
		t.maxUnavailable(), t.pods(), t.replicas(), t.totalUnavailable())
}

func (t tree) oldDiff() decision.Fact {
	return decision.Derived(rules.KeyUpdateOldDiff, t.d.UpdateOldDiff, t.clamped("oldRevisionActiveCount − partition", "max"),
		decision.F(rules.KeyOldRevisionActiveCount, t.old.Active), t.partition())
}

func (t tree) newDiff() decision.Fact {
	return decision.Derived(rules.KeyUpdateNewDiff, t.d.UpdateNewDiff, t.clamped("newRevisionActiveCount − (replicas − partition)", "min"),
		decision.F(rules.KeyNewRevisionActiveCount, t.fresh.Active), t.replicas(), t.partition())
}

// clamped: without gate CloneSetPartitionRollback pods only go forward.
func (t tree) clamped(op, f string) string {
	if t.s.Limits.SameRevision || !t.s.Limits.Rollback {
		return fmt.Sprintf("%s(%s, 0)", f, op)
	}
	return op
}

func (t tree) updateNum() decision.Fact {
	return decision.Derived(rules.KeyUpdateNum, t.d.UpdateNum, "the smaller of updateOldDiff and −updateNewDiff", t.oldDiff(), t.newDiff())
}

func (t tree) updateMaxUnavailable() decision.Fact {
	return decision.Derived(rules.KeyUpdateMaxUnavailable, t.d.UpdateMaxUnavailable, "maxUnavailable + pods − replicas", t.maxUnavailable(), t.pods(), t.replicas())
}
