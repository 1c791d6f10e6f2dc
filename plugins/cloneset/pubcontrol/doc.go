// Package pubcontrol answers: which PodUnavailableBudget is asked before a Pod of a
// CloneSet is updated or deleted, and what does it say (pkg/control/pubcontrol of Kruise)?
//
//	control.go     who is asked about a Pod
//	budget.go      one budget, and for how many more Pods it says yes
//	consistent.go  Pods that run what their spec says: only those are asked about
//	pool.go        what several Pods ask that tie
//	charge.go      what is written when a budget says yes
//	counts.go      what the budgets' own controller counts
//	follow.go      the same in a simulation
package pubcontrol
