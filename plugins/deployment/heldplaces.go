package deployment

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/events"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/health"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/places"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// held is what a new Pod waits for that old ones have: nothing where by is empty.
type held struct {
	// by are the names of the old Pods that have to go, what is a volume or a host port.
	by          []string
	what, brief string
}

// holdPlaces makes those causes block whose volume an old Pod has on another node, or whose host
// port one has on a node, where the rollout deletes no old Pod before a new one is available: each
// waits for the other.
func (a *assessor) holdPlaces(causes []decision.Cause, old []*corev1.Pod) {
	if a.newRS == nil || len(a.out.Actions) > 0 {
		return
	}
	by := map[string]held{}
	for _, p := range a.podsOf(a.newRS) {
		for i := range causes {
			if c := &causes[i]; c.Pod != nil && c.Object.Name == p.Name {
				by[p.Name] = a.heldFrom(p, c, old)
			}
		}
		if len(by[p.Name].by) == 0 && health.Count([]*corev1.Pod{p}, 0, a.options).Available == 0 {
			return // that one may come up, and old ones be deleted for it
		}
	}
	for i := range causes {
		c := &causes[i]
		h := by[c.Object.Name]
		if len(h.by) == 0 {
			continue
		}
		causes[i] = a.options.Judge(decision.Cause{
			Object: c.Object, Reason: c.Reason, Label: h.what + " held by its own old Pod", Briefs: []string{h.brief}, Container: c.Container,
			Message: fmt.Sprintf("%s; the rollout deletes %s only when a new Pod is available: maxUnavailable %d or strategy Recreate frees the %s first", strings.TrimSuffix(c.Message, "."), format.Some(h.by, len(h.by)), len(h.by), h.what),
			Since:   c.Since, Evidence: c.Evidence, Pod: c.Pod,
			Next: fmt.Sprintf("kubectl ctrl plan %s -n %s --max-unavailable %d --until-stable", a.ref, a.d.Namespace, len(h.by)),
		}, health.CreateForbidden, c.Since)
	}
}

// heldFrom is what an old Pod has that a new one waits for, as its cause says.
func (a *assessor) heldFrom(p *corev1.Pod, c *decision.Cause, old []*corev1.Pod) held {
	switch {
	case events.AttachedElsewhere(c.Message) != "":
		return held{having(old, func(other *corev1.Pod) bool { return hasClaims(other, p) }), "volume", "Multi-Attach"}
	case health.Class(c.Class) == health.Unschedulable && places.PortsTaken(p):
		by := having(old, func(other *corev1.Pod) bool { return places.HoldsPort(other, p) && a.fits(p, other.Spec.NodeName) })
		return held{by[:min(len(by), 1)], "host port", "host port held by old Pod"}
	}
	return held{}
}

// having names the Pods that have not ended of which something holds.
func having(pods []*corev1.Pod, holds func(*corev1.Pod) bool) (names []string) {
	for _, p := range pods {
		if !view.Ended(p) && holds(p) {
			names = append(names, "pod/"+p.Name)
		}
	}
	return names
}

// hasClaims reports whether a Pod on another node has all volume claims of a new one.
func hasClaims(other, p *corev1.Pod) bool {
	claims := view.ClaimsOf(p)
	missing := func(claim string) bool { return !view.KeepsClaim(other, claim) }
	return len(claims) > 0 && other.Spec.NodeName != p.Spec.NodeName && !slices.ContainsFunc(claims, missing)
}

// fits reports whether nothing keeps a Pod from a node, as far as that was read.
func (a *assessor) fits(p *corev1.Pod, name string) bool {
	obj, _ := a.r.Held(view.Nodes, "", name)
	n, _ := obj.(*corev1.Node)
	return places.Fits(p, n)
}
