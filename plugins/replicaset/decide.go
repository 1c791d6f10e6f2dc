package replicaset

import (
	"cmp"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/expectations"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// sync is one run of syncReplicaSet over a View.
type sync struct {
	target
	given  Given
	claims claims
	// lost are orphans that others adopt before this sync, in one of the courses
	// that it compares with its own.
	lost ownership.Lost
	// ranked are the Pods of d.Ranking.
	ranked ranked
	// courses are those that lead elsewhere; see contest.
	courses []*sync
	// admitted is what the API server makes of the template's pods, once asked.
	admitted *admission.Verdict
	// doubts are why it is not known whether creations go as predicted.
	doubts []string
	// refusing is what refused the last creation of another ReplicaSet, empty for nothing.
	refusing string
	// expected is the expectation record, changed as the sync goes.
	expected *expectations.Record
	// log are the requests that the sync makes; nil where nobody wants them.
	log writes
	// err is the error that the sync returns to the queue.
	err error
	// refusal is the first answer to its creations that refuses one, also where the
	// controller takes it for success.
	refusal error
	d       *decision.Decision
}

// Decide tells what the controller's next sync of the target does. Errors:
// *view.NotFound, and whatever kept the target itself from being read. What else
// could not be read is noted in the Reader.
func Decide(r *view.Reader, p profile.Profile, t view.Target, given Given) (*decision.Decision, error) {
	s, err := decide(r, p, t, given, nil)
	if err != nil {
		return nil, err
	}
	return s.d, nil
}

// decide keeps the requests of the sync in log, if that is not nil.
func decide(r *view.Reader, p profile.Profile, t view.Target, given Given, log *cluster.Log) (*sync, error) {
	set, err := load(r, t)
	if err != nil {
		return nil, err
	}
	s := &sync{target: targetOf(r, p, set), given: given, expected: given.Expectations, log: writes{log}}
	s.d = s.frame()
	s.run()
	return s, nil
}

// frame is the decision before anything is decided.
func (s *sync) frame() *decision.Decision {
	return &decision.Decision{
		Target: s.set.ref, AsOf: s.now, Modelled: s.modelled(),
		Owners:       ownership.Chain(s.r, s.set),
		Expectations: decision.Expectations{Basis: "computed", Before: s.expected.Show(s.now)},
		Actions:      []decision.Action{}, Claims: []decision.Claim{},
	}
}

// controller is what people call it.
func (t *target) controller() string {
	if t.set.isRC() {
		return "replication controller"
	}
	return "ReplicaSet controller"
}

func (t *target) modelled() decision.Modelled {
	return decision.Modelled{
		Controller: t.controller(), Version: t.profile.Kubernetes.String(),
		Basis: t.profile.Basis, Gates: t.profile.Of(profile.OfSets), GatesBasis: t.profile.GatesBasis,
	}
}

// run follows syncReplicaSet step by step (replica_set.go, v1.37.1).
func (s *sync) run() {
	if s.behaviour.readsBack && len(s.given.Behind) > 0 {
		s.stopBehind()
		return
	}
	if s.set.invalid != nil {
		s.stopInvalid()
		return
	}
	s.claims = s.claim()
	if s.r.Provisional() {
		return // what else to read depends on the claims
	}
	decision.Fill(s.d).Claims(s.claims.verdicts)
	if read := s.claims.read; read != nil {
		s.d.ClaimBy(*read)
	}
	if len(s.claims.actions) > 0 {
		decision.Fill(s.d).Actions(s.claims.actions)
	}
	s.count()
	decision.Fill(s.d).Gate(s.gate())
	switch {
	case s.claims.err != nil:
		s.err = s.claims.err
		decision.Fill(s.d).Status(decision.StatusWrite{Ruling: decision.Ruled(StatusNotReached)})
	case s.d.Gate.Open:
		s.manage()
	}
	if s.claims.err == nil {
		s.courses = s.contest()
		status, err := s.status()
		decision.Fill(s.d).Status(status)
		s.err = cmp.Or(err, s.err) // the last one is returned
	}
	decision.Fill(s.d).After(s.expected.Show(s.now), s.readBack())
	next := s.nextSync()
	next.MayFail = len(s.doubts) > 0 || s.refusedBefore() != ""
	s.d.Look(next)
	s.d.MarkPossibleKeys()
	s.d.Summarize()
	s.evidence()
	s.caveats()
}

// without is the sync up to its last creation or deletion, had others adopted
// the lost orphans.
func (s *sync) without(lost ownership.Lost) *sync {
	o := &sync{target: s.target, given: s.given, expected: s.given.Expectations, lost: lost, d: &decision.Decision{}}
	o.claims = o.claim()
	o.count()
	decision.Fill(o.d).Gate(o.gate())
	if o.claims.err == nil && o.d.Gate.Open {
		o.manage()
	}
	return o
}

// stopInvalid ends a sync whose selector does not parse: nothing is done and
// nothing is written, whatever happens to the pods.
func (s *sync) stopInvalid() {
	s.stop(decision.Ruled(InvalidSelector, decision.At(keyError, s.set.invalid.Error(), "spec.selector")), decision.Next{Ruling: decision.Ruled(NextOnEvent)})
}

// stop ends a sync before it looks at any pod.
func (s *sync) stop(why decision.Ruling, next decision.Next) {
	s.d.Look(next)
	decision.Fill(s.d).Count(decision.F(decision.KeyDiff, 0))
	decision.Fill(s.d).Gate(decision.Gate{Basis: "computed", Ruling: why})
	decision.Fill(s.d).Status(decision.StatusWrite{Ruling: decision.Ruled(StatusNotReached)})
	decision.Fill(s.d).After(s.d.Expectations.Before, nil)
}

// count is the arithmetic that manageReplicas starts from.
func (s *sync) count() {
	active, want := len(s.claims.active), s.set.want()
	decision.Fill(s.d).Count(decision.Derived(decision.KeyDiff, active-want, "active − spec.replicas",
		decision.Derived(decision.KeyActive, active, "owned + adopted",
			decision.F(decision.KeyOwned, active-s.claims.adopted),
			decision.F(decision.KeyAdopted, s.claims.adopted)),
		decision.At(decision.KeySpecReplicas, want, s.set.ref.String()+" spec.replicas"),
		decision.F(decision.KeyTerminating, s.claims.terminating),
	))
}
