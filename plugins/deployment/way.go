package deployment

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
)

// strategy notes the way that a sync goes when nothing else comes first.
func (s *sync) strategy() {
	at := decision.At(keyType, string(s.d.Spec.Strategy.Type), "spec.strategy.type")
	switch s.d.Spec.Strategy.Type {
	case appsv1.RecreateDeploymentStrategyType:
		s.way(RecreateStrategy, at)
	case appsv1.RollingUpdateDeploymentStrategyType:
		s.way(RollingUpdate, at)
	default:
		s.stop(StrategyUnknown, at)
	}
}

func (s *sync) rollout() error {
	switch s.d.Spec.Strategy.Type {
	case appsv1.RecreateDeploymentStrategyType:
		return s.recreate()
	case appsv1.RollingUpdateDeploymentStrategyType:
		return s.roll()
	}
	return fmt.Errorf("unexpected deployment strategy type: %s", s.d.Spec.Strategy.Type)
}

// selectsAll ends a sync whose selector is literally empty: only the
// generation is acknowledged, and an error of that is not looked at.
func (s *sync) selectsAll() {
	s.stop(SelectsAll, decision.At(keySelector, "{}", "spec.selector"))
	if s.d.Status.ObservedGeneration < s.d.Generation {
		s.d.Status.ObservedGeneration = s.d.Generation
		_ = s.updateStatus("")
	}
}

// statusOnly is what is left for a Deployment that is being deleted
// (syncStatusOnly of sync.go, v1.37.1).
func (s *sync) statusOnly() error {
	if err := s.ensureNew(false); err != nil {
		return err
	}
	return s.syncStatus()
}

// way notes which way the sync goes, and that it may act.
func (s *sync) way(rule string, facts ...decision.Fact) {
	decision.Fill(s.out).Gate(decision.Gate{Open: true, Basis: "computed", Ruling: decision.Ruled(rule, facts...)})
}

// stop notes why the sync goes no way at all.
//
//go:noinline // it is called at many places
func (s *sync) stop(rule string, facts ...decision.Fact) {
	decision.Fill(s.out).Gate(decision.Gate{Basis: "computed", Ruling: decision.Ruled(rule, facts...)})
}
