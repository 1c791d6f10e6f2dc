// Package faults fails each request of each command, in each way in which
// requests fail, and reads what the command says then.
//
// An answer after a failure is the full answer, or it names what was not read,
// or there is none, and the exit status is 2. FAULTS=all tries every failure of
// every request in every output format; without it a part is tried, the same
// one each time.
package faults
