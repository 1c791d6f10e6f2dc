package deployment

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"

// releases are what differs between releases of the controller; its gates are those of
// profile.OfSets.
var releases = profile.Releases{Changes: []profile.Change{
	{Since: profile.V1(32, 0), What: "Deployments: sizes in annotations have 32 bits and no sign; before, any integer"},
	{Since: profile.V1(34, 0), What: "Deployments: the name of a new ReplicaSet is cut to the length that is accepted"},
	{Since: profile.V1(36, 0), What: "Recreate: old Pods are found by kind, name and UID of their owner; before, by UID"},
	{Since: profile.V1(37, 0), What: "Recreate: each Pod that ends leads to a sync of the Deployment; before, the last one"},
}}
