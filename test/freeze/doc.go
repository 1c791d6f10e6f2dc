// Freeze says what a change of the code changed in the answers.
//
// It puts the same questions to two builds of the program: every verb, over
// every cluster that a golden sketches, the saved examples, and the recorded
// trace. What differs is printed, and makes it end with 1.
//
//	go run ./test/freeze [-keep DIR] OLD NEW
//
// OLD and NEW are paths of programs. `make freeze BASE=REF` builds both: OLD
// of a commit, NEW of the checkout.
package main
