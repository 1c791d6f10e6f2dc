package cloneset

import (
	"reflect"
	"slices"
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/wording"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/answer"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/api"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/order"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/pubcontrol"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/revision"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/inplace"
)

// sync is one run of doReconcile over a View.
type sync struct {
	r *view.Reader
	// kubernetes is the API server's version.
	kubernetes profile.Version
	kruise     profile.Kruise
	behaviour  core.Behaviour
	given      Given
	set        *api.Set
	now        time.Time

	limits    core.Limits
	claims    claims
	revisions revision.History
	// pods are the claimed ones, in the order of their names.
	pods []*core.PodState
	// done reads the records of updates in place, and whether these are done.
	done inplace.Records
	// updated is what is said of updated pods.
	updated rulings
	changes revision.Changes
	budgets askedBudgets
	record  record
	timers  timers
	rivals  rivals
	outcome outcome
	chance  chance
	// log are the requests that the sync makes; nil where they are not asked for.
	log *cluster.Log
	d   *decision.Decision
}

// Decide tells what the controller's next sync of the target does. Errors:
// *view.NotFound, an object of another version, and whatever kept the target
// itself from being read. What else could not be read is noted in the Reader.
func Decide(r *view.Reader, p profile.Profile, t view.Target, given Given) (*decision.Decision, error) {
	s, err := decide(r, p, t, given, nil)
	if err != nil {
		return nil, err
	}
	return s.d, nil
}

// decide keeps the requests of the sync in log, if that is not nil.
func decide(r *view.Reader, p profile.Profile, t view.Target, given Given, log *cluster.Log) (*sync, error) {
	set, err := api.Get(r, t)
	if err != nil {
		return nil, err
	}
	s := begin(r, p.Kubernetes, kruise.Installed(r, p), set, given)
	s.log = log
	s.run()
	s.contest()
	if r.Provisional() {
		return s, nil // what else to read depends on what is missing
	}
	s.summarize()
	s.doubtRefusal()
	s.evidence()
	s.caveats()
	return s, nil
}

// begin is a sync before its first step.
func begin(r *view.Reader, kubernetes profile.Version, k profile.Kruise, set *api.Set, given Given) *sync {
	s := &sync{
		r: r, kubernetes: kubernetes, kruise: k, behaviour: core.BehaviourOf(k), given: given, set: set, now: r.Now(),
		updated: rulings{},
	}
	s.changes = revision.NewChanges(s.behaviour, set)
	s.done = inplace.NewRecords(s.behaviour.Release)
	s.budgets.Control = pubcontrol.New(r, set, s.behaviour, s.done, func(budget string) error {
		return s.refused(Call{Verb: "update", Kind: view.PodUnavailableBudgets.Kind, Subresource: "status", Name: budget, Retried: true})
	})
	s.record.dropped = s.behaviour.DropExpired
	s.d = s.frame()
	return s
}

// sorter orders the set's pods.
func (s *sync) sorter() order.Sorter { return order.NewSorter(s.r, s.set, s.behaviour) }

// frame is the decision before anything is decided.
func (s *sync) frame() *decision.Decision {
	return &decision.Decision{
		Target: s.set.Ref, AsOf: s.now, Modelled: kruise.Modelled("CloneSet controller", s.kruise),
		Owners:       ownership.Chain(s.r, s.set),
		Count:        decision.F("replicas", 0),
		Expectations: decision.Expectations{Basis: "computed"},
		Actions:      []decision.Action{}, Claims: []decision.Claim{},
		Status: decision.StatusWrite{Ruling: decision.Ruled(rules.StatusSkipped)},
	}
}

// run follows doReconcile step by step (cloneset_controller.go, v1.9.1).
func (s *sync) run() {
	if !s.gate() {
		return
	}
	s.find()
	s.d.Actions = append(s.d.Actions, s.claims.actions...)
	if s.claims.err == nil {
		s.findRevisions()
		if s.r.Provisional() {
			return
		}
		if s.rollbackPanics() {
			return
		}
		s.claims.fail(s.storeRevision())
	}
	if s.claims.err != nil {
		s.d.Gate = decision.Gate{Basis: "computed", Ruling: decision.Ruled(rules.ClaimFailed, decision.F("error", s.claims.err.Error()))}
		s.d.Requeue, s.d.NextSync = decision.RequeueFailed, decision.Ruled(rules.RetryLater, decision.F("error", s.claims.err.Error()))
		return
	}
	s.pods = s.members()
	s.d.Revisions = s.revisions.Shown(s.pods)
	s.count()
	if !s.versionsSeen() {
		return
	}
	s.preDownload()
	s.act()
	s.status()
	if s.outcome.statusErr == nil {
		s.truncate()
	}
	s.d.Expectations.After = s.record.show()
	s.nextSync()
}

// act mirrors syncCloneSet: scaling, and when that did nothing, updating.
func (s *sync) act() {
	if s.set.Deleting() {
		s.d.Gate = decision.Gate{Basis: "computed", Ruling: decision.Ruled(rules.CloneSetDeleting,
			decision.At("deletionTimestamp", deletionOf(s.set), "metadata.deletionTimestamp"))}
		return
	}
	s.d.Updates = slices.Grow(s.d.Updates, len(s.pods)) // one for each
	s.scale()
	if s.outcome.scaling {
		s.courses(rules.ScaledInstead)
		return
	}
	s.update()
}

// count is what the counts in the first line are taken from.
func (s *sync) count() {
	for _, field := range s.readLimits() {
		s.limit(rules.InvalidNumber, decision.F("field", field), decision.At("value", s.set.Written(field), s.set.Ref.String()+" spec."+field))
	}
	updated := 0
	for _, m := range s.pods {
		if m.Updated {
			updated++
		}
	}
	s.d.Count = decision.Derived("diff", len(s.pods)-s.set.Desired(), "active − spec.replicas",
		decision.F("active", len(s.pods)),
		decision.At("spec.replicas", s.set.Desired(), s.set.Ref.String()+" spec.replicas"),
		decision.F("updated", updated),
		decision.Derived("updatedWanted", s.set.Desired()-s.limits.Partition, "replicas − partition",
			decision.At("partition", s.limits.Partition, s.set.Ref.String()+" spec.updateStrategy.partition")),
		decision.F("inactive", len(s.claims.inactive)),
		decision.F("terminating", s.terminating()), decision.F("finished", len(s.claims.inactive)-s.terminating()))
}

// readLimits reads the numbers of the spec, and names the fields that do not
// parse.
func (s *sync) readLimits() (invalid []string) {
	s.limits, invalid = core.LimitsOf(s.set)
	s.limits.SameRevision = s.revisions.Current.Name == s.revisions.Update.Name
	s.limits.Rollback = s.behaviour.Rollback
	s.limits.ExcludePreparingDelete = s.behaviour.Exclude || s.set.GetLabels()[api.ExcludeLabel] == "true" || s.set.Spec.ScaleStrategy.ExcludePreparingDelete
	return invalid
}

// limit puts a ruling about the sync's arithmetic on record.
func (s *sync) limit(rule string, facts ...decision.Fact) {
	r := decision.Ruled(rule, facts...)
	if n := len(s.d.Limits); n == 0 || !reflect.DeepEqual(s.d.Limits[n-1], r) {
		s.d.Limits = append(s.d.Limits, r)
	}
}

func (s *sync) summarize() {
	sum := &s.d.Summary
	counters := map[decision.Verb]*int{
		decision.Create: &sum.Create, decision.Adopt: &sum.Adopt, decision.Release: &sum.Release, decision.SetState: &sum.SetState,
		decision.Delete: &sum.DeleteCertain, decision.UpdateInPlace: &sum.Update, decision.Recreate: &sum.Recreate,
	}
	for _, a := range s.d.Actions {
		_, shared := a.Pool()
		if a.Object.Kind != view.Pods.Kind || shared {
			continue
		}
		if a.Verb == decision.Delete && a.Certainty == decision.Possible { // it depends on an adoption
			sum.DeletePossible, sum.PossibleAmong = sum.DeletePossible+1, sum.PossibleAmong+1
		} else if counter := counters[a.Verb]; counter != nil {
			*counter += a.Count
		}
	}
	for _, c := range s.d.Choices() {
		switch verb := c.Gravest(); {
		case c.Pool.Kind != view.Pods.Kind:
		case verb == decision.Delete:
			sum.DeletePossible, sum.PossibleAmong = sum.DeletePossible+c.K, sum.PossibleAmong+c.N
		default:
			*counters[verb] += c.K
		}
	}
	_, sum.DeleteClaims = answer.ClaimsDeleted(s.d)
	s.d.Pending = len(s.d.Actions) > 0
}

// findRevisions finds the revisions, and notes what the release drops of the template.
func (s *sync) findRevisions() {
	s.revisions = revision.Find(s.r, s.set, s.kruise.Version)
	if dropped := s.revisions.Dropped; len(dropped) > 0 {
		s.limit(rules.FieldsDropped, decision.F("fields", wording.List(dropped)), decision.F("release", s.kruise.Version.String()))
	}
}

// rollbackPanics: before 1.9 the hash of the claim templates was noted on a
// revision that is rolled back to, in a map that is not there when it has no
// annotation at all.
func (s *sync) rollbackPanics() bool {
	if !s.behaviour.RollbackPanics || !s.revisions.RollsBackBare() {
		return false
	}
	why := decision.Ruled(rules.RollbackPanics, decision.F("revision", s.revisions.Update.Name))
	s.d.Gate, s.d.NextSync = decision.Gate{Basis: "computed", Ruling: why}, why
	return true
}

// storeRevision is the API server's answer to a new or renumbered revision.
func (s *sync) storeRevision() error {
	w, needed := s.revisions.Store(s.set)
	if !needed {
		return nil
	}
	_, err := s.send(request{w, w.Verb == cluster.Update})
	return err
}
