// Package memory answers for the real expectations alone: plain ones, those
// that know the deleted keys, and the consistency store, for which the package
// compiles with 1.36 and later only. Each line of input is a JSON list of steps
// on fresh expectations, each line of output the list of what was seen after
// every step:
//
//	set KEY ADDS DELS      SetExpectations
//	creations KEY N        ExpectCreations
//	deletions KEY POD,POD  ExpectDeletions, of the plain ones by number
//	raise KEY ADDS DELS    RaiseExpectations; likewise lower
//	created KEY            CreationObserved
//	deleted KEY POD        DeletionObserved
//	forget KEY             DeleteExpectations
//	wait DURATION
//	wrote OWNER UID RESOURCE VERSION, read RESOURCE VERSION, clear OWNER UID, ready OWNER
//
// A step on expectations shows the plain record of its key and the tracking
// one: whether it is satisfied, creations, deletions, keys, age. "ready" shows
// the error of EnsureReady.
package memory
