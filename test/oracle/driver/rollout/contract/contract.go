// Package contract is the wire format between an oracle and the tests of
// Deployments: one JSON object per line each way, in the same order.
package contract

import (
	"encoding/json"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// The writes of a sync, in Write.Call and Fault.Call. CallRecheck is the
// uncached read of the Deployment before the first adoption, and CallAny, in
// faults only, any write but a patch.
const (
	CallPatchSet         = "patchReplicaSet"
	CallCreateSet        = "createReplicaSet"
	CallUpdateSet        = "updateReplicaSet"
	CallDeleteSet        = "deleteReplicaSet"
	CallUpdateDeployment = "updateDeployment"
	CallUpdateStatus     = "updateDeploymentStatus"
	CallRecheck          = "recheck"
	CallAny              = "any"
)

// Request is one state: what the informers' caches hold. The instant is
// 2000-01-01T00:00:00Z.
type Request struct {
	ID string `json:"id"`
	// Op is "rollout".
	Op string `json:"op"`
	// Gates are feature gates of this request only.
	Gates map[string]bool `json:"gates,omitempty"`
	// Key is namespace/name of the Deployment to sync.
	Key         string               `json:"key"`
	Deployments []*appsv1.Deployment `json:"deployments"`
	ReplicaSets []*appsv1.ReplicaSet `json:"replicaSets"`
	Pods        []*corev1.Pod        `json:"pods"`
	// Live is what an uncached GET of the Deployment returns; absent: the
	// cached one.
	Live *appsv1.Deployment `json:"live,omitempty"`
	// Twin comes to be in the cache under the name of a ReplicaSet whose
	// creation fails with AlreadyExists; absent: the cache has none.
	Twin   *appsv1.ReplicaSet `json:"twin,omitempty"`
	Faults []Fault            `json:"faults,omitempty"`
}

// Fault lets one call fail.
type Fault struct {
	Call string `json:"call"`
	// Name is the ReplicaSet of a patch, whose order is open; Index counts all
	// other writes of the sync from 0.
	Name    string `json:"name,omitempty"`
	Index   int    `json:"index,omitempty"`
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
	// Error is the answer: of a fault, or Conflict for an object that was
	// written in this sync and is sent from an older copy.
	Error string `json:"error,omitempty"`
}
