package deployment

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// limits is how far the number of pods may leave spec.replicas in a rollout.
type limits struct {
	desired, surge, unavailable int32
	// text is how surge and unavailable are written in the spec.
	surgeText, unavailableText string
	rolling                    bool
}

const rollingPath = "spec.strategy.rollingUpdate."

// limitsOf mirrors MaxSurge, MaxUnavailable and ResolveFenceposts
// (util/deployment_util.go, v1.37.1): surge rounds up, unavailable down, and
// one of them is at least 1. What can't be read counts as 0.
func limitsOf(d *appsv1.Deployment) limits {
	l := limits{desired: *d.Spec.Replicas, rolling: isRolling(d)}
	if !l.rolling {
		return l
	}
	ru := d.Spec.Strategy.RollingUpdate
	l.surgeText, l.unavailableText = ru.MaxSurge.String(), ru.MaxUnavailable.String()
	surge, err := intstr.GetScaledValueFromIntOrPercent(ru.MaxSurge, int(l.desired), true)
	if err != nil {
		return l
	}
	unavailable, err := intstr.GetScaledValueFromIntOrPercent(ru.MaxUnavailable, int(l.desired), false)
	if err != nil {
		return l
	}
	if surge == 0 && unavailable == 0 {
		unavailable = 1
	}
	l.surge, l.unavailable = int32(surge), min(int32(unavailable), l.desired)
	return l
}

// minAvailable is how many pods a rolling update leaves available.
func (l limits) minAvailable() int32 { return l.desired - l.unavailable }

//go:noinline // it is called at many places
func (l limits) desiredFact() decision.Fact {
	return decision.At(decision.KeyDesired, l.desired, "spec.replicas")
}

func (l limits) surgeFact() decision.Fact {
	return decision.Derived(decision.KeyMaxSurge, l.surge, "rounded up, of desired",
		decision.At(keySpecMaxSurge, l.surgeText, rollingPath+"maxSurge"))
}

func (l limits) unavailableFact() decision.Fact {
	op := "rounded down, of desired"
	if l.surge == 0 && l.unavailable == 1 {
		op = "rounded down, of desired, and at least 1 without surge"
	}
	return decision.Derived(decision.KeyMaxUnavailable, l.unavailable, op,
		decision.At(keySpecMaxUnavailable, l.unavailableText, rollingPath+"maxUnavailable"))
}

func (l limits) minAvailableFact() decision.Fact {
	return decision.Derived(decision.KeyMinAvailable, l.minAvailable(), "desired − maxUnavailable", l.desiredFact(), l.unavailableFact())
}

// newSize mirrors NewRSNewReplicas: as many as the surge lets be created
// besides all pods that are wanted already.
func (s *sync) newSize(all []*appsv1.ReplicaSet, rs *appsv1.ReplicaSet) (int32, []decision.Fact, error) {
	l := s.limits
	switch s.d.Spec.Strategy.Type {
	case appsv1.RollingUpdateDeploymentStrategyType:
	case appsv1.RecreateDeploymentStrategyType:
		return l.desired, []decision.Fact{l.desiredFact()}, nil
	default:
		return 0, nil, fmt.Errorf("deployment type %v isn't supported", s.d.Spec.Strategy.Type)
	}
	surge, err := intstr.GetScaledValueFromIntOrPercent(s.d.Spec.Strategy.RollingUpdate.MaxSurge, int(l.desired), true)
	if err != nil {
		return 0, nil, err
	}
	current, limit := sum(all, replicasOf), l.desired+int32(surge)
	size := replicasOf(rs)
	up := int32(0)
	if current < limit {
		up = min(limit-current, l.desired-size)
	}
	return size + up, []decision.Fact{decision.Derived(keyScaleUpCount, up, "min(maxTotalPods − currentPodCount, desired − newRS)",
		decision.Derived(keyMaxTotalPods, limit, "desired + maxSurge", l.desiredFact(), l.surgeFact()),
		decision.F(keyCurrentPodCount, current),
		l.desiredFact(),
		decision.At(keyNewRS, size, "spec.replicas of the new ReplicaSet"),
	)}, nil
}
