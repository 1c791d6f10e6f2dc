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
// stable: a target is not while its controller has not observed its generation. A
// cause may last as long as allowed; nil leaves it the time of its kind.
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

// notObserved is the reason of a generation that is not observed.
const notObserved = "GenerationNotObserved"

// awaited completes the causes of a target that is waited for.
func (c Controller) awaited(causes []decision.Cause, r *view.Reader, t Target, target decision.Ref) []decision.Cause {
	if c.waits == nil {
		return causes
	}
	obj, held := r.Held(t.Kind, t.Namespace, t.Name)
	named := slices.ContainsFunc(causes, func(c decision.Cause) bool { return c.Reason == notObserved })
	if held && !named && obj.GetDeletionTimestamp() == nil && observed(obj) < obj.GetGeneration() {
		causes = append(causes, decision.Cause{
			Object: target, Reason: notObserved, Label: fmt.Sprintf("generation %d not observed", obj.GetGeneration()), Stops: true,
			Message:  fmt.Sprintf("its controller has observed generation %d, and generation %d is stored", observed(obj), obj.GetGeneration()),
			Evidence: "status.observedGeneration",
		})
	}
	c.waits.Judge(target, causes, r.Now())
	return causes
}

// observed is status.observedGeneration; of kinds without, the object's generation.
func observed(obj metav1.Object) int64 {
	if n, known := view.StatusNumber(obj, "observedGeneration"); known {
		return n
	}
	return obj.GetGeneration()
}
