package cloneset

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/redact"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/inplace"
)

// Keep names the annotations and environment variables whose values decisions
// read, and which would be redacted: annotations that hold JSON, and variables.
var Keep = redact.Keep{
	Annotations: []string{kruise.GraceAnnotation, kruise.OldGrace, kruise.UpdateAnnotation, kruise.OldUpdate, sidecarStateAnnotation, kruise.RuntimeAnnotation},
	Env:         []string{sidecarEnv, inplace.LaunchEnv},
}
