package statefulset

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// reconcile is one run of sync over a View (stateful_set.go, v1.37.1).
type reconcile struct {
	target
	given  Given
	server *server

	claims  claims
	history history
	volumes volumes
	ordinals
	status status
	// held are the Pods that the sync waits for, with the rule by which it does.
	held []held
	// deleted counts Pods that are deleted to be updated, which status.currentReplicas
	// does not count any more.
	deleted int
	// doubtful: it deletes Pods to update them that may be updated.
	doubtful bool
	// gone are the Pods that the sync deletes, by name: it may send the request twice.
	gone names

	// gate says which way the sync goes.
	gate decision.Gate
	// admits is what admission says of what is created.
	admits admits
	// tooLarge is why the set is not decided.
	tooLarge error
	// err is what the sync returns to the queue.
	err error
	out *decision.Decision
}

type names map[string]bool

// add reports whether a name is new.
func (n names) add(name string) bool {
	known := n[name]
	n[name] = true
	return !known
}

// held is a Pod that holds the sync up.
type held struct {
	pod  *pod
	rule string
}

// until is what ends that.
func (h held) until() string {
	if h.pod.terminating() {
		return h.pod.Name + " is gone"
	}
	return h.pod.Name + " is available"
}

// Decide predicts what the controller's next sync of the target does. Errors:
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

func run(r *view.Reader, p profile.Profile, t view.Target, given Given) (*reconcile, error) {
	set, err := load(r, t)
	if err != nil {
		return nil, err
	}
	s := &reconcile{
		target: target{r: r, profile: p, behaviour: behaviourOf(p), now: r.Now(), set: set, ref: ownership.RefTo(t.Kind, set)},
		given:  given, admits: admits{verdicts: map[string]admission.Verdict{}}, gone: names{},
	}
	s.ordinals, s.status = ordinals{target: &s.target, history: &s.history}, status{target: &s.target, history: &s.history}
	s.volumes = volumes{target: &s.target}
	s.server = &server{refuse: given.API.Refuse, admit: s.admit, created: map[schema.GroupKind]int64{}}
	s.out = s.frame()
	s.err = s.run()
	if r.Provisional() {
		return s, nil
	}
	if s.tooLarge != nil {
		return nil, s.tooLarge
	}
	s.finish()
	return s, nil
}

// frame is the decision before anything is decided.
func (s *reconcile) frame() *decision.Decision {
	return &decision.Decision{
		Target: s.ref, AsOf: s.now,
		Modelled: decision.Modelled{
			Controller: "StatefulSet controller", Version: s.profile.Kubernetes.String(),
			Basis: s.profile.Basis, Gates: s.profile.Of(releases.Gates), GatesBasis: s.profile.GatesBasis,
		},
		Owners:       ownership.Chain(s.r, s.set),
		Expectations: decision.Expectations{Basis: "computed"},
		Actions:      []decision.Action{}, Claims: []decision.Claim{},
	}
}

// run follows sync step by step.
func (s *reconcile) run() error {
	if s.behaviour.readsBack && len(s.given.Behind) > 0 {
		return s.stopBehind()
	}
	var err error
	if s.selector, err = metav1.LabelSelectorAsSelector(s.set.Spec.Selector); err != nil {
		s.way(InvalidSelector, decision.At(keyError, err.Error(), "spec.selector"))
		return nil
	}
	revisions := s.historyControl()
	revisions.list()
	if err := revisions.adopt(s.rereads); err != nil {
		s.way(ClaimRefused, decision.F(keyError, err.Error()))
		return err
	}
	if err := s.claim(); err != nil {
		s.way(ClaimRefused, decision.F(keyError, err.Error()))
		return err
	}
	if s.tooLarge = s.tooMany(); s.r.Provisional() || s.tooLarge != nil {
		return nil // what else to read depends on the claims
	}
	s.strategy()
	return s.updateSet()
}

// updateSet mirrors UpdateStatefulSet (stateful_set_control.go, v1.37.1).
func (s *reconcile) updateSet() error {
	err := s.perform()
	if truncated := s.historyControl().truncate(s.claims.carried()); err == nil {
		return truncated
	} else if truncated != nil {
		return utilerrors.NewAggregate([]error{err, truncated})
	}
	return err
}

// perform mirrors performUpdate (same file).
func (s *reconcile) perform() error {
	if err := s.historyControl().find(); err != nil {
		s.way(RevisionFailed, decision.F(keyError, err.Error()))
		return err
	}
	if s.isRecreate() && s.behaviour.knowsRecreate && !s.behaviour.recreate {
		s.way(StrategyOff, decision.F(keyGate, recreateGate))
		return errStrategyOff(s.set)
	}
	err := s.update()
	s.status.write(s.server)
	if err == nil {
		return s.status.err
	}
	return err
}
