package cloneset

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/guard"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/redact"
)

// Keep names the annotations and environment variables whose values decisions
// read.
var Keep = redact.Keep{
	Annotations: []string{
		corev1.PodDeletionCost, guard.Annotation, graceAnnotation, oldGrace, updateAnnotation, oldUpdate, claimHashAnnotation,
		launchAnnotation, minReadyAnnotation, operationsAnnotation, totalAnnotation, sidecarSetsAnnotation, sidecarStateAnnotation,
		runtimeAnnotation,
	},
	Env: []string{sidecarEnv, launchEnv},
}
