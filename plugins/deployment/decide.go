package deployment

import (
	"reflect"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// sync is one run of syncDeployment over a View.
type sync struct {
	r         *view.Reader
	profile   profile.Profile
	behaviour behaviour
	given     Given
	now       time.Time
	server    *server

	// d is the sync's own copy of the Deployment, which it changes as it goes;
	// stored is the status as it was read.
	d      *appsv1.Deployment
	stored appsv1.DeploymentStatus
	ref    decision.Ref
	limits limits
	sets   *newAndOld
	// changed are the sets that the sync wrote, as it left them, by name.
	changed map[string]*appsv1.ReplicaSet

	// written is the last status that the API server took, refused the error
	// of the last one if it did not.
	written *appsv1.DeploymentStatus
	refused error
	// noted are the news of the statuses that were taken, empty for nothing but new
	// sums.
	noted string
	// doubts are why it is not known whether a set is created as predicted.
	doubts []string
	// check is the timer that the sync sets, if any.
	check *decision.Next

	claims claims
	// lost are orphans that others adopt before this sync, in a course that is
	// compared with it.
	lost ownership.Lost
	// courses are those in which others adopt some; listed says that these are all.
	courses []*sync
	listed  bool
	// sums is the arithmetic that the sync came to.
	sums decision.Facts
	// err is what the sync returns to the queue.
	err error
	out *decision.Decision
}

// Result is a Decision with the requests that it stands for.
type Result struct {
	Decision *decision.Decision
	Writes   []cluster.Write
	// Err is what the sync returns to the queue.
	Err error
}

// Decide tells what the controller's next sync of the target does. Errors:
// *view.NotFound, and whatever kept the target itself from being read. What else
// could not be read is noted in the Reader.
func Decide(r *view.Reader, p profile.Profile, t view.Target, given Given) (*decision.Decision, error) {
	s, err := run(r, p, t, given)
	if err != nil {
		return nil, err
	}
	return s.out, nil
}

// Sync decides as Decide does, with the requests that the sync makes, for oracles to
// compare with upstream's.
func Sync(r *view.Reader, p profile.Profile, t view.Target, given Given) (*Result, error) {
	s, err := run(r, p, t, given)
	if err != nil {
		return nil, err
	}
	return &Result{s.out, s.server.writes, s.err}, nil
}

func run(r *view.Reader, p profile.Profile, t view.Target, given Given) (*sync, error) {
	s, err := begin(r, p, t, given, nil)
	if err != nil {
		return nil, err
	}
	if s.courses, s.listed, err = s.contest(t); err != nil {
		return nil, err
	}
	s.finish(s.err)
	return s, nil
}

// begin is the sync itself, without what it means. Others have adopted the sets
// that are lost.
func begin(r *view.Reader, p profile.Profile, t view.Target, given Given, lost ownership.Lost) (*sync, error) {
	d, err := load(r, t)
	if err != nil {
		return nil, err
	}
	s := &sync{
		r: r, profile: p, behaviour: behaviourOf(p), given: given, now: r.Now(),
		server: newServer(given.API), d: d, stored: *d.Status.DeepCopy(),
		ref: ownership.RefTo(t.Kind, d), limits: limitsOf(d), sets: &newAndOld{}, changed: map[string]*appsv1.ReplicaSet{}, lost: lost,
	}
	if !s.behaviour.hasTerminating {
		s.d.Status.TerminatingReplicas, s.stored.TerminatingReplicas = nil, nil
	}
	s.server.admit = s.admit
	s.out = s.frame()
	s.err = s.run()
	return s, nil
}

// frame is the decision before anything is decided.
func (s *sync) frame() *decision.Decision {
	return &decision.Decision{
		Target: s.ref, AsOf: s.now,
		Modelled: decision.Modelled{
			Controller: "Deployment controller", Version: s.profile.Kubernetes.String(),
			Basis: s.profile.Basis, Gates: s.profile.Of(profile.OfSets), GatesBasis: s.profile.GatesBasis,
		},
		Owners:       ownership.Chain(s.r, s.d),
		Count:        decision.F(keyRollout, string(s.d.Spec.Strategy.Type)),
		Expectations: decision.Expectations{Basis: "computed"},
		Actions:      []decision.Action{}, Claims: []decision.Claim{},
	}
}

// run follows syncDeployment step by step (deployment_controller.go, v1.37.1).
func (s *sync) run() error {
	if reflect.DeepEqual(s.d.Spec.Selector, &metav1.LabelSelector{}) {
		s.selectsAll()
		return nil
	}
	if err := s.claim(); err != nil || s.r.Provisional() {
		return err // what else to read depends on the claims
	}
	if s.d.DeletionTimestamp != nil {
		s.way(DeploymentDeleting, decision.At(keyDeletionTimestamp, format.Instant(s.d.DeletionTimestamp.Time), "metadata.deletionTimestamp"))
		return s.statusOnly()
	}
	s.strategy()
	if s.d.Spec.Paused {
		s.way(DeploymentPaused, decision.At(keyPaused, true, "spec.paused"))
	}
	if err := s.notePause(); err != nil {
		return err
	}
	if s.d.Spec.Paused {
		return s.resize()
	}
	if revision, asked := rollbackTo(s.d); asked {
		s.way(RollbackRequested, decision.At(keyRevision, revision, rollbackPath))
		return s.rollback(revision)
	}
	scaling, err := s.isScalingEvent()
	if err != nil {
		return err
	}
	if scaling {
		if s.sets.newRS == nil {
			s.hold(RolloutAfterScale, s.ref)
		}
		return s.resize()
	}
	return s.rollout()
}
