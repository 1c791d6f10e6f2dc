package ranking

import (
	"iter"
	"math/bits"
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
		keys = append(keys, entry{Key{High: -s.score[i]}, i})
	}
	s.sort(keys, all)
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
	sorter
}

// sorter sorts objects by keys.
type sorter struct {
	// keys are those of the runs that are being walked, the innermost last.
	keys []entry
	// packed are some of them as numbers, while these are sorted.
	packed []uint64
}

// entry is an object with the key by which it is sorted.
type entry struct {
	Key
	item int
}

// sort puts objects in the order of their keys, those of equal keys in the order that they
// have.
func (s *sorter) sort(keys []entry, set []int) {
	if s.sortPacked(keys, set) {
		return
	}
	slices.SortStableFunc(keys, func(a, b entry) int { return a.Compare(b.Key) })
	for i := range keys {
		set[i] = keys[i].item
	}
}

// sortPacked sorts keys that differ in few bits as numbers, several times as fast: a number
// holds what a key is above the least one, and its index. It reports whether they fit.
func (s *sorter) sortPacked(keys []entry, set []int) bool {
	if len(keys) == 0 {
		return true
	}
	least, most := keys[0].High, keys[0].High
	for i := range keys {
		if keys[i].Low != keys[0].Low {
			return false
		}
		least, most = min(least, keys[i].High), max(most, keys[i].High)
	}
	width := bits.Len(uint(len(keys)))
	if span := uint64(most) - uint64(least); bits.Len64(span)+width > 64 {
		return false
	}
	s.packed = s.packed[:0]
	for i := range keys {
		s.packed = append(s.packed, (uint64(keys[i].High)-uint64(least))<<width|uint64(i))
	}
	slices.Sort(s.packed)
	for i, p := range s.packed {
		set[i] = keys[p&(1<<width-1)].item
	}
	low := keys[0].Low
	for i, p := range s.packed {
		keys[i] = entry{Key{int64(uint64(least) + p>>width), low}, set[i]}
	}
	return true
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
		s.sort(keys, set)
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
