package ranking

import (
	"iter"
	"slices"
)

// Order is what is determined of the order of n objects.
type Order struct {
	// Items are the objects' indexes: blocks in their certain order, inside a
	// block in input order.
	Items []int
	// Ends are the block ends: block i is Items[Ends[i-1]:Ends[i]].
	Ends []int
}

// Block is a run of Order.Items whose inner order is undetermined.
type Block struct{ Start, End int }

// Len is the number of objects in the block.
func (b Block) Len() int { return b.End - b.Start }

// Blocks lists the blocks in order.
func (o Order) Blocks() []Block {
	blocks := make([]Block, 0, len(o.Ends))
	start := 0
	for _, end := range o.Ends {
		blocks = append(blocks, Block{start, end})
		start = end
	}
	return blocks
}

// Straddling is the block that a cut after the first k objects goes through.
func (o Order) Straddling(k int) (Block, bool) {
	for _, b := range o.Blocks() {
		if b.Start < k && k < b.End {
			return b, true
		}
	}
	return Block{}, false
}

// Sort finds the determined part of the order of items under criteria. It
// takes O(n log n) comparisons for each criterion.
func Sort[T any](items []T, criteria []Criterion[T]) Order {
	all := make([]int, len(items))
	for i := range all {
		all[i] = i
	}
	s := scorer[T]{items: items, criteria: criteria, score: make([]int64, len(items))}
	s.points(all, 0)
	keys := s.keys[:0]
	for i := range all {
		keys = append(keys, entry{Key{-s.score[i], int64(i)}, i})
	}
	sorted(keys, all)
	return Order{Items: all, Ends: s.ends(all)}
}

// ends finds every k at which the first k objects reach the highest sum of
// points that k objects can have: they come before all the others, each.
func (s *scorer[T]) ends(order []int) []int {
	n := int64(len(order))
	var ends []int
	var sum int64
	for i, item := range order {
		sum += s.score[item]
		k := int64(i + 1)
		if sum == k*(k-1)+2*k*(n-k) {
			ends = append(ends, i+1)
		}
	}
	return ends
}

// scorer gives every object two points for each object it comes before and
// one point for each tie.
type scorer[T any] struct {
	items    []T
	criteria []Criterion[T]
	score    []int64
	// keys are those of the runs that are being walked, the innermost last.
	keys []entry
}

// entry is an object with the key by which it is sorted.
type entry struct {
	Key
	item int
}

// sorted puts objects in the order of their keys.
func sorted(keys []entry, set []int) {
	slices.SortFunc(keys, func(a, b entry) int { return a.Compare(b.Key) })
	for i := range keys {
		set[i] = keys[i].item
	}
}

// points scores the objects of set, which no criterion before step tells
// apart, against each other. It reorders set.
func (s *scorer[T]) points(set []int, step int) {
	if len(set) < 2 {
		return
	}
	if step == len(s.criteria) {
		s.give(set, int64(len(set)-1))
		return
	}
	c := s.criteria[step]
	left := len(set)
	for bucket := range s.runs(set, c.Bucket) {
		left -= len(bucket)
		s.give(bucket, 2*int64(left))
		if c.Exact == nil {
			s.points(bucket, step+1)
		} else {
			s.inside(bucket, step)
		}
	}
}

// inside scores one bucket: pairs that differ under Exact by Within, pairs
// that do not by the later criteria.
func (s *scorer[T]) inside(bucket []int, step int) {
	c := s.criteria[step]
	s.within(bucket, c, +1)
	for same := range s.runs(bucket, c.Exact) {
		s.within(same, c, -1)
		s.points(same, step+1)
	}
}

// within gives the points of set under c.Within alone, times sign.
func (s *scorer[T]) within(set []int, c Criterion[T], sign int64) {
	left := len(set)
	for equal := range s.runs(set, c.Within) {
		left -= len(equal)
		s.give(equal, sign*(2*int64(left)+int64(len(equal)-1)))
	}
}

func (s *scorer[T]) give(set []int, points int64) {
	for _, i := range set {
		s.score[i] += points
	}
}

// runs sorts set by a key and splits it where keys differ.
func (s *scorer[T]) runs(set []int, of func(*T) Key) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		outer := len(s.keys)
		defer func() { s.keys = s.keys[:outer] }()
		if !s.extract(set, of) {
			s.keys = s.keys[:outer]
			yield(set)
			return
		}
		keys := s.keys[outer:]
		sorted(keys, set)
		for start, end := 0, 0; start < len(set); start = end {
			for end = start + 1; end < len(set) && keys[end].Key == keys[start].Key; end++ {
			}
			if !yield(set[start:end]) {
				return
			}
		}
	}
}

// extract appends the keys of set. It reports whether any two differ.
func (s *scorer[T]) extract(set []int, of func(*T) Key) (differ bool) {
	s.keys = slices.Grow(s.keys, len(set))
	first := of(&s.items[set[0]])
	for _, i := range set {
		k := of(&s.items[i])
		differ = differ || k != first
		s.keys = append(s.keys, entry{k, i})
	}
	return differ
}
