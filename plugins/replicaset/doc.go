// Package replicaset answers: what will the ReplicaSet controller do next to
// one ReplicaSet or ReplicationController, and to which of its pods?
//
// Both kinds are run by one upstream controller,
// pkg/controller/replicaset/replica_set.go; ReplicationControllers reach it
// through an adapter (pkg/controller/replication). One call of Decide mirrors
// one call of syncReplicaSet:
//
//	claim.go      which pods are its own, to release
//	adopt.go      which orphans it adopts
//	gate.go       whether expectations let it create and delete
//	manage.go     how many pods it deletes
//	create.go     how many pods it creates
//	rank.go       which pods go first
//	status.go     what it writes into status
//	conditions.go and into its conditions
//	nextsync.go   when it looks again
//	evidence.go   what the surroundings say about a stall
//	steps.go      what becomes of all that, for the sync after it
//
// The rules behind every line of output are in rules.go.
package replicaset
