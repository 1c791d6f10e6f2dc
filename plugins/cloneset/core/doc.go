// Package core answers: what does a sync know of each Pod, and how many Pods are to be
// created, deleted and updated for that (pkg/controller/cloneset/core and
// sync/cloneset_sync_utils.go of Kruise, v1.9.1)?
//
//	behaviour.go what differs between releases and gates
//	podstate.go  a Pod with what the controller asks of it
//	limits.go    the numbers of the spec
//	diffs.go     the arithmetic, under upstream's names
package core
