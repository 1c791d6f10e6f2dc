// Package states answers, for tests: which states can a sync of a CloneSet
// meet?
//
// A seed names a state. Most states are calm: as
// many pods as wanted, all its own, most of them available, so that a sync
// comes to the update; the others are about scaling, claims and gates.
package states
