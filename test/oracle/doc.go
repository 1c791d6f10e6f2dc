// Package oracle answers: does the plugin say what the real controllers do?
//
// It starts oracle programs (see README.md), which run upstream's ReplicaSet
// and ReplicationController controllers, and compares what they do in one sync
// with what plugins/replicaset says they will do.
//
//	process.go   an oracle program and its pipes
//	build.go     where the programs come from
//	predict.go   the plugin's answer to a request
//	compare.go   every difference between an answer and a run
//	chance.go    whether undetermined deletions differ between input orders
//	coverage.go  which rules the states fired
//	shrink.go    the smallest state that still differs
//	report.go    a difference for people, results for programs
package oracle
