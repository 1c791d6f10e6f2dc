package admission

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Unlimited is the room where nothing bounds it.
const Unlimited = int64(1) << 31

// Namespace is what admission looks up in the namespace of a new object.
type Namespace struct {
	LimitRanges []*corev1.LimitRange
	Quotas      []*corev1.ResourceQuota
	// Labels are those of the namespace, as far as it was read.
	Labels map[string]string
	// Demands are what other objects of the same change create there.
	Demands []view.Demand
	// exists reports whether a class is known to exist; nil where that is not asked.
	exists func(class) bool
}

// Reason says which check refuses.
type Reason string

// The checks, in the order in which the API server makes them.
const (
	Invalid         Reason = "Invalid"
	OutsideRange    Reason = "OutsideRange"
	RequestMissing  Reason = "RequestMissing"
	UsageNotCounted Reason = "UsageNotCounted"
	QuotaExceeded   Reason = "QuotaExceeded"
)

// Refusal is why the API server refuses an object.
type Refusal struct {
	Reason Reason
	// By is the *LimitRange or *ResourceQuota that refuses, or the *LimitRange whose default
	// makes an object invalid; nil for what is invalid by itself.
	By metav1.Object
	// Message is the error's text, behind "pods … is forbidden: ".
	Message string
	// All are the errors that the Message joins, in order; of validation and of a
	// LimitRange.
	All []string
	// Short says what a quota has too little of; set for QuotaExceeded.
	Short *Shortfall
}

// ByKind is the kind of what refuses, where that is an object.
func (r *Refusal) ByKind() view.Kind {
	if _, quota := r.By.(*corev1.ResourceQuota); quota {
		return view.ResourceQuotas
	}
	return view.LimitRanges
}

// Doubt is something that is not known here and would bound the Room.
type Doubt struct {
	Why  string
	Room int64
}

// Verdict says how many equal objects are accepted one after another.
type Verdict struct {
	// Room is how many are accepted, at most Unlimited.
	Room int64
	// Refusal is why the one after them is refused; nil for Unlimited.
	Refusal *Refusal
	// Doubts are what makes the Room uncertain.
	Doubts []Doubt
	// Pod is the new Pod with all defaults; nil for other objects.
	Pod *corev1.Pod
}

// Doubted lists why it is uncertain whether n objects are accepted, or refused
// as Room says.
func (v Verdict) Doubted(n int64) []string {
	var why []string
	for _, d := range v.Doubts {
		if d.Room < n {
			why = append(why, d.Why)
		}
	}
	return why
}

// Review reports what becomes of Pods like pod, which is not changed.
func (ns Namespace) Review(pod *corev1.Pod, f Features) Verdict {
	given := pod
	pod, doubts := ns.complete(given, f)
	v := ns.refuse(pod, f)
	if v.Refusal != nil && v.Refusal.Reason == Invalid {
		v.Refusal.By = ns.invalidates(given, f)
	}
	v.Pod, v.Doubts = pod, slices.Concat(doubts, unread(pod, f), v.Doubts)
	if v.Room > 0 { // else it is refused anyway
		v.Doubts = slices.Concat(ns.security(pod), ns.classes(pod), v.Doubts)
	}
	return v
}

// complete is a Pod with the defaults that it gets on the way.
func (ns Namespace) complete(pod *corev1.Pod, f Features) (*corev1.Pod, []Doubt) {
	pod = pod.DeepCopy()
	setDefaults(pod, f)
	doubts := ns.limitDefaults(pod)
	setLateDefaults(pod, f)
	return pod, doubts
}

// invalidates returns the *LimitRange without whose defaults a Pod is valid; nil for none.
func (ns Namespace) invalidates(pod *corev1.Pod, f Features) metav1.Object {
	for i, by := range ns.LimitRanges {
		others := Namespace{LimitRanges: slices.Concat(ns.LimitRanges[:i], ns.LimitRanges[i+1:])}
		if without, _ := others.complete(pod, f); validate(without) == nil {
			return by
		}
	}
	return nil
}

func (ns Namespace) refuse(pod *corev1.Pod, f Features) Verdict {
	if r := validate(pod); r != nil {
		return Verdict{Refusal: r}
	}
	if r := ns.outsideRange(pod); r != nil {
		return Verdict{Refusal: r}
	}
	return ns.quotas(podEvaluator{pod, f})
}
