// Package cloneset answers: does the plugin say what the real CloneSet
// controller of OpenKruise does?
//
// It starts oracle programs (see ../kruise.md), which run upstream's
// controller, and compares what one reconcile did with what plugins/cloneset
// says of the same state.
package cloneset
