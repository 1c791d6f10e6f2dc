package inplace

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
)

// Release is what differs between releases and gates of the manager.
type Release struct {
	// envFromMetadata and Vertical widen what can be updated in place.
	envFromMetadata, Vertical bool
	// resourceBatches: resources wait for a next batch of containers, since 1.8.
	resourceBatches bool
	// notesImages: the state of an update says whether it is one of images, since 1.8.
	notesImages bool
	// keepsImageIDs: an image ID that an earlier update recorded stays, since 1.8.
	keepsImageIDs bool
	// leavesResources: the hash that ends a change of resources leaves them out,
	// in 1.8.
	leavesResources bool
	// ResizesByUpdate: resources change with the rest of the Pod, before 1.9.
	ResizesByUpdate bool
	// hashesImages: a container also runs as it should if its name and image
	// hash as reported, since 1.9.
	hashesImages bool
	// libraries is the release whose Kubernetes API types decode what is read.
	libraries profile.Version
}

// ReleaseOf returns how a manager updates in place.
func ReleaseOf(k profile.Installed) Release {
	v := k.Version
	return Release{
		envFromMetadata: k.On(kruise.EnvFromMetadata),
		Vertical:        k.On(kruise.VerticalScaling),
		resourceBatches: v.AtLeast(8, 0),
		notesImages:     v.AtLeast(8, 0),
		keepsImageIDs:   v.AtLeast(8, 0),
		leavesResources: v.AtLeast(8, 0) && !v.AtLeast(9, 0),
		ResizesByUpdate: !v.AtLeast(9, 0),
		hashesImages:    v.AtLeast(9, 0),
		libraries:       v,
	}
}
