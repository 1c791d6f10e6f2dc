package replicaset

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/redact"
)

// Keep names the annotations whose values decisions read.
var Keep = redact.Keep{Annotations: []string{corev1.PodDeletionCost}}
