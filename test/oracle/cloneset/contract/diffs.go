package contract

import "k8s.io/apimachinery/pkg/util/intstr"

// DiffsInput is one state for calculateDiffsWithExpectation. Pods come in
// groups of equals.
type DiffsInput struct {
	Replicas            int32               `json:"replicas"`
	Partition           *intstr.IntOrString `json:"partition,omitempty"`
	MaxSurge            *intstr.IntOrString `json:"maxSurge,omitempty"`
	MaxUnavailable      *intstr.IntOrString `json:"maxUnavailable,omitempty"`
	ScaleMaxUnavailable *intstr.IntOrString `json:"scaleMaxUnavailable,omitempty"`
	Paused              bool                `json:"paused,omitempty"`
	MinReadySeconds     int32               `json:"minReadySeconds,omitempty"`
	// ExcludePreparingDelete is the CloneSet's label of that name.
	ExcludePreparingDelete bool `json:"excludePreparingDelete,omitempty"`
	// SameRevision says that the current revision is the update revision.
	SameRevision bool       `json:"sameRevision,omitempty"`
	Pods         []PodGroup `json:"pods,omitempty"`
}

// PodGroup is Count pods (1 if absent) alike. They are of the update revision
// if Updated, else of the current one.
type PodGroup struct {
	Count   int    `json:"count,omitempty"`
	Updated bool   `json:"updated,omitempty"`
	State   string `json:"state,omitempty"`
	// Phase is Running if absent. ReadyFor is the number of whole seconds since
	// the pod became ready; a pod without it is not ready.
	Phase    string `json:"phase,omitempty"`
	ReadyFor *int64 `json:"readyFor,omitempty"`
	// InPlace is the status of the condition InPlaceUpdateReady, if there is one.
	InPlace string `json:"inPlace,omitempty"`
	// Specified says that the pod carries the label specified-delete.
	Specified bool `json:"specified,omitempty"`
}

// DiffsOutput is what Scale and what Update calculate from the same state.
type DiffsOutput struct {
	Scale  Diffs `json:"scale"`
	Update Diffs `json:"update"`
}

// Diffs has the fields of upstream's expectationDiffs, in
// pkg/controller/cloneset/sync/cloneset_sync_utils.go.
type Diffs struct {
	ScaleUpNum              int `json:"scaleUpNum,omitempty"`
	ScaleUpNumOldRevision   int `json:"scaleUpNumOldRevision,omitempty"`
	ScaleDownNum            int `json:"scaleDownNum,omitempty"`
	ScaleDownNumOldRevision int `json:"scaleDownNumOldRevision,omitempty"`
	ScaleUpLimit            int `json:"scaleUpLimit,omitempty"`
	DeleteReadyLimit        int `json:"deleteReadyLimit,omitempty"`
	UseSurge                int `json:"useSurge,omitempty"`
	UseSurgeOldRevision     int `json:"useSurgeOldRevision,omitempty"`
	UpdateNum               int `json:"updateNum,omitempty"`
	UpdateMaxUnavailable    int `json:"updateMaxUnavailable,omitempty"`
}
