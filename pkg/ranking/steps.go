package ranking

import "time"

// YesFirst orders what has a trait before what has not.
func YesFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	default:
		return 1
	}
}

// LatestFirst mirrors afterOrZero of pkg/controller/controller_utils.go
// (v1.37.1): no time at all counts as the latest.
func LatestFirst(a, b time.Time) int {
	if a.IsZero() || b.IsZero() {
		return YesFirst(a.IsZero(), b.IsZero())
	}
	return b.Compare(a)
}
