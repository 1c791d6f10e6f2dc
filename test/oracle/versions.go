package oracle

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"

// AtLeast reports whether a version is minor.patch of Kubernetes 1 or later.
func AtLeast(version string, minor, patch int) bool {
	v, err := profile.ParseVersion(version)
	return err == nil && v.AtLeast(minor, patch)
}

// has reports whether a rule can apply in a version.
func has(version, rule string) bool {
	first, limited := since[rule]
	if !limited {
		return true
	}
	v, err := profile.ParseVersion(first)
	return err == nil && AtLeast(version, v.Minor, max(0, v.Patch))
}
