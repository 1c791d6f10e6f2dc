// Mutants says which tests notice a small break of a decision.
//
// A list in lists/ names breaks: a file, a piece of its text, and what stands
// there instead. Each is compiled in with Go's build overlay, so that the
// checkout stays as it is, and the layers of tests run against it, the cheapest
// first: the unit tests and goldens of the file's package and of those beside
// it, then whole commands, then upstream's controllers. A break that no layer
// notices is a hole in the tests; one that only the oracles notice passes
// `make check`.
//
//	go run ./test/mutants [-of REGEXP] [-layers unit,command,oracle]
//
// The oracle layer needs ORACLES, the folder with the oracle programs.
package main
