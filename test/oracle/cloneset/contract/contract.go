// Package contract is the wire format between a conformance test and a kruise
// oracle: one JSON object per line, answers in request order. It holds data
// only; kruise.md says what each field means. It needs no kruise type, so that
// any module can use it or copy it.
package contract

import (
	"encoding/json"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// Operations a request can ask for. An empty Op is OpSync.
const (
	OpSync  = "sync"
	OpDiffs = "diffs"
	OpLess  = "less"
	OpSort  = "sort"
)

// Request is one state to answer for, or with OpDiffs many.
type Request struct {
	ID    string          `json:"id"`
	Op    string          `json:"op,omitempty"`
	Now   *time.Time      `json:"now,omitempty"`
	Gates map[string]bool `json:"gates,omitempty"`
	Flags Flags           `json:"flags,omitzero"`
	Seed  int64           `json:"seed,omitempty"`

	CloneSet              json.RawMessage                 `json:"cloneSet,omitempty"`
	Pods                  []*corev1.Pod                   `json:"pods,omitempty"`
	PVCs                  []*corev1.PersistentVolumeClaim `json:"pvcs,omitempty"`
	ControllerRevisions   []*appsv1.ControllerRevision    `json:"controllerRevisions,omitempty"`
	Nodes                 []*corev1.Node                  `json:"nodes,omitempty"`
	PodUnavailableBudgets []json.RawMessage               `json:"podUnavailableBudgets,omitempty"`
	ImagePullJobs         []json.RawMessage               `json:"imagePullJobs,omitempty"`
	Orders                [][]int                         `json:"orders,omitempty"`
	Expectations          *Expectations                   `json:"expectations,omitempty"`
	Faults                []Fault                         `json:"faults,omitempty"`

	Diffs []DiffsInput `json:"diffs,omitempty"`
}

// Flags are the arguments of kruise-manager that a reconcile depends on.
// Durations are Go durations.
type Flags struct {
	ExpectationTimeout            string `json:"expectationTimeout,omitempty"`
	ScalingExcludePreparingDelete bool   `json:"scalingExcludePreparingDelete,omitempty"`
	ServerVersion                 string `json:"serverVersion,omitempty"`
}

// Expectations are what the controller waits to see before it acts again.
type Expectations struct {
	Scale            *ScaleExpectations           `json:"scale,omitempty"`
	ResourceVersions []ResourceVersionExpectation `json:"resourceVersions,omitempty"`
}

// ScaleExpectations are names of pods and claims still to appear or to go.
// UnsatisfiedFor is now minus the first check that found them unsatisfied;
// empty if none did.
type ScaleExpectations struct {
	Create         []string `json:"create,omitempty"`
	Delete         []string `json:"delete,omitempty"`
	UnsatisfiedFor string   `json:"unsatisfiedFor,omitempty"`
}

// ResourceVersionExpectation waits for an object at Version or newer.
type ResourceVersionExpectation struct {
	UID            string `json:"uid"`
	Version        string `json:"version"`
	UnsatisfiedFor string `json:"unsatisfiedFor,omitempty"`
}

// Fault makes API calls fail. Empty selectors match every call; Index is the
// first failing one of the matching calls, zero-based, and Count how many fail
// from there, 1 if absent, all if negative.
type Fault struct {
	Verb        string `json:"verb,omitempty"`
	Kind        string `json:"kind,omitempty"`
	Subresource string `json:"subresource,omitempty"`
	Name        string `json:"name,omitempty"`
	Index       int    `json:"index,omitempty"`
	Count       int    `json:"count,omitempty"`
	Reason      string `json:"reason"`
	Message     string `json:"message,omitempty"`
}

// Response answers the request of the same ID. Error is set only if the
// request itself was unusable.
type Response struct {
	ID    string        `json:"id"`
	Error string        `json:"error,omitempty"`
	Runs  []Run         `json:"runs,omitempty"`
	Diffs []DiffsOutput `json:"diffs,omitempty"`
	Less  []bool        `json:"less,omitempty"`
	Ranks []float64     `json:"ranks,omitempty"`
	Sorts [][]int       `json:"sorts,omitempty"`
}

// Run is everything one reconcile did that is visible from outside it.
type Run struct {
	Writes       []Write         `json:"writes"`
	Status       json.RawMessage `json:"status"`
	Events       []Event         `json:"events,omitempty"`
	RequeueAfter string          `json:"requeueAfter,omitempty"`
	Expectations *Expectations   `json:"expectations"`
	Error        string          `json:"error,omitempty"`
}

// Write is one call that changes something, failed ones too. Object is what
// was sent with create and update, Patch the exact bytes of a patch.
type Write struct {
	Verb        string          `json:"verb"`
	Kind        string          `json:"kind"`
	Subresource string          `json:"subresource,omitempty"`
	Name        string          `json:"name"`
	Object      json.RawMessage `json:"object,omitempty"`
	PatchType   string          `json:"patchType,omitempty"`
	Patch       string          `json:"patch,omitempty"`
	Failed      string          `json:"failed,omitempty"`
}

// Event is one event on an object.
type Event struct {
	Object  string `json:"object"`
	Type    string `json:"type"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}
