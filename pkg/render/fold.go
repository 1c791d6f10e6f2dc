package render

import "fmt"

// most is how many rows of one sort are shown before the rest is folded.
const most = 20

// seeAll says how to see what is folded.
const seeAll = "--no-truncate shows them"

// more says what was folded, in what words, and how to see it.
//
//go:noinline // it is called at many places
func more(n int, what string) string {
	if what != "" {
		what = " " + what
	}
	return fmt.Sprintf("… %d more%s; %s", n, what, seeAll)
}

// fold picks the rows to show: all, or the first few of each sort, and tells
// how many of each are left out.
type fold[K comparable] struct {
	all   bool
	limit func(K) int
	shown map[K]int
	left  map[K]int
}

func folding[K comparable](all bool, limit func(K) int) *fold[K] {
	return &fold[K]{all, limit, map[K]int{}, map[K]int{}}
}

// shows reports whether the next row of this sort is shown.
func (f *fold[K]) shows(sort K) bool {
	if !f.all && f.shown[sort] >= f.limit(sort) {
		f.left[sort]++
		return false
	}
	f.shown[sort]++
	return true
}

// upTo is the same limit for every sort.
func upTo[K comparable](n int) func(K) int { return func(K) int { return n } }
