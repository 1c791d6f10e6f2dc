package events

import (
	"regexp"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Last is when an event last happened, in whichever field its writer put it.
func Last(e *corev1.Event) time.Time {
	at := e.LastTimestamp.Time
	if e.EventTime.After(at) {
		at = e.EventTime.Time
	}
	if e.Series != nil && e.Series.LastObservedTime.After(at) {
		at = e.Series.LastObservedTime.Time
	}
	return at
}

// Count is how often an event happened, 1 at least.
func Count(e *corev1.Event) int {
	n := max(1, int(e.Count))
	if e.Series != nil {
		n = max(n, int(e.Series.Count))
	}
	return n
}

// Newest is the event of a reason about an object that last happened, nil when
// there is none. The first of those that happened at once counts.
func Newest(all []*corev1.Event, about types.UID, reason string) *corev1.Event {
	var newest *corev1.Event
	for _, e := range all {
		if e.InvolvedObject.UID == about && e.Reason == reason && (newest == nil || Last(newest).Before(Last(e))) {
			newest = e
		}
	}
	return newest
}

// NewestOf are the last events of a namespace's objects of a kind, by the names of these.
func NewestOf(all []*corev1.Event, kind string) map[string]*corev1.Event {
	newest := map[string]*corev1.Event{}
	for _, e := range all {
		if e.InvolvedObject.Kind != kind {
			continue
		}
		if last := newest[e.InvolvedObject.Name]; last == nil || Last(last).Before(Last(e)) {
			newest[e.InvolvedObject.Name] = e
		}
	}
	return newest
}

// noClass is how the controller of volume claims names a class that is not there
// (pkg/controller/volume/persistentvolume/pv_controller.go provisionClaim, v1.37.1).
var noClass = regexp.MustCompile(`\bstorageclass(?:\.storage\.k8s\.io)? "([^"]+)" not found`)

// MissingClass is the StorageClass that an event of a volume claim names as not found, empty
// for none.
func MissingClass(e *corev1.Event) string {
	if m := noClass.FindStringSubmatch(e.Message); m != nil {
		return m[1]
	}
	return ""
}

// Claim is how messages name a volume claim.
const Claim = "persistentvolumeclaim"

// Referred are the kinds of objects that Pods refer to, by how messages name them.
var Referred = map[string]string{"configmap": "ConfigMap", "secret": "Secret", Claim: "PVC"}

// absent is how kubelets and schedulers name an object that a Pod refers to and that is
// not there (pkg/kubelet/kubelet_pods.go and pkg/volume, pkg/scheduler/framework/plugins/
// volumebinding, v1.37.1: the API's NotFound of the resource).
var absent = regexp.MustCompile(`\b(configmap|secret|persistentvolumeclaim) "([^"]+)" not found`)

// Absent is the kind and the name of the object that a message says is not there, empty for
// none.
func Absent(message string) (kind, name string) {
	if m := absent.FindStringSubmatch(message); m != nil {
		return m[1], m[2]
	}
	return "", ""
}

// multiAttach is how the controller manager says that a volume is attached to another node,
// once for each Pod; the second one since Kubernetes 1.37
// (pkg/controller/volume/attachdetach/reconciler reportMultiAttachError, v1.36.3 and v1.37.1).
var multiAttach = regexp.MustCompile(`^(?:Multi-Attach error|Waiting for detach) for volume "([^"]+)" `)

// AttachedElsewhere is the volume that a message says is attached to another node, empty for
// none.
func AttachedElsewhere(message string) string {
	if m := multiAttach.FindStringSubmatch(message); m != nil {
		return m[1]
	}
	return ""
}
