package statefulset

import (
	"strconv"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/ownership"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// pod is a Pod of the StatefulSet, or one that is to be created.
type pod struct {
	*corev1.Pod
	ordinal  int
	revision string
	// created: it is in the cluster, and has a phase.
	created bool
	// ready: it is Running and Ready; available: it is ready for minReadySeconds,
	// whatever its phase.
	ready, available bool
}

// terminating mirrors isTerminating (stateful_set_utils.go, v1.37.1).
//
//go:noinline
func (p *pod) terminating() bool { return p.DeletionTimestamp != nil }

// wanting mirrors isUnavailable (same file), and isHealthy of 1.33 and before.
func (p *pod) wanting(b behaviour) bool {
	if b.available {
		return !p.available || p.terminating()
	}
	return !p.ready || p.terminating()
}

// ref names the Pod.
//
//go:noinline // it is called at many places
func (p *pod) ref() decision.Ref { return ownership.RefTo(view.Pods, p.Pod) }

// podOf is a Pod of the cluster as the sync sees it.
func (t *target) podOf(p *corev1.Pod, ordinal int) pod {
	ready, since := view.Readiness(p)
	return pod{
		Pod: p, ordinal: ordinal, revision: p.Labels[appsv1.StatefulSetRevisionLabel], created: p.Status.Phase != "",
		ready: ready && p.Status.Phase == corev1.PodRunning, available: ready && t.isAvailable(since),
	}
}

// isAvailable mirrors IsPodAvailable (pkg/api/v1/pod/util.go, v1.37.1) for a Pod that is ready
// since some time: up to 1.33 minReadySeconds had to be exceeded, since then reached.
func (t *target) isAvailable(since time.Time) bool {
	if t.set.Spec.MinReadySeconds == 0 {
		return true
	}
	due := since.Add(time.Duration(t.set.Spec.MinReadySeconds) * time.Second)
	return !since.IsZero() && (due.Before(t.now) || t.behaviour.exact && due.Equal(t.now))
}

// split mirrors getParentNameAndOrdinal (stateful_set_utils.go, v1.37.1): the name
// before the last dash, and the number behind it. The ordinal is -1 for a number that
// is too large, and for another name, whose parent is empty.
func split(name string) (parent string, ordinal int) {
	dash := strings.LastIndexByte(name, '-')
	digits := name[dash+1:]
	if dash < 0 || digits == "" || strings.ContainsFunc(digits, notDigit) {
		return "", -1
	}
	n, err := strconv.ParseInt(digits, 10, 32)
	if err != nil {
		return name[:dash], -1
	}
	return name[:dash], int(n)
}

func notDigit(r rune) bool { return r < '0' || r > '9' }

// padded reports whether the ordinal of a name is written with zeros before it.
//
//go:noinline // it is called at many places
func padded(name string) bool {
	digits := name[strings.LastIndexByte(name, '-')+1:]
	return len(digits) > 1 && digits[0] == '0'
}

// isMember mirrors isMemberOf (same file).
func isMember(set, pod string) bool {
	parent, _ := split(pod)
	return parent == set
}

//go:noinline // it is called at many places
func ordinalOf(name string) int {
	_, ordinal := split(name)
	return ordinal
}

func podName(set *appsv1.StatefulSet, ordinal int) string {
	return set.Name + "-" + strconv.Itoa(ordinal)
}

// identified mirrors identityMatches (same file) of a Pod that has an ordinal, so that it is
// a member.
func identified(p *corev1.Pod) bool {
	return !padded(p.Name) && p.Labels[appsv1.StatefulSetPodNameLabel] == p.Name
}

// identify mirrors updateIdentity (same file). The labels are changed in place.
func (b behaviour) identify(set *appsv1.StatefulSet, p *corev1.Pod, ordinal int) {
	p.Name, p.Namespace = podName(set, ordinal), set.Namespace
	if p.Labels == nil {
		p.Labels = map[string]string{}
	}
	p.Labels[appsv1.StatefulSetPodNameLabel] = p.Name
	if b.index {
		p.Labels[appsv1.PodIndexLabel] = strconv.Itoa(ordinal)
	}
}
