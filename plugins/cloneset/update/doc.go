// Package update answers: which Pods does a sync update, in which order and how
// (sync/cloneset_update.go of Kruise, v1.9.1)?
//
//	refresh.go          Pods that move to another state of their lifecycle
//	refresh_inplace.go  updates in place that have begun
//	update.go           which Pods are chosen
//	later.go            which of the others later syncs update, and which ones are kept
//	spend.go            how far PodUnavailableBudgets let them, and budget.go what they say
//	rollout.go          what becomes of each, and changes.go what is written for that
//	reasons.go          why it goes this way
//	predownload.go      which images are downloaded ahead
package update
