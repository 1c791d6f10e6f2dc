package replicaset

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// foretoldCreate answers creations from what can be seen: a terminating
// namespace refuses all of them, a resource quota those beyond its room.
func (s *sync) foretoldCreate() func(int) error {
	if ns, ok := s.namespaceObject(); ok && ns.Status.Phase == corev1.NamespaceTerminating {
		return func(int) error { return ErrNamespaceTerminating }
	}
	tightest, ok := s.tightestQuota()
	if !ok {
		return nil
	}
	return func(call int) error {
		if int64(call) < tightest.room {
			return nil
		}
		return errors.New(tightest.message())
	}
}

// shortfall is the room that a quota leaves for one resource, in pods.
type shortfall struct {
	quota     *corev1.ResourceQuota
	resource  corev1.ResourceName
	room      int64
	each      resource.Quantity
	used, cap resource.Quantity
}

// message is the server's at the first refusal, when all the room is used.
func (f shortfall) message() string {
	used := f.used.DeepCopy()
	for range f.room {
		used.Add(f.each)
	}
	return fmt.Sprintf("exceeded quota: %s, requested: %s=%s, used: %s=%s, limited: %s=%s",
		f.quota.Name, f.resource, f.each.String(), f.resource, used.String(), f.resource, f.cap.String())
}

func (s *sync) quotas() view.Need {
	return view.Need{
		Kind: view.ResourceQuotas, Namespace: s.set.Namespace,
		Without: "whether a quota refuses creations is not known",
	}
}

// tightestQuota is the quota with the least room for the template's pods.
func (s *sync) tightestQuota() (shortfall, bool) {
	var all []shortfall
	for _, q := range view.List[*corev1.ResourceQuota](s.r, s.quotas(), nil) {
		if inScope(q, &s.set.Spec.Template.Spec) {
			all = append(all, shortfalls(q, &s.set.Spec.Template.Spec)...)
		}
	}
	if len(all) == 0 {
		return shortfall{}, false
	}
	return slices.MinFunc(all, func(a, b shortfall) int { return int(min(max(a.room-b.room, -1), 1)) }), true
}

func shortfalls(q *corev1.ResourceQuota, pod *corev1.PodSpec) []shortfall {
	var out []shortfall
	for name, hard := range q.Status.Hard {
		each, counted := usage(name, pod)
		if !counted || each.Sign() <= 0 {
			continue
		}
		used := q.Status.Used[name]
		free := hard.DeepCopy()
		free.Sub(used)
		out = append(out, shortfall{q, name, fits(free, each), each, used, hard})
	}
	slices.SortFunc(out, func(a, b shortfall) int { return strings.Compare(string(a.resource), string(b.resource)) })
	return out
}

// fits is how many times each goes into free.
func fits(free, each resource.Quantity) int64 {
	if free.Sign() <= 0 {
		return 0
	}
	return free.MilliValue() / max(each.MilliValue(), 1)
}

// usage is what one pod of the template counts for under a quota resource, and
// whether that can be told from the template alone.
func usage(name corev1.ResourceName, pod *corev1.PodSpec) (resource.Quantity, bool) {
	switch name {
	case corev1.ResourcePods, "count/pods":
		return resource.MustParse("1"), true
	case corev1.ResourceCPU, corev1.ResourceRequestsCPU:
		return total(pod, corev1.ResourceCPU, requests), true
	case corev1.ResourceMemory, corev1.ResourceRequestsMemory:
		return total(pod, corev1.ResourceMemory, requests), true
	case corev1.ResourceLimitsCPU:
		return total(pod, corev1.ResourceCPU, limits), true
	case corev1.ResourceLimitsMemory:
		return total(pod, corev1.ResourceMemory, limits), true
	}
	return resource.Quantity{}, false
}

func requests(c *corev1.Container) corev1.ResourceList { return c.Resources.Requests }
func limits(c *corev1.Container) corev1.ResourceList   { return c.Resources.Limits }

// total sums a resource over the containers that run side by side.
func total(pod *corev1.PodSpec, name corev1.ResourceName, of func(*corev1.Container) corev1.ResourceList) resource.Quantity {
	var sum resource.Quantity
	for i := range pod.Containers {
		if q, ok := of(&pod.Containers[i])[name]; ok {
			sum.Add(q)
		} else if q, ok := pod.Containers[i].Resources.Limits[name]; ok {
			sum.Add(q) // an unset request defaults to the limit
		}
	}
	return sum
}

// inScope tells whether a quota counts pods of this template. Scopes that a
// template cannot answer for count as not matching.
func inScope(q *corev1.ResourceQuota, pod *corev1.PodSpec) bool {
	for _, scope := range q.Spec.Scopes {
		if !matchesScope(scope, pod) {
			return false
		}
	}
	return q.Spec.ScopeSelector == nil
}

func matchesScope(scope corev1.ResourceQuotaScope, pod *corev1.PodSpec) bool {
	switch scope {
	case corev1.ResourceQuotaScopeTerminating:
		return pod.ActiveDeadlineSeconds != nil
	case corev1.ResourceQuotaScopeNotTerminating:
		return pod.ActiveDeadlineSeconds == nil
	case corev1.ResourceQuotaScopeBestEffort:
		return bestEffort(pod)
	case corev1.ResourceQuotaScopeNotBestEffort:
		return !bestEffort(pod)
	}
	return false
}

func bestEffort(pod *corev1.PodSpec) bool {
	for _, c := range pod.Containers {
		if len(c.Resources.Requests) > 0 || len(c.Resources.Limits) > 0 {
			return false
		}
	}
	return true
}

// quotaEvidence names the quota that leaves too little room.
func (s *sync) quotaEvidence() {
	missing := int64(s.set.want() - len(s.claims.active))
	if f, ok := s.tightestQuota(); ok && f.room < missing {
		path := "status.used[" + string(f.resource) + "]"
		s.found(ownership.RefTo(view.ResourceQuotas, f.quota), decision.Ruled(QuotaShortfall,
			decision.F("resource", string(f.resource)), decision.At("used", f.used.String(), path),
			decision.F("hard", f.cap.String()), decision.F("each", f.each.String()),
			decision.F("room", f.room), decision.F("missing", missing)))
	}
}
