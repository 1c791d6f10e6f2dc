// Package states answers: in which states shall the StatefulSet plugin agree with
// upstream?
//
// A seed names a state. Every state is about something, its stratum; what it comes
// to be made of are its traits, which the conformance test counts.
package states
