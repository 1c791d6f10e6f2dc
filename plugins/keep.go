package plugins

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/redact"
)

// Keep names the values that the plugins' decisions read, and those that a
// Profile is read from: a snapshot has to give the same answers as its cluster.
func Keep() redact.Keep {
	keep := redact.Keep{Flag: profile.Reads}
	for _, p := range All() {
		keep.Annotations = append(keep.Annotations, p.Keep.Annotations...)
		keep.Env = append(keep.Env, p.Keep.Env...)
	}
	return keep
}
