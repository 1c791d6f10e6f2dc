// Package memory answers for the real expectations of Kruise alone: scale
// expectations and resource version expectations. Each line of input is a JSON
// list of steps on fresh expectations, each line of output the list of what was
// seen after every step:
//
//	expect KEY ACTION NAME     ExpectScale
//	observe KEY ACTION NAME    ObserveScale
//	look KEY                   SatisfiedExpectations
//	forget KEY                 DeleteExpectations
//	wait DURATION
//	expectVersion UID VERSION, observeVersion …, lookVersion …, forgetVersion …
//
// A step on scale expectations shows the names expected for its key and, after
// "look", the answer before them. lookVersion shows its answer.
package memory
