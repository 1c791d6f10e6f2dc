package cloneset

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/redact"

// Keep names the annotations and environment variables whose values decisions
// read, and which would be redacted: annotations that hold JSON, and variables.
var Keep = redact.Keep{
	Annotations: []string{graceAnnotation, oldGrace, updateAnnotation, oldUpdate, sidecarStateAnnotation, runtimeAnnotation},
	Env:         []string{sidecarEnv, launchEnv},
}
