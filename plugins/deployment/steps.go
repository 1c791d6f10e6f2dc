package deployment

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// step decides as Decide does, and says what becomes of what was decided. The Pods
// are those of the ReplicaSets.
func step(r *view.Reader, p profile.Profile, t view.Target) (*simulate.Sync, error) {
	s, err := run(r, p, t, Given{})
	if err != nil {
		return nil, err
	}
	return &simulate.Sync{
		Decision: s.out, Retries: s.out.NextSync.Rule == RetryAfterOwnWrite, Doubt: s.doubtful,
		Wanted: int(s.limits.desired), Revised: true, Latest: s.latest(), Writes: s.server.writes, Looks: true, Minor: minor, Left: s.left,
		Overdue: s.late(), Begin: func(*cluster.Model) {}, StartUps: func() []simulate.StartUp { return nil },
		Say: func(r decision.Ruling) string { return Rules.Say(r.Rule, r.Facts) },
	}, nil
}

// latest is the name of the set with the Deployment's template, empty where there is
// none, which a paused Deployment may lack.
func (s *sync) latest() string {
	switch {
	case s.sets.newRS != nil:
		return s.sets.newRS.Name
	case s.sets.existing != nil:
		return s.sets.existing.Name
	}
	return ""
}

// minor actions change no Pods by themselves: the sets' own controller does.
func minor(a decision.Action) bool { return a.Object.Kind != view.Pods.Kind }

// left is why the sync leaves something undone: what is in its way before what its
// spec asks for.
func (s *sync) left() (why []decision.Ruling, bySpec bool) {
	switch {
	case !s.out.Gate.Open || s.d.DeletionTimestamp != nil:
		return []decision.Ruling{s.out.Gate.Ruling}, false
	case s.err != nil:
		return []decision.Ruling{simulate.Refused(s.refusal())}, false
	case s.d.Spec.Paused && s.outstanding():
		return []decision.Ruling{s.out.Gate.Ruling}, false
	}
	for _, rule := range holdsUp {
		for _, e := range s.out.Evidence {
			if e.Rule == rule {
				why = append(why, e.Ruling)
			}
		}
	}
	nothing := len(why) == 0
	if r := s.late(); r != nil {
		why = append(why, *r)
	}
	return why, nothing
}

// late says that the progress deadline has passed, as the stored status has it; nil where it
// has not.
func (s *sync) late() *decision.Ruling {
	c := condition(s.stored.Conditions, appsv1.DeploymentProgressing)
	if c == nil || c.Reason != deadlineExceeded {
		return nil
	}
	r := decision.Ruled(RolloutTimedOut, decision.At(keyPassed, int(*s.d.Spec.ProgressDeadlineSeconds), s.out.Target.String()+" spec.progressDeadlineSeconds"),
		decision.F(keyAt, format.Instant(c.LastUpdateTime.Time)))
	return &r
}

// refusal is why the sync fails.
func (s *sync) refusal() string {
	if s.out.NextSync.Rule == NamespaceGone {
		return fmt.Sprintf("namespace %s is being deleted: no ReplicaSet can be created in it", s.d.Namespace)
	}
	return s.err.Error()
}

// holdsUp are the rules by which a rollout waits, those first that say most.
var holdsUp = []string{
	ScaleRefused, OldSetReportsPods, OldPodRuns, NewPodsNotAvailable, AvailabilityAtMinimum, OldNotSettled, SurgeUsedUp,
}

// outstanding reports whether Pods are left to be updated.
func (s *sync) outstanding() bool {
	rs := s.sets.existing
	return rs == nil || replicasOf(rs) != s.limits.desired || slices.ContainsFunc(s.sets.oldRSs, func(old *appsv1.ReplicaSet) bool { return replicasOf(old) > 0 })
}
