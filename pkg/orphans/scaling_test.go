//go:build unix

package orphans

import (
	"fmt"
	"slices"
	"syscall"
	"testing"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// BenchmarkDoubling sets the processor time of twice the pods and controllers
// against that of once, in turns, and reports the median: what else the machine
// does weighs on both. Collecting garbage is in it. At most 2 is linear.
func BenchmarkDoubling(b *testing.B) {
	for _, n := range []int{4000, 8000, 16000} {
		once, twice := crowd(n), crowd(2*n)
		findIn(b, once) // builds the indexes of the View
		findIn(b, twice)
		b.Run(fmt.Sprintf("pods=%d", n), func(b *testing.B) {
			var ratios []float64
			for b.Loop() {
				one, two := spent(b, once, 16), spent(b, twice, 8)
				ratios = append(ratios, 2*two/one)
			}
			slices.Sort(ratios)
			b.ReportMetric(ratios[len(ratios)/2], "times")
		})
	}
}

// spent is the processor time, in nanoseconds, that all threads of the process
// spent on looking at a View several times.
func spent(b *testing.B, v *view.View, times int) float64 {
	b.Helper()
	before := processor(b)
	for range times {
		findIn(b, v)
	}
	return processor(b) - before
}

func processor(b *testing.B) float64 {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano() + u.Stime.Nano())
}
