// Package kruise answers: what do the controllers of OpenKruise share?
//
//	program.go    which controllers the manager has, in controllers.go, and how it runs them
//	releases.go   which feature gates the manager has, and since when
//	manager.go    which release of the manager runs, and with which gates
//	lifecycle.go  the states of a Pod's lifecycle, and the hooks between them
//	podready.go   the readiness gate that hooks close and open
//	pods.go       what a Pod says of itself: ready, active, its revision
//	write.go      the requests that change a Pod
package kruise
