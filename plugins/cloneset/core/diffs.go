package core

// Group counts the pods of the update revision, or those of any other.
type Group struct {
	// Count is all of them, Active those not in PreparingDelete.
	Count, Active int
	// PreDeleting are in PreparingDelete, ToDelete are specified for deletion,
	// Unavailable are neither and not available.
	PreDeleting, ToDelete, Unavailable int
}

// Limits are the numbers of the spec, and what bears on their use.
type Limits struct {
	Replicas, Partition, MaxSurge, MaxUnavailable, ScaleMaxUnavailable int
	// SameRevision: the current revision is the update revision.
	SameRevision bool
	// Rollback is the gate CloneSetPartitionRollback.
	Rollback bool
	// ExcludePreparingDelete leaves pods in PreparingDelete out of scaling.
	ExcludePreparingDelete bool
}

// Diffs is the outcome of calculateDiffsWithExpectation with its steps, under
// upstream's variable names.
type Diffs struct {
	UpdateOldDiff, UpdateNewDiff, TotalUnavailable int
	ScaleSurge, ScaleOldRevisionSurge              int
	UpdateSurge, UpdateOldRevisionSurge            int
	UseSurge, UseSurgeOldRevision                  int
	CurrentTotalCount, CurrentTotalOldCount        int
	ExpectedTotalCount, ExpectedTotalOldCount      int
	ScaleUpNum, ScaleUpNumOldRevision              int
	ScaleUpLimit                                   int
	ScaleDownNum, ScaleDownNumOldRevision          int
	DeleteReadyLimit                               int
	UpdateNum, UpdateMaxUnavailable                int
}

// CalculateDiffs mirrors calculateDiffsWithExpectation
// (pkg/controller/cloneset/sync/cloneset_sync_utils.go, v1.9.1; the arithmetic
// is the same from 1.5 on).
func CalculateDiffs(l Limits, fresh, old Group) Diffs {
	var d Diffs
	d.UpdateOldDiff = old.Active - l.Partition
	d.UpdateNewDiff = fresh.Active - (l.Replicas - l.Partition)
	d.TotalUnavailable = fresh.PreDeleting + old.PreDeleting + fresh.Unavailable + old.Unavailable
	if l.SameRevision || !l.Rollback {
		d.UpdateOldDiff = max(d.UpdateOldDiff, 0)
		d.UpdateNewDiff = min(d.UpdateNewDiff, 0)
	}
	if l.MaxSurge > 0 {
		d.surge(l, fresh.ToDelete, fresh.ToDelete+old.ToDelete)
	}
	d.scale(l, fresh, old)
	d.update(l, fresh.Count+old.Count)
	return d
}

// surge is how many pods above replicas are wanted for a while.
func (d *Diffs) surge(l Limits, toDeleteNew, toDelete int) {
	if toDelete > 0 {
		d.ScaleSurge = min(max(d.TotalUnavailable+toDelete-l.MaxUnavailable, 0), toDelete)
		d.ScaleOldRevisionSurge = max(d.ScaleSurge-toDeleteNew, 0)
	}
	if d.UpdateOldDiff*d.UpdateNewDiff < 0 {
		d.UpdateSurge = min(Abs(d.UpdateOldDiff), Abs(d.UpdateNewDiff))
		if smaller := d.smaller(); smaller < 0 {
			d.UpdateOldRevisionSurge = d.UpdateSurge
		}
	}
	if d.ScaleSurge >= d.UpdateSurge {
		d.UseSurge = min(l.MaxSurge, d.ScaleSurge)
		d.UseSurgeOldRevision = min(d.UseSurge, d.ScaleOldRevisionSurge)
	} else {
		d.UseSurge = min(l.MaxSurge, d.UpdateSurge)
		d.UseSurgeOldRevision = min(d.UseSurge, d.UpdateOldRevisionSurge)
	}
}

// smaller is the number of pods to move to the update revision, negative for
// pods to move back.
func (d *Diffs) smaller() int {
	if Abs(d.UpdateOldDiff) <= Abs(d.UpdateNewDiff) {
		return d.UpdateOldDiff
	}
	return -d.UpdateNewDiff
}

func (d *Diffs) scale(l Limits, fresh, old Group) {
	pods, toDelete := fresh.Count+old.Count, fresh.ToDelete+old.ToDelete
	d.CurrentTotalCount, d.CurrentTotalOldCount = pods, old.Count
	if l.ExcludePreparingDelete {
		d.CurrentTotalCount -= fresh.PreDeleting + old.PreDeleting
		d.CurrentTotalOldCount -= old.PreDeleting
	}
	d.ExpectedTotalCount = l.Replicas + d.UseSurge
	d.ExpectedTotalOldCount = l.Partition + d.UseSurgeOldRevision
	if num := d.ExpectedTotalCount - d.CurrentTotalCount; num > 0 {
		d.ScaleUpNum = num
		d.ScaleUpNumOldRevision = max(d.ExpectedTotalOldCount-d.CurrentTotalOldCount, 0)
		d.ScaleUpLimit = min(num, max(l.ScaleMaxUnavailable-d.TotalUnavailable, 0))
	}
	if num := d.CurrentTotalCount - toDelete - d.ExpectedTotalCount; num > 0 {
		d.ScaleDownNum = num
		d.ScaleDownNumOldRevision = max(d.CurrentTotalOldCount-old.ToDelete-d.ExpectedTotalOldCount, 0)
	}
	if toDelete > 0 || d.ScaleDownNum > 0 {
		d.DeleteReadyLimit = max(l.MaxUnavailable+(pods-l.Replicas)-d.TotalUnavailable, 0)
	}
}

func (d *Diffs) update(l Limits, pods int) {
	d.UpdateNum = d.smaller()
	if d.UpdateNum != 0 {
		d.UpdateMaxUnavailable = l.MaxUnavailable + pods - l.Replicas
	}
}

// Abs returns n without its sign.
func Abs(n int) int { return max(n, -n) }
