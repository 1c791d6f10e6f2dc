package deployment

import (
	appsv1 "k8s.io/api/apps/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/redact"
)

// Keep names the annotations whose values decisions read.
var Keep = redact.Keep{Annotations: []string{revisionKey, historyKey, desiredKey, maxKey, appsv1.DeprecatedRollbackTo}}
