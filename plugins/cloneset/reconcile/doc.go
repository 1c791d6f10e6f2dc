// Package reconcile answers: what does one run of doReconcile go by, which requests does
// it make, and what is put on record of it (pkg/controller/cloneset of Kruise)?
//
// Packages scale, update and status take a Run further, one after the other.
//
//	run.go        what a run goes by
//	given.go      what it starts from besides a View
//	requests.go   what it asks the API server for, and lifecycle.go the requests of hooks
//	outcome.go    what its steps come to, for those behind them
//	chance.go     what of it is not deterministic
//	budgets.go    the PodUnavailableBudgets that it asks
//	record.go     what it expects to see afterwards
//	timers.go     when it looks again
//	report.go     what is said of it, and explain.go the arithmetic
package reconcile
