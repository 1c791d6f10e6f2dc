package cloneset

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/claim"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/contest"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/evidence"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/revision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/scale"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/status"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/update"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// sync is one run of doReconcile, and what it finds to be the set's own.
type sync struct {
	*reconcile.Run
	found claim.Claims
	// courses are the sync had others adopted contested Pods first.
	courses []contest.Course
}

// Decide tells what the controller's next sync of the target does. Errors:
// *view.NotFound, an object of another version, and whatever kept the target
// itself from being read. What else could not be read is noted in the Reader.
func Decide(r *view.Reader, p profile.Profile, t view.Target, given reconcile.Given) (*decision.Decision, error) {
	s, err := decide(r, p, t, given, nil)
	if err != nil {
		return nil, err
	}
	return s.Decision, nil
}

// decide keeps the requests of the sync in log, if that is not nil.
func decide(r *view.Reader, p profile.Profile, t view.Target, given reconcile.Given, log *cluster.Log) (*sync, error) {
	set, err := api.Get(r, t)
	if err != nil {
		return nil, err
	}
	s := &sync{Run: reconcile.New(r, p.Kubernetes, kruise.Installed(r, p), set, given)}
	s.Log = log
	s.run(ownership.Lost{})
	s.contest()
	if r.Provisional() {
		return s, nil // what else to read depends on what is missing
	}
	s.Decision.Summarize()
	evidence.DoubtRefusal(s.Run)
	evidence.Find(s.Run)
	evidence.Caveats(s.Run, s.courses, s.found.Contested)
	return s, nil
}

// contest decides again for each choice of others that adopt contested Pods first.
func (s *sync) contest() {
	if len(s.found.Contested) == 0 || s.Reader.Provisional() {
		return
	}
	losses, all := ownership.Losses(s.Reader, view.Pods, s.Set.GetUID(), s.found.Contested)
	for _, lost := range losses {
		s.courses = append(s.courses, contest.Course{Lost: lost, Decision: s.without(lost)})
	}
	contest.TakeBack(s.Decision, s.courses, all)
}

// without is the decision had others adopted the lost Pods.
func (s *sync) without(lost ownership.Lost) *decision.Decision {
	o := &sync{Run: reconcile.New(s.Reader, s.Kubernetes, s.Kruise, s.Set, s.Given)}
	o.run(lost)
	o.Decision.Summarize()
	return o.Decision
}

// run follows doReconcile step by step (cloneset_controller.go, v1.9.1), had others
// adopted the lost Pods.
func (s *sync) run(lost ownership.Lost) {
	if s.pass(s.expectations()); !s.Decision.Gate.Open {
		return
	}
	s.found = claim.Find(s.Run, lost)
	s.Volumes = s.found.Volumes
	decision.Fill(s.Decision).Claims(s.found.Verdicts)
	if s.found.Err == nil {
		s.findRevisions()
		if s.Reader.Provisional() {
			return
		}
		s.Pods = s.States(s.found.Active)
		if s.rollbackPanics() {
			return
		}
		s.found.Fail(s.storeRevision())
	}
	if s.found.Err != nil {
		s.pass(passage{gateOf(false, decision.Ruled(rules.ClaimRefused, decision.F(rules.KeyError, s.found.Err.Error()))), retry(s.found.Err)})
		return
	}
	decision.Fill(s.Decision).Revisions(s.Revisions.Shown(s.Pods))
	s.count()
	if waits := s.versions(); waits != nil {
		s.pass(*waits)
		return
	}
	update.PreDownload(s.Run)
	s.act()
	decision.Fill(s.Decision).Status(status.Write(s.Run))
	if s.Outcome.StatusErr == nil {
		s.truncate()
	}
	decision.Fill(s.Decision).After(s.Record.Show(), s.Decision.Expectations.ReadBack)
	s.Decision.MarkPossibleVersions()
	next := s.nextSync()
	next.MayFail = len(s.Chance.Doubts) > 0
	s.Decision.Look(next)
}

// pass puts on record whether the sync goes on.
func (s *sync) pass(p passage) {
	decision.Fill(s.Decision).Gate(p.gate)
	s.Decision.Look(p.next)
}

// act mirrors syncCloneSet: scaling, and when that did nothing, updating.
func (s *sync) act() {
	if s.Set.Deleting() {
		decision.Fill(s.Decision).Gate(gateOf(false, decision.Ruled(rules.CloneSetDeleting,
			decision.At(rules.KeyDeletionTimestamp, format.Instant(s.Set.GetDeletionTimestamp().Time), "metadata.deletionTimestamp"))))
		return
	}
	if !s.Reader.Brief() {
		decision.Fill(s.Decision).RoomForUpdates(len(s.Pods)) // one for each
	}
	scale.Scale(s.Run)
	if s.Outcome.Scaling {
		update.Skip(s.Run)
		return
	}
	if update.Update(s.Run); s.Chance.Resizes {
		scale.Resizing(s.Run)
	}
}

// count is what the counts in the first line are taken from.
func (s *sync) count() {
	for _, field := range s.readLimits() {
		s.Limit(rules.InvalidNumber, decision.F(rules.KeyField, field), decision.At(decision.KeyValue, s.Set.Written(field), s.Set.Ref.String()+" spec."+field))
	}
	updated, doubted := 0, false
	for _, m := range s.Pods {
		if m.Updated {
			updated++
		}
		doubted = doubted || s.Revisions.Doubts(m)
	}
	decision.Fill(s.Decision).Rollout(&decision.Rollout{Updated: updated, Desired: s.Set.Desired() - s.Limits.Partition, Partition: s.Limits.Partition, Doubted: doubted, Paused: s.Set.Spec.UpdateStrategy.Paused})
	decision.Fill(s.Decision).Count(decision.Derived(decision.KeyDiff, len(s.Pods)-s.Set.Desired(), "active − spec.replicas",
		decision.F(decision.KeyActive, len(s.Pods)),
		decision.At(decision.KeySpecReplicas, s.Set.Desired(), s.Set.Ref.String()+" spec.replicas"),
		decision.F(rules.KeyUpdated, updated),
		decision.Derived(rules.KeyUpdatedWanted, s.Set.Desired()-s.Limits.Partition, "replicas − partition",
			decision.At(rules.KeyPartition, s.Limits.Partition, s.Set.Ref.String()+" spec.updateStrategy.partition")),
		decision.F(rules.KeyInactive, len(s.found.Inactive)),
		decision.F(decision.KeyTerminating, s.found.Terminating()), decision.F(decision.KeyFinished, len(s.found.Inactive)-s.found.Terminating())))
}

// readLimits reads the numbers of the spec, and names the fields that do not
// parse.
func (s *sync) readLimits() (invalid []string) {
	s.Limits, invalid = core.LimitsOf(s.Set)
	s.Limits.SameRevision = s.Revisions.Current.Name == s.Revisions.Update.Name
	s.Limits.Rollback = s.Behaviour.Rollback
	s.Limits.ExcludePreparingDelete = s.Set.ExcludesPreparingDelete(s.Behaviour.Exclude)
	return invalid
}

// findRevisions finds the revisions, and notes what the release drops of the template.
func (s *sync) findRevisions() {
	s.Revisions = revision.Find(s.Reader, s.Set, s.Kruise.Version)
	if dropped := s.Revisions.Dropped; len(dropped) > 0 {
		s.Limit(rules.FieldsDropped, decision.F(rules.KeyFields, format.List(dropped)), decision.F(rules.KeyRelease, s.Kruise.Version.String()))
	}
}

// rollbackPanics: before 1.9 the hash of the claim templates was noted on a
// revision that is rolled back to, in a map that is not there when it has no
// annotation at all.
func (s *sync) rollbackPanics() bool {
	if !s.Behaviour.RollbackPanics || !s.Revisions.RollsBackBare() {
		return false
	}
	why := decision.Ruled(rules.RollbackPanics, decision.F(rules.KeyRevision, s.Revisions.Update.Name))
	s.pass(passage{gateOf(false, why), decision.Next{Ruling: why}})
	return true
}

// storeRevision is the API server's answer to a new or renumbered revision.
func (s *sync) storeRevision() error {
	w, needed := s.Revisions.Store(s.Set)
	if !needed {
		return nil
	}
	_, err := s.Send(reconcile.Request{Write: w, Retried: w.Verb == cluster.Update})
	return err
}
