package deployment

import (
	"errors"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// finish turns what the sync did into the rest of the Decision.
func (s *sync) finish(err error) {
	s.out.Counting(s.counts()...)
	decision.Fill(s.out).Status(s.statusWrite(err))
	s.out.Look(s.nextSync(err))
	decision.Fill(s.out).Sets(s.setsOut())
	s.out.Summarize()
	s.podsRefused()
	s.rollOn(err)
	s.caveats()
}

// rollOn counts the Pods that later syncs of the rollout have created and deleted: all of old sets,
// and what the new one lacks then.
func (s *sync) rollOn(err error) {
	if err != nil || s.d.Spec.Paused || s.d.DeletionTimestamp != nil || !s.out.Gate.Open {
		return
	}
	created, deleted := int(s.limits.desired), 0
	for _, set := range s.out.Sets {
		switch {
		case set.Role == decision.New:
			created -= int(set.Next)
		case !set.Deleting: // else its controller deletes no Pod
			deleted += int(set.Next)
		}
	}
	s.out.Roll(max(0, created), deleted)
}

// counts are the numbers that every way of a sync starts from.
func (s *sync) counts() decision.Facts {
	sets := s.shown()
	facts := decision.Facts{
		s.limits.desiredFact(),
		decision.Derived(decision.KeyAllPodsCount, sum(sets, replicasOf), "Σ spec.replicas of the ReplicaSets"),
		decision.Derived(decision.KeyAvailablePodCount, sum(sets, available), "Σ status.availableReplicas of the ReplicaSets"),
	}
	if s.limits.rolling {
		facts = append(facts, s.limits.surgeFact(), s.limits.unavailableFact(), s.limits.minAvailableFact())
	}
	return append(facts, s.sums...)
}

// swallow notes a refused write that upstream gives up without a word.
func (s *sync) swallow(rs *appsv1.ReplicaSet, err error) {
	s.hold(ScaleRefused, ownership.RefTo(view.ReplicaSets, rs), decision.F(keyError, err.Error()))
}

// nextSync says what brings the Deployment back (handleErr of
// deployment_controller.go, v1.37.1).
func (s *sync) nextSync(err error) decision.Next {
	var own *cluster.Conflict
	switch {
	// Upstream does not find the cause inside of the errors of several claims.
	case errors.Is(err, cluster.ErrNamespaceTerminating) && s.out.Gate.Rule != ClaimRefused:
		return decision.Next{Ruling: decision.Ruled(NamespaceGone, decision.F(keyError, err.Error()))}
	case errors.As(err, &own):
		return decision.Next{Requeue: decision.RequeueFailed, Ruling: decision.Ruled(RetryAfterOwnWrite,
			decision.F(keyError, err.Error()), decision.F(keyResource, own.Kind.GroupResource()), decision.F(keyName, own.Name))}
	case err != nil:
		return decision.Next{Requeue: decision.RequeueFailed, Ruling: decision.Ruled(RetryWithBackoff, decision.F(keyError, err.Error()))}
	case s.check != nil:
		return *s.check
	default:
		return decision.Next{Ruling: decision.Ruled(NextOnEvent)}
	}
}
