package controller

import (
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Waiting are the same controllers for a command that waits until their targets are
// stable: a cause may last as long as allowed; nil leaves it the time of its kind.
func (all Registry) Waiting(allowed *time.Duration) Registry {
	waiting, p := slices.Clone(all), &health.Patience{For: allowed}
	for i := range waiting {
		waiting[i].waits = p
	}
	return NewRegistry(waiting...)
}

// Assessed are those that find out why a target is not as desired.
func (all Registry) Assessed() Registry {
	return slices.DeleteFunc(slices.Clone(all), func(c Controller) bool { return c.Assess == nil })
}

// await notes that the controller has not observed the target's generation, where that is
// stored and one acts, and judges the causes of a target that is waited for.
func (c Controller) await(a *health.Assessment, r *view.Reader, t Target, target decision.Ref) {
	obj, held := r.Held(t.Kind, t.Namespace, t.Name)
	a.Unobserved = held && !r.Hypothetical() && obj.GetDeletionTimestamp() == nil && observed(obj) < obj.GetGeneration()
	named := slices.ContainsFunc(a.Causes, func(c decision.Cause) bool { return c.Reason == health.NotObserved })
	idle := slices.ContainsFunc(a.Causes, func(c decision.Cause) bool { return health.Class(c.Class) == health.NoLeader })
	if a.Unobserved && !named && !idle {
		a.Causes = append(a.Causes, decision.Cause{
			Object: target, Reason: health.NotObserved, Label: fmt.Sprintf("generation %d not observed", obj.GetGeneration()),
			Message:  fmt.Sprintf("its controller has observed generation %d, and generation %d is stored", observed(obj), obj.GetGeneration()),
			Evidence: "status.observedGeneration",
		})
	}
	if c.waits != nil {
		c.waits.Judge(target, a.Causes, r.Now())
	}
}

// observed is status.observedGeneration; of kinds without, the object's generation.
func observed(obj metav1.Object) int64 {
	if n, known := view.StatusNumber(obj, "observedGeneration"); known {
		return n
	}
	return obj.GetGeneration()
}
