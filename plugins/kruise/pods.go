package kruise

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Active mirrors IsPodActive of k8s.io/kubernetes/pkg/controller/controller_utils.go.
func Active(p *corev1.Pod) bool {
	return !view.Ended(p) && p.DeletionTimestamp == nil
}

// Annotation returns the value of a key, or of the name that it had before.
func Annotation(p *corev1.Pod, key, old string) string {
	value, _ := Lookup(p, key, old)
	return value
}

// Lookup returns the same, and whether there is one of the two.
func Lookup(p *corev1.Pod, key, old string) (value string, ok bool) {
	if value, ok = p.Annotations[key]; !ok {
		value, ok = p.Annotations[old]
	}
	return value, ok
}

// SameHash mirrors EqualToRevisionHash of utils/cloneset_utils.go: the label is
// the revision's name, or ends in the same hash.
func SameHash(label, revision string) bool {
	return label == revision || ShortHash(label) == ShortHash(revision)
}

// ShortHash is the hash at the end of a revision's name (GetShortHash).
//
//go:noinline // it is called at many places
func ShortHash(revision string) string { return revision[strings.LastIndex(revision, "-")+1:] }

// Ready reports whether the Pod's condition Ready is True, and since when.
//
//go:noinline // it is called at many places
func Ready(p *corev1.Pod) (ready bool, since time.Time) {
	if ready, since = view.Readiness(p); !ready {
		return false, time.Time{}
	}
	return true, since
}

// ContainerStatus returns what the kubelet reports of a container, or nil.
func ContainerStatus(p *corev1.Pod, container string) *corev1.ContainerStatus {
	for i := range p.Status.ContainerStatuses {
		if p.Status.ContainerStatuses[i].Name == container {
			return &p.Status.ContainerStatuses[i]
		}
	}
	return nil
}

// HasGate reports whether the Pod's spec has a readiness gate.
//
//go:noinline // it is called at many places
func HasGate(p *corev1.Pod, gate corev1.PodConditionType) bool {
	return slices.ContainsFunc(p.Spec.ReadinessGates, func(g corev1.PodReadinessGate) bool { return g.ConditionType == gate })
}

// The annotations and the condition of an update in place (apis/apps/pub/
// inplace_update.go, v1.9.1), with the names that annotations had before.
const (
	GraceAnnotation   = "apps.kruise.io/inplace-update-grace"
	OldGrace          = "inplace-update-grace"
	UpdateAnnotation  = "apps.kruise.io/inplace-update-state"
	OldUpdate         = "inplace-update-state"
	RuntimeAnnotation = "apps.kruise.io/runtime-containers-meta"
	InPlaceReady      = "InPlaceUpdateReady"
)

// RevisionLabel is the revision of a pod.
const RevisionLabel = "controller-revision-hash"

// InPlaceCondition is the Pod's condition that no update in place is under way, nil without.
func InPlaceCondition(p *corev1.Pod) *corev1.PodCondition { return view.Condition(p, InPlaceReady) }
