// Package ranking answers: in which order does a controller prefer objects,
// and how much of that order is determined?
//
// Upstream's comparators are not strict weak orders. A criterion may compare
// ages in buckets and fall back on UIDs inside a bucket, while equal ages go
// on to the next criterion: a before b, b before c and c before a is then
// possible. Upstream sorts with such a comparator, over input in random order,
// so part of the result is not deterministic.
//
// What is not chance: let R(a,b) hold when b is not before a. R relates every
// pair in at least one direction, so its strongly connected components form a
// line, and every comparison sort keeps them in that line. Objects in
// components that end before the cut go for certain, those in components that
// start after it stay, and the component that straddles the cut gives up some
// of its members, nobody can say which.
//
// Comparing all pairs would cost n². Instead each object is scored with the
// number of objects it comes before (half a point for a tie), which the
// structure of the criteria gives in n log n; the components end exactly where
// the k highest scores reach their possible maximum, k(k-1)/2 + k(n-k) (the
// theorem of Landau on tournaments).
package ranking
