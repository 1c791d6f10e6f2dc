package replicaset

import "github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"

// releases are what differs between releases of the controller; its gates are those of
// profile.OfSets.
var releases = profile.Releases{Changes: []profile.Change{
	{Since: profile.V1(24, 0), What: "ReplicationControllers: Pods are not ranked by how many share their node any more"},
	{Since: profile.V1(25, 0), What: "ReplicaSets: 7 to 12 Pods that compare in a circle are sorted by another algorithm"},
	{Since: profile.V1(32, 0), What: "ReplicaSets: restarts of sidecar containers break ties of restarts"},
	{Since: profile.V1(34, 0), What: "ReplicaSets: of Pods that compare equal, owned ones are deleted before adopted ones"},
	{Since: profile.V1(34, 0), What: "ReplicationControllers: terminating Pods lead to no status write in each sync any more", Place: 1},
	{Since: profile.V1(34, 2), What: "ReplicaSets: Pods are found by kind, name and UID of their owner; before, by UID"},
}}
