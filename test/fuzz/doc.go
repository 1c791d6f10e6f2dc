// Package fuzz answers: can what stands in a cluster, or in a file that
// says it was one, crash an answer, run away with memory, or drive the
// terminal that shows it?
//
// Its fuzz targets put anything into the texts that controllers read; make fuzz
// runs them, with those of other packages. What they found stays in testdata.
package fuzz
