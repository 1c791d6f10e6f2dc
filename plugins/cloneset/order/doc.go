// Package order answers: which Pods of a CloneSet are deleted first, and which ones are
// updated first (pkg/controller/cloneset/utils/pod_sorter.go and pkg/util/updatesort of
// Kruise, v1.9.1)?
//
//	criteria.go  the steps by which two Pods are compared
//	ranker.go    the ranks that one of these steps compares
//	queue.go     the order of updates
//	scatter.go   how it is spread by labels
package order
