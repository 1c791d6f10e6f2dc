// Package kruisedriver answers one question: what does the real CloneSet
// controller of this kruise version do in exactly one reconcile from a given
// state?
//
// It knows no kruise version. The reconciler is upstream's ReconcileCloneSet
// with its own history, revision, status, scale and update controls; the
// driver gives it a client that holds the state's objects in memory, records
// every write and fails the calls that the request names. Everything between
// the client and Reconcile is upstream's own code, the expectations included.
//
// Each reconcile runs in a testing/synctest bubble of its own, so time.Now is
// the request's now, and an upstream that sleeps between two tries does not
// wait.
package kruisedriver
