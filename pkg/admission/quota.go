package admission

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// evaluator says how quotas count one kind of objects (apiserver/pkg/quota/v1
// Evaluator).
type evaluator interface {
	// counts reports whether a quota of this resource is about such objects.
	counts(corev1.ResourceName) bool
	matches(*corev1.ResourceQuota) match
	// missing names what the object has to specify under a quota of these.
	missing([]corev1.ResourceName) string
	usage() corev1.ResourceList
	// unread says what else could raise the usage of these.
	unread([]corev1.ResourceName) string
	// demanded is what a quota counts of what another object creates, nil for nothing that
	// this evaluator is about.
	demanded(Namespace, *corev1.ResourceQuota, view.Demand) corev1.ResourceList
}

// Shortfall is what a quota has too little of.
type Shortfall struct {
	Quota    *corev1.ResourceQuota
	Resource corev1.ResourceName
	// Each is what one object takes; Used is what status says.
	Each, Used, Hard resource.Quantity
}

// quotas mirrors CheckRequest (apiserver/pkg/admission/plugin/resourcequota/
// controller.go, v0.37.1) for creations one after another.
func (ns Namespace) quotas(e evaluator) Verdict {
	v := Verdict{Room: Unlimited}
	for _, q := range ns.Quotas {
		m := e.matches(q)
		if m == surely(false) {
			continue
		}
		now, refusal := check(q, q.Status.Hard, e)
		room, refusal, late := ns.relieved(q, now, refusal, e)
		v.Doubts = slices.Concat(v.Doubts, doubts(q, m, now, e), late, ns.crowded(q, now, e))
		if m.is && refusal != nil && (v.Refusal == nil || room < v.Room || room == v.Room && refusal.sooner(v.Refusal)) {
			v.Room, v.Refusal = room, refusal
		}
	}
	return v
}

// sooner reports whether r comes before o: upstream asks every quota what has to
// be specified before it looks at what is left.
func (r *Refusal) sooner(o *Refusal) bool {
	return r.Reason != QuotaExceeded && o.Reason == QuotaExceeded
}

// doubts says what could change a quota's room. The quota controller brings
// status.hard up to spec.hard, and only status is enforced.
func doubts(q *corev1.ResourceQuota, m match, room int64, e evaluator) []Doubt {
	var all []Doubt
	doubt := func(room int64, format string, args ...any) {
		all = append(all, Doubt{fmt.Sprintf("resourcequota/%s: ", q.Name) + fmt.Sprintf(format, args...), room})
	}
	if !m.sure {
		doubt(room, "whether it counts these Pods depends on the default PriorityClass, which is not read")
	}
	switch soon, refusal := check(q, q.Spec.Hard, e); {
	case soon == room:
	case refusal != nil && refusal.Reason == UsageNotCounted:
		doubt(min(soon, room), "the quota controller has not counted yet what it limits, and enforces it then")
	default:
		doubt(min(soon, room), "status.hard is not what spec.hard says, and only status is enforced")
	}
	if why := e.unread(restricted(q.Status.Hard, e)); why != "" {
		doubt(0, "%s", why)
	}
	return all
}

// restricted lists what a quota limits of such objects.
func restricted(hard corev1.ResourceList, e evaluator) []corev1.ResourceName {
	var names []corev1.ResourceName
	for _, name := range sorted(hard) {
		if e.counts(name) {
			names = append(names, name)
		}
	}
	return names
}

// check returns the room that one quota leaves, if hard is enforced.
func check(q *corev1.ResourceQuota, hard corev1.ResourceList, e evaluator) (int64, *Refusal) {
	names := restricted(hard, e)
	if what := e.missing(names); what != "" {
		return 0, &Refusal{Reason: RequestMissing, By: q, Message: fmt.Sprintf("failed quota: %s: %s", q.Name, what)}
	}
	for _, name := range names {
		if _, counted := q.Status.Used[name]; !counted {
			return 0, &Refusal{Reason: UsageNotCounted, By: q, Message: fmt.Sprintf("status unknown for quota: %s, resources: %s", q.Name, listed(names))}
		}
	}
	return left(q, hard, names, e.usage())
}

func listed(names []corev1.ResourceName) string {
	text := make([]string, len(names))
	for i, name := range names {
		text[i] = string(name)
	}
	return strings.Join(text, ",")
}

// left is how often the usage fits, and what stops the next time.
func left(q *corev1.ResourceQuota, hard corev1.ResourceList, names []corev1.ResourceName, use corev1.ResourceList) (int64, *Refusal) {
	room := Unlimited
	var short *Shortfall
	for _, name := range names {
		each := use[name]
		if each.IsZero() {
			continue
		}
		s := Shortfall{q, name, each, q.Status.Used[name], hard[name]}
		if n := s.fits(); n < room {
			room, short = n, &s
		}
	}
	if short == nil {
		return Unlimited, nil
	}
	return room, &Refusal{Reason: QuotaExceeded, By: q, Short: short, Message: exceeded(q, hard, names, use, room)}
}

// after is what is used when n objects are in.
func (s Shortfall) after(n int64) resource.Quantity {
	used, more := s.Used.DeepCopy(), s.Each.DeepCopy()
	more.Mul(n)
	used.Add(more)
	return used
}

func (s Shortfall) exceededBy(n int64) bool {
	used := s.after(n)
	return used.Cmp(s.Hard) > 0
}

// fits is the largest number of objects that the quota takes.
func (s Shortfall) fits() int64 {
	low, high := int64(0), Unlimited // low fits, or is none; high does not
	for high-low > 1 {
		if n := low + (high-low)/2; s.exceededBy(n) {
			high = n
		} else {
			low = n
		}
	}
	return low
}

// exceeded is the server's message when room is used up: all resources that
// stop the next object.
func exceeded(q *corev1.ResourceQuota, hard corev1.ResourceList, names []corev1.ResourceName, use corev1.ResourceList, room int64) string {
	var requested, used, limited []string
	for _, name := range names {
		s := Shortfall{q, name, use[name], q.Status.Used[name], hard[name]}
		if s.Each.IsZero() || !s.exceededBy(room+1) {
			continue
		}
		before := s.after(room)
		requested = append(requested, fmt.Sprintf("%s=%s", name, s.Each.String()))
		used = append(used, fmt.Sprintf("%s=%s", name, before.String()))
		limited = append(limited, fmt.Sprintf("%s=%s", name, s.Hard.String()))
	}
	return fmt.Sprintf("exceeded quota: %s, requested: %s, used: %s, limited: %s",
		q.Name, strings.Join(requested, ","), strings.Join(used, ","), strings.Join(limited, ","))
}
