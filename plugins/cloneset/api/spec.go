package api

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// Spec is what the controller consults of a CloneSet's spec
// (apis/apps/v1alpha1/cloneset_types.go, v1.9.1).
type Spec struct {
	Replicas             *int32                         `json:"replicas"`
	Selector             *metav1.LabelSelector          `json:"selector"`
	Template             corev1.PodTemplateSpec         `json:"template"`
	VolumeClaimTemplates []corev1.PersistentVolumeClaim `json:"volumeClaimTemplates"`
	ScaleStrategy        struct {
		PodsToDelete    []string            `json:"podsToDelete"`
		MaxUnavailable  *intstr.IntOrString `json:"maxUnavailable"`
		DisablePVCReuse bool                `json:"disablePVCReuse"`
		// ExcludePreparingDelete is of v1beta1; before, a label says it.
		ExcludePreparingDelete bool `json:"excludePreparingDelete"`
	} `json:"scaleStrategy"`
	UpdateStrategy          UpdateStrategy    `json:"updateStrategy"`
	RevisionHistoryLimit    *int32            `json:"revisionHistoryLimit"`
	MinReadySeconds         int32             `json:"minReadySeconds"`
	Lifecycle               *kruise.Lifecycle `json:"lifecycle"`
	ProgressDeadlineSeconds *int32            `json:"progressDeadlineSeconds"`
}

// UpdateStrategy says how Pods of old revisions are updated.
type UpdateStrategy struct {
	Type                  string              `json:"type"`
	Partition             *intstr.IntOrString `json:"partition"`
	MaxUnavailable        *intstr.IntOrString `json:"maxUnavailable"`
	MaxSurge              *intstr.IntOrString `json:"maxSurge"`
	Paused                bool                `json:"paused"`
	PriorityStrategy      *PriorityStrategy   `json:"priorityStrategy"`
	ScatterStrategy       []ScatterTerm       `json:"scatterStrategy"`
	InPlaceUpdateStrategy *struct {
		GracePeriodSeconds int32 `json:"gracePeriodSeconds"`
	} `json:"inPlaceUpdateStrategy"`
}

// The update strategy types. An empty one is defaulted to recreate.
const (
	Recreate          = "ReCreate"
	InPlaceIfPossible = "InPlaceIfPossible"
	InPlaceOnly       = "InPlaceOnly"
	OnDelete          = "OnDelete"
)

// PriorityStrategy says which Pods are updated first.
type PriorityStrategy struct {
	OrderPriority  []OrderTerm `json:"orderPriority"`
	WeightPriority []struct {
		Weight        int32                `json:"weight"`
		MatchSelector metav1.LabelSelector `json:"matchSelector"`
	} `json:"weightPriority"`
}

// OrderTerm is a label whose value gives a Pod its priority.
type OrderTerm struct {
	OrderedKey string `json:"orderedKey"`
}

// ScatterTerm is a label whose Pods are spread over the update.
type ScatterTerm struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Status is that of a CloneSet.
type Status struct {
	ObservedGeneration       int64       `json:"observedGeneration"`
	Replicas                 int32       `json:"replicas"`
	ReadyReplicas            int32       `json:"readyReplicas"`
	AvailableReplicas        int32       `json:"availableReplicas"`
	UpdatedReplicas          int32       `json:"updatedReplicas"`
	UpdatedReadyReplicas     int32       `json:"updatedReadyReplicas"`
	UpdatedAvailableReplicas int32       `json:"updatedAvailableReplicas"`
	ExpectedUpdatedReplicas  int32       `json:"expectedUpdatedReplicas"`
	UpdateRevision           string      `json:"updateRevision"`
	CurrentRevision          string      `json:"currentRevision"`
	CollisionCount           *int32      `json:"collisionCount"`
	Conditions               []Condition `json:"conditions"`
	LabelSelector            string      `json:"labelSelector"`
}

// Condition is one of its status.
type Condition struct {
	Type               string      `json:"type"`
	Status             string      `json:"status"`
	LastTransitionTime metav1.Time `json:"lastTransitionTime"`
	LastUpdateTime     metav1.Time `json:"lastUpdateTime"`
	Reason             string      `json:"reason"`
	Message            string      `json:"message"`
}

// The labels of CloneSets and of their pods and claims (apis/apps/v1alpha1/
// cloneset_types.go, v1.9.1).
const (
	TemplateHashLabel = "pod-template-hash"
	InstanceLabel     = "apps.kruise.io/cloneset-instance-id"
	SpecifiedLabel    = "apps.kruise.io/specified-delete"
	excludeLabel      = "apps.kruise.io/cloneset-scaling-exclude-preparing-delete"
)

// ClaimHashAnnotation is the hash of the volume claim templates of a revision
// (pkg/util/volumeclaimtemplate, v1.9.1).
const ClaimHashAnnotation = "kruise.io/cloneset-volumeclaimtemplate-hash"

// WrittenLabels are those that the controller writes on pods that are there.
var WrittenLabels = []string{kruise.RevisionLabel, kruise.StateLabel, SpecifiedLabel, TemplateHashLabel}
