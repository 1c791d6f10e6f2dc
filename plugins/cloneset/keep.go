package cloneset

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/redact"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/pubcontrol"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise/inplace"
)

// Keep names the annotations and environment variables whose values decisions
// read, and which would be redacted: annotations that hold JSON, and variables.
var Keep = redact.Keep{
	Annotations: []string{kruise.GraceAnnotation, kruise.OldGrace, kruise.UpdateAnnotation, kruise.OldUpdate, pubcontrol.SidecarStateAnnotation, kruise.RuntimeAnnotation},
	Env:         []string{pubcontrol.SidecarEnv, inplace.LaunchEnv},
}
