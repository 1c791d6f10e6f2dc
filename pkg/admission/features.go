package admission

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"

// Features is what differs between releases of the API server.
type Features struct {
	// DeviceClasses: quotas count resources that a DeviceClass stands for, since
	// 1.35 (pkg/quota/v1/evaluator/core/pods.go isExtendedResourceNameForQuota, v1.37.1).
	DeviceClasses bool
	// PodLevel: spec.resources of a Pod is modelled, since 1.34, which has the
	// gate PodLevelResources on. In 1.32 and 1.33 it is alpha.
	PodLevel bool
	// LatePodLevel: the defaults of spec.resources are set after admission has
	// changed the Pod, and limits have defaults as well, since 1.37 (gate
	// PodLevelResourcesFixDefaulting).
	LatePodLevel bool
}

// FeaturesOf returns the features of a release with its default gates.
func FeaturesOf(v profile.Version) Features {
	return Features{DeviceClasses: v.AtLeast(35, 0), PodLevel: v.AtLeast(34, 0), LatePodLevel: v.AtLeast(37, 0)}
}
