// Package bounds answers: does the work for a question grow with the objects
// that the question looks at, and no faster?
//
// Each row is a command line over an input of n objects. The command runs in a
// process of its own, which counts what it allocates. A row bounds that count
// at n objects, the growth of the count from n to 2n objects, and the largest
// resident set. No row bounds time: machines differ, counts do not.
package bounds
