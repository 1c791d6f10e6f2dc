// Package eviction answers when the taints of a node delete a Pod.
package eviction

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// hold is a NoExecute taint of a node, as a Pod on that node meets it.
type hold struct {
	corev1.Taint
	// met is since when both are there, zero where the taint does not tell when it was added.
	met time.Time
	// tolerated is for how long the Pod tolerates it, negative for not at all.
	tolerated time.Duration
	// always: the Pod tolerates it without limit.
	always bool
}

// Of returns when the taints of a node delete a Pod on it, or that they do not; nil where it
// has none, and without a node.
//
// The taint-eviction-controller starts a timer for a Pod when it sees the first taint
// that the Pod tolerates for a time only, and keeps it when more are added; a taint that
// the Pod does not tolerate ends the wait (pkg/controller/tainteviction/taint_eviction.go
// processPodOnNode and getMinTolerationTime, v1.37.1). It has its timers in memory, and
// begins anew when it is restarted: what a taint says of when it was added is the
// nearest to it that can be read.
func Of(node *corev1.Node, pod *corev1.Pod, now time.Time) *decision.TaintEviction {
	if node == nil {
		return nil
	}
	var refused, timed, always []hold
	for _, h := range holds(node, pod) {
		switch {
		case h.always:
			always = append(always, h)
		case h.tolerated < 0:
			refused = append(refused, h)
		default:
			timed = append(timed, h)
		}
	}
	sort.SliceStable(refused, func(i, j int) bool { return refused[i].met.Before(refused[j].met) })
	first, due := firstTimed(timed)
	switch {
	case len(refused) > 0 && (due.IsZero() || refused[0].met.Before(due)):
		return refused[0].evicts(refused[0].met, now)
	case len(timed) > 0:
		return first.evicts(due, now)
	case len(always) > 0:
		return &decision.TaintEviction{Taint: always[0].name(), Message: fmt.Sprintf("the node's taint %s does not delete it (tolerated without limit)", always[0].name())}
	}
	return nil
}

// holds are the NoExecute taints of a node. Of several tolerations of a taint the first
// one counts (k8s.io/component-helpers scheduling/corev1 GetMatchingTolerations, v1.37.1).
func holds(node *corev1.Node, pod *corev1.Pod) []hold {
	var all []hold
	placed := time.Time{}
	for _, c := range pod.Status.Conditions {
		if c.Type == corev1.PodScheduled {
			placed = c.LastTransitionTime.Time
		}
	}
	for _, t := range node.Spec.Taints {
		if t.Effect != corev1.TaintEffectNoExecute {
			continue
		}
		h := hold{Taint: t, tolerated: -1}
		if t.TimeAdded != nil {
			h.met = t.TimeAdded.Time
		}
		if !h.met.IsZero() && placed.After(h.met) {
			h.met = placed
		}
		for _, by := range pod.Spec.Tolerations {
			if !by.ToleratesTaint(logr.Discard(), &t, false) { // operators Lt and Gt are off
				continue
			}
			if h.always = by.TolerationSeconds == nil; !h.always {
				h.tolerated = time.Duration(max(0, *by.TolerationSeconds)) * time.Second
			}
			break
		}
		all = append(all, h)
	}
	return all
}

// firstTimed is the taint for which a Pod's timer runs, and when that is over: zero where
// one of them does not tell when it was added.
func firstTimed(timed []hold) (hold, time.Time) {
	if len(timed) == 0 {
		return hold{}, time.Time{}
	}
	shorter := func(a, b hold) int { return cmp.Compare(a.tolerated, b.tolerated) }
	if slices.ContainsFunc(timed, func(h hold) bool { return h.met.IsZero() }) {
		return slices.MinFunc(timed, shorter), time.Time{}
	}
	start := slices.MinFunc(timed, func(a, b hold) int { return a.met.Compare(b.met) }).met
	first := slices.MinFunc(slices.DeleteFunc(slices.Clone(timed), func(h hold) bool { return h.met.After(start) }), shorter)
	return first, start.Add(first.tolerated)
}

// name is the key of a taint, with its value.
func (h hold) name() string {
	if h.Value == "" {
		return h.Key
	}
	return h.Key + "=" + h.Value
}

// evicts says that a taint deletes the Pod at an instant, zero where that is not known.
func (h hold) evicts(at, now time.Time) *decision.TaintEviction {
	seconds, how := int64(0), "not tolerated"
	if h.tolerated >= 0 {
		seconds, how = int64(h.tolerated/time.Second), "tolerated for "+duration.HumanDuration(h.tolerated)
	}
	e := &decision.TaintEviction{Taint: h.name(), TolerationSeconds: &seconds, At: at.UTC()}
	switch {
	case at.IsZero() && seconds > 0:
		how += ", since an unknown time"
		e.Message = "deletes it"
	case at.IsZero():
		e.Message = "deletes it at once"
	case at.Before(now):
		e.Message = "was to delete it " + format.Age(at, now) + " ago"
	default:
		e.Message = "deletes it in " + duration.HumanDuration(at.Sub(now))
	}
	e.Message = fmt.Sprintf("the node's taint %s %s (%s)", h.name(), e.Message, how)
	return e
}
