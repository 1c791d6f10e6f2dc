// Package memory answers: do the expectations of pkg/expectations behave as
// the real ones do?
//
// It sends random sequences of steps to the oracle programs, which take them on
// upstream's own types (package memory of both drivers says what a step is), and
// takes them on ours on a clock that stands until a step waits.
package memory
