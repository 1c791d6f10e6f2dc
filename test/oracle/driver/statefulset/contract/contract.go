// Package contract is the wire format between an oracle and the tests of
// StatefulSets: one JSON object per line each way, in the same order.
package contract

import (
	"encoding/json"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// The requests of a sync, in Write.Call and Fault.Call: verb, kind and
// subresource. CallRecheck, in faults only, is the uncached read of the
// StatefulSet before the first adoption.
const (
	CallPatchPod       = "patchPod"
	CallCreatePod      = "createPod"
	CallUpdatePod      = "updatePod"
	CallDeletePod      = "deletePod"
	CallCreateClaim    = "createPersistentVolumeClaim"
	CallUpdateClaim    = "updatePersistentVolumeClaim"
	CallPatchRevision  = "patchControllerRevision"
	CallCreateRevision = "createControllerRevision"
	CallUpdateRevision = "updateControllerRevision"
	CallDeleteRevision = "deleteControllerRevision"
	CallUpdateStatus   = "updateStatefulSetStatus"
	CallRecheck        = "recheck"
)

// Request is one state: what the informers' caches hold, which do not change
// during the sync. The instant is 2000-01-01T00:00:00Z.
type Request struct {
	ID string `json:"id"`
	// Op is "statefulset".
	Op string `json:"op"`
	// Gates are feature gates of this request only.
	Gates map[string]bool `json:"gates,omitempty"`
	// Key is namespace/name of the StatefulSet to sync.
	Key          string                          `json:"key"`
	StatefulSets []*appsv1.StatefulSet           `json:"statefulSets"`
	Pods         []*corev1.Pod                   `json:"pods"`
	Claims       []*corev1.PersistentVolumeClaim `json:"claims"`
	Revisions    []*appsv1.ControllerRevision    `json:"revisions"`
	// Live is what an uncached GET of the StatefulSet returns; absent: the cached
	// one.
	Live *appsv1.StatefulSet `json:"live,omitempty"`
	// Twin is what an uncached GET of a ControllerRevision returns whose creation
	// failed with AlreadyExists, under the name asked for, where the cache has none of
	// that name; absent: NotFound.
	Twin *appsv1.ControllerRevision `json:"twin,omitempty"`
	// Behind are resources ("pods", "statefulsets.apps") of which the controller
	// wrote version WroteVersion for the set, while the caches have read up to
	// ReadVersion (package contract of the driver); before 1.36 of no effect.
	Behind []string `json:"behind,omitempty"`
	Faults []Fault  `json:"faults,omitempty"`
}

// Fault lets a call fail.
type Fault struct {
	Call string `json:"call"`
	// Name is the object's; empty: any.
	Name string `json:"name,omitempty"`
	// Times is how many of these calls fail, the first ones; 0: all.
	Times   int    `json:"times,omitempty"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// Response is what one real sync did.
type Response struct {
	ID string `json:"id"`
	// Error says why the request was not usable.
	Error string `json:"error,omitempty"`
	// Writes are in the order of the sync, refused ones too.
	Writes []Write `json:"writes"`
	// Events are in the order of the sync; those of concurrent requests in any.
	Events []Event `json:"events"`
	// RequeueAfter are Go durations.
	RequeueAfter []string `json:"requeueAfter"`
	RateLimited  bool     `json:"rateLimited"`
	Forgotten    bool     `json:"forgotten"`
	// SyncError is what the sync returned; "panic: …" if it panicked.
	SyncError string `json:"syncError,omitempty"`
}

// Write is one request to the API server.
type Write struct {
	Call string `json:"call"`
	Name string `json:"name"`
	// Object is the whole object as sent; absent for patches and deletions.
	Object json.RawMessage `json:"object,omitempty"`
	Patch  string          `json:"patch,omitempty"`
	// Error is the answer: of a fault, Conflict for an object that was written in
	// this sync and is sent from an older copy, AlreadyExists and NotFound by what
	// the caches hold.
	Error string `json:"error,omitempty"`
	// Concurrent requests are made by goroutines that run side by side; the order
	// between those of different ordinals is not deterministic.
	Concurrent bool `json:"concurrent,omitempty"`
}

// Event is one that the sync records of the StatefulSet.
type Event struct {
	Type    string `json:"type"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}
