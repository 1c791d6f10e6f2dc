// Package contract is the wire format between a conformance test and an
// oracle process: one JSON object per line, answers in request order. It
// holds data only; README.md beside the driver says what each field means.
package contract

import (
	"encoding/json"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// Operations a request can ask for. An empty Op is OpSync. OpRollout is a sync
// of a Deployment and OpStatefulSet one of a StatefulSet, whose requests and
// responses are those of the contracts beside packages rollout and statefulset.
const (
	OpSync        = "sync"
	OpLess        = "less"
	OpClaim       = "claim"
	OpEvents      = "events"
	OpRollout     = "rollout"
	OpStatefulSet = "statefulset"
)

// Types of Event.
const (
	EventAdded   = "added"
	EventUpdated = "updated"
	EventDeleted = "deleted"
	// EventMissed is a deletion of which the watch told too late: a tombstone.
	EventMissed = "missed"
)

// Kinds of controller an oracle drives, and of the pods that they all watch.
const (
	KindReplicaSet            = "ReplicaSet"
	KindReplicationController = "ReplicationController"
	KindDeployment            = "Deployment"
	KindStatefulSet           = "StatefulSet"
	KindPod                   = "Pod"
)

// Calls a Fault can make fail.
const (
	CallCreate    = "create"
	CallDelete    = "delete"
	CallAdopt     = "adopt"
	CallRelease   = "release"
	CallRecheck   = "recheck"
	CallStatus    = "status"
	CallStatusGet = "statusGet"
)

// Versions of what is read and was written, where a cache is Behind.
const (
	ReadVersion  = "5"
	WroteVersion = "9"
)

// Outcomes of OpClaim, one per pod.
const (
	ClaimClaimed  = "claimed"
	ClaimAdopted  = "adopted"
	ClaimReleased = "released"
	ClaimIgnored  = "ignored"
	ClaimError    = "error"
)

// Request is one state to answer for.
type Request struct {
	ID    string          `json:"id"`
	Op    string          `json:"op,omitempty"`
	Gates map[string]bool `json:"gates,omitempty"`

	Kind                   string                          `json:"kind,omitempty"`
	Key                    string                          `json:"key,omitempty"`
	ReplicaSets            []*appsv1.ReplicaSet            `json:"replicaSets,omitempty"`
	ReplicationControllers []*corev1.ReplicationController `json:"replicationControllers,omitempty"`
	Pods                   []*corev1.Pod                   `json:"pods,omitempty"`
	Orders                 [][]int                         `json:"orders,omitempty"`
	Live                   json.RawMessage                 `json:"live,omitempty"`
	Expectations           *Expectations                   `json:"expectations,omitempty"`
	Faults                 []Fault                         `json:"faults,omitempty"`
	// Behind are the resources, such as replicasets.apps, of which the cache has
	// read up to version ReadVersion and the controller wrote WroteVersion.
	Behind []string `json:"behind,omitempty"`

	// Bodies asks for the Pods that are created.
	Bodies bool `json:"bodies,omitempty"`

	Ranks []int `json:"ranks,omitempty"`

	// Memory is what is expected by key when the Events come.
	Memory map[string]*Expectations `json:"memory,omitempty"`
	Events []Event                  `json:"events,omitempty"`
}

// Event is one call of an event handler. Kind is Pod, that of the controller's
// own objects, or ReplicaSet for a Deployment's.
type Event struct {
	Type string          `json:"type"`
	Kind string          `json:"kind"`
	Old  json.RawMessage `json:"old,omitempty"`
	New  json.RawMessage `json:"new,omitempty"`
}

// EventRun is what one event did to the queue and to what is expected. Keys
// are added in the order of upstream's lister, which is chance.
type EventRun struct {
	Added  []string                 `json:"added,omitempty"`
	After  []string                 `json:"after,omitempty"`
	Memory map[string]*Expectations `json:"memory"`
}

// Expectations are the creations and deletions a controller still waits to
// see for one key. Age is a Go duration: now minus the time of recording.
type Expectations struct {
	Adds       int64    `json:"adds"`
	Dels       int64    `json:"dels"`
	DeleteKeys []string `json:"deleteKeys"`
	Age        string   `json:"age"`
}

// Fault makes one API call fail. Create and status faults are chosen by
// Index, delete, adopt and release faults by Pod (the pod's name).
type Fault struct {
	Call    string `json:"call"`
	Index   int    `json:"index,omitempty"`
	Pod     string `json:"pod,omitempty"`
	Reason  string `json:"reason"`
	Message string `json:"message,omitempty"`
}

// Response answers the request of the same ID. Error is set only if the
// request itself was unusable.
type Response struct {
	ID      string   `json:"id"`
	Error   string   `json:"error,omitempty"`
	Runs    []Run    `json:"runs,omitempty"`
	Less    []bool   `json:"less,omitempty"`
	Claims  []string `json:"claims,omitempty"`
	Patches []Patch  `json:"patches,omitempty"`

	Events []EventRun `json:"events,omitempty"`
}

// Run is everything one sync did that is visible from outside it.
type Run struct {
	Creates       int   `json:"creates"`
	CreatesFailed int   `json:"createsFailed"`
	CreateBatches []int `json:"createBatches,omitempty"`
	// Created is the first Pod that was sent to be created, and CreatedUnlike reports
	// whether one of the first sixteen was another, where a request asks for Bodies.
	Created       json.RawMessage `json:"created,omitempty"`
	CreatedUnlike bool            `json:"createdUnlike,omitempty"`
	Deletes       []string        `json:"deletes"`
	Patches       []Patch         `json:"patches"`
	Status        json.RawMessage `json:"status"`
	StatusWrites  int             `json:"statusWrites"`
	RequeueAfter  []string        `json:"requeueAfter"`
	RateLimited   bool            `json:"rateLimited"`
	Forgotten     bool            `json:"forgotten"`
	Expectations  *Expectations   `json:"expectations"`
	SyncError     string          `json:"syncError"`
}

// Patch is one pod patch with the exact bytes sent.
type Patch struct {
	Pod  string `json:"pod"`
	Body string `json:"body"`
}
