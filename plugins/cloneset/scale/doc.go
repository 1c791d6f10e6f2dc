// Package scale answers: which Pods does a sync create and delete, and which volume
// claims with them (sync/cloneset_scale.go of Kruise, v1.9.1)?
//
//	scale.go      the steps, of which the first that does something is the last
//	create.go     creations in batches, and newpod.go what is created
//	admission.go  which creations the API server refuses
//	delete.go     Pods that someone named, and hooks before deletions
//	scalein.go    the choice of Pods, over several orders of what ties
//	stage.go      a group that it chooses from, and ranked.go how that is shown
//	turns.go      parts of the Pods whose order is not deterministic
//	budget.go     how far PodUnavailableBudgets let deletions go
//	volumes.go    volume claims that are deleted with Pods
package scale
