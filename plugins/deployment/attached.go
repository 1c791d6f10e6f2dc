package deployment

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/events"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// holdVolumes makes those causes block whose volume an old Pod has on another node, where the
// rollout deletes no old Pod before a new one is available: each waits for the other.
func (a *assessor) holdVolumes(causes []decision.Cause, old []*corev1.Pod) {
	if a.newRS == nil || len(a.out.Actions) > 0 {
		return
	}
	by := map[string]string{}
	for _, c := range causes {
		if c.Pod != nil && events.AttachedElsewhere(c.Message) != "" {
			by[c.Object.Name] = a.holder(c.Object.Name, old)
		}
	}
	for _, p := range a.podsOf(a.newRS) {
		if by[p.Name] == "" && health.Count([]*corev1.Pod{p}, 0, a.options).Available == 0 {
			return // that one may come up, and old ones be deleted for it
		}
	}
	for i := range causes {
		c := &causes[i]
		if by[c.Object.Name] == "" {
			continue
		}
		causes[i] = a.options.Judge(decision.Cause{
			Object: c.Object, Reason: c.Reason, Label: "volume held by its own old Pod", Briefs: []string{"Multi-Attach"}, Container: c.Container,
			Message: fmt.Sprintf("%s; the rollout deletes pod/%s only when a new Pod is available: maxUnavailable 1 or strategy Recreate frees the volume first", c.Message, by[c.Object.Name]),
			Since:   c.Since, Evidence: c.Evidence, Pod: c.Pod,
			Next: fmt.Sprintf("kubectl ctrl plan %s -n %s --max-unavailable 1 --until-stable", a.ref, a.d.Namespace),
		}, health.CreateForbidden, c.Since)
	}
}

// holder is an old Pod on another node that has all volume claims of a new one; empty for none.
func (a *assessor) holder(name string, old []*corev1.Pod) string {
	fresh := slices.IndexFunc(a.podsOf(a.newRS), func(p *corev1.Pod) bool { return p.Name == name })
	if fresh < 0 {
		return ""
	}
	p := a.podsOf(a.newRS)[fresh]
	claims := view.ClaimsOf(p)
	if len(claims) == 0 {
		return ""
	}
	for _, other := range old {
		missing := func(claim string) bool { return !view.KeepsClaim(other, claim) }
		if !view.Ended(other) && other.Spec.NodeName != p.Spec.NodeName && !slices.ContainsFunc(claims, missing) {
			return other.Name
		}
	}
	return ""
}
