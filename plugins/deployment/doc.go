// Package deployment answers: what will the Deployment controller do next to
// one Deployment, and to which of its ReplicaSets?
//
// One call of Decide mirrors one call of syncDeployment of
// pkg/controller/deployment/deployment_controller.go:
//
//	decide.go    the order of the steps, and way.go which way a sync goes
//	claim.go     which ReplicaSets are its own, to adopt, to release
//	newandold.go which of them is the new one
//	newset.go    how that is kept up to date, and create.go how it is made
//	limits.go    how far surge and unavailability go
//	rolling.go   the step of a rolling update, up and down
//	recreate.go  the step of a Recreate
//	resize.go    the Deployment itself was scaled, or is paused
//	rollback.go  the deprecated annotation that asks for an old revision
//	cleanup.go   which old ReplicaSets the history limit drops
//	status.go    what it writes into status, progress.go and conditions.go
//	server.go    how the API server takes each write
//
// The rules behind every line of output are in rules.go and its neighbours.
package deployment
