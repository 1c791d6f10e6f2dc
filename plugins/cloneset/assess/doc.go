// Package assess answers: why are Pods of a CloneSet missing, not available or not
// updated, and does that end by itself?
//
//	assess.go  which causes there are, in which order
//	causes.go  those in the CloneSet, its budgets and its hooks
package assess
