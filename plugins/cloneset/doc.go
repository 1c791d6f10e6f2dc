// Package cloneset answers: what will the CloneSet controller of OpenKruise do
// next to one CloneSet, to its pods and to their volume claims?
//
// One call of Decide mirrors one call of doReconcile
// (pkg/controller/cloneset/cloneset_controller.go, v1.9.1):
//
//	gate.go      whether expectations let it do anything at all
//	claim        which pods are its own, and which volume claims
//	revision     which revision it updates to, and which one it comes from
//	scale        creations and deletions; a sync that does any does not update
//	update       which pods are updated, in which order and how
//	status       what it writes into status
//	nextsync.go  when it looks again
//	rounds       what becomes of all that, for the sync after it
//
// README.md lists the packages beside and below.
package cloneset
