package ranking

import (
	"cmp"
	"maps"
	"slices"
)

// mostLists bounds the outcomes that Cut follows: 7!, so that seven objects of
// which no two are alike never have more.
const mostLists = 5040

// Input is what is known of a list before it is sorted.
type Input[T any] struct {
	// Part numbers the part of the list in which an item stands. Parts come in
	// their order; inside a part the items come in any order.
	Part func(*T) int
	// Insertion is the length up to which a list is sorted by insertion, as by
	// pdqsort_func of Go's sort up to 12 (since Go 1.19). It must not be more than that.
	Insertion int
}

// Cut splits the block that a cut after the first k objects goes through: into
// objects that come before the cut from every list, from some, and from none. It
// holds for this cut alone. exact is false where that is not known: then an
// object that is left in one block with others may still be on one side of the
// cut from every list.
func Cut[T any](items []T, criteria []Criterion[T], order Order, k int, in Input[T]) (split Order, exact bool) {
	b, ok := order.Straddling(k)
	if !ok {
		return order, true
	}
	block := order.Items[b.Start:b.End]
	inserted, tied := len(items) <= in.Insertion, Tied(items, criteria, block)
	sides, mixed := stable(items, block, k-b.Start, in.Part)
	switch {
	case !mixed:
		// "Not after" leads round the whole block in a circle (Camion's theorem),
		// insertion leaves a list alone that goes along it, and such a list may
		// start anywhere. If all tie, any sort may bring any of them to any place.
		return order, inserted || tied
	case tied && inserted, tied && len(block) == len(items) && in.Insertion == maxInsertion:
		// Of a list in which nothing comes before anything pdqsort changes nothing.
		return order.split(b, sides), true
	}
	if !inserted {
		return order, false
	}
	l := listsOf(items, criteria, block, in.Part)
	outcomes, ok := l.sorted()
	if !ok {
		return order, false
	}
	return order.split(b, l.sides(outcomes, k-b.Start)), true
}

// maxInsertion is that of pdqsort in Go's sort.
const maxInsertion = 12

// side is where an object comes out.
type side int

const (
	before side = iota
	either
	after
)

// split divides a block by the sides of its objects.
func (o Order) split(b Block, sides []side) Order {
	out := Order{Items: slices.Clone(o.Items)}
	at := b.Start
	var ends []int
	for _, s := range []side{before, either, after} {
		for i, of := range sides {
			if of == s {
				out.Items[at] = o.Items[b.Start+i]
				at++
			}
		}
		if len(ends) == 0 && at > b.Start || len(ends) > 0 && at > ends[len(ends)-1] {
			ends = append(ends, at)
		}
	}
	for _, end := range o.Ends {
		if end == b.End {
			out.Ends = append(out.Ends, ends...)
		} else {
			out.Ends = append(out.Ends, end)
		}
	}
	return out
}

// stable tells on which side of a cut after k objects come out that all tie, if
// each stays in its part. mixed is false where they all are of one part.
func stable[T any](items []T, block []int, k int, part func(*T) int) (sides []side, mixed bool) {
	size := map[int]int{}
	for _, i := range block {
		size[part(&items[i])]++
	}
	of := map[int]side{}
	for _, p := range slices.Sorted(maps.Keys(size)) {
		switch {
		case k >= size[p]:
			of[p] = before
		case k > 0:
			of[p] = either
		default:
			of[p] = after
		}
		k -= min(k, size[p])
	}
	for _, i := range block {
		sides = append(sides, of[part(&items[i])])
	}
	return sides, len(size) > 1
}

// lists are all lists that the objects of a block may come in. Objects that are
// alike are of one class, and one list stands for all that differ in the order
// of such objects alone.
type lists struct {
	class []int // of each object of the block
	size  []int
	part  []int
	less  [][]bool
}

func listsOf[T any](items []T, criteria []Criterion[T], block []int, part func(*T) int) *lists {
	sign := make([][]int, len(block))
	for i, a := range block {
		sign[i] = make([]int, len(block))
		for j, b := range block {
			sign[i][j] = cmp.Compare(Compare(criteria, &items[a], &items[b]).Sign, 0)
		}
	}
	l := &lists{class: make([]int, len(block))}
	var first []int // object of each class
	for i := range block {
		p := part(&items[block[i]])
		c := 0
		for c < len(first) && (l.part[c] != p || !alike(sign, first[c], i)) {
			c++
		}
		if c == len(first) {
			first, l.size, l.part = append(first, i), append(l.size, 0), append(l.part, p)
		}
		l.class[i] = c
		l.size[c]++
	}
	for _, i := range first {
		row := make([]bool, len(first))
		for c, j := range first {
			row[c] = sign[i][j] < 0
		}
		l.less = append(l.less, row)
	}
	return l
}

// alike reports whether two objects tie and compare alike with all others.
func alike(sign [][]int, a, b int) bool {
	return sign[a][b] == 0 && slices.Equal(sign[a], sign[b])
}

// sorted are all outcomes of sorting by insertion. What insertion makes of a
// list hangs only on what it made of the list's beginning, so that outcomes
// which meet are followed once. It is false where they are too many.
func (l *lists) sorted() (outcomes []sequence, ok bool) {
	outcomes = []sequence{0}
	for n := range l.class {
		var next []sequence
		for _, list := range outcomes {
			for _, c := range l.next(list, n) {
				next = append(next, l.insert(list, n, c))
			}
		}
		slices.Sort(next)
		if outcomes = slices.Compact(next); len(outcomes) > mostLists {
			return nil, false
		}
	}
	return outcomes, true
}

// sequence holds up to 16 classes, four bits each, the first one lowest.
type sequence uint64

func (s sequence) at(i int) int { return int(s >> (4 * i) & 15) }

// next are the classes of which an object may come next, after n: those of the
// first part that is not used up.
func (l *lists) next(list sequence, n int) []int {
	left := slices.Clone(l.size)
	for i := range n {
		left[list.at(i)]--
	}
	var out []int
	for c, n := range left {
		switch {
		case n == 0:
		case len(out) == 0 || l.part[c] == l.part[out[0]]:
			out = append(out, c)
		case l.part[c] < l.part[out[0]]:
			out = append(out[:0], c)
		}
	}
	return out
}

// insert puts an object of class c into a sorted list of n.
func (l *lists) insert(list sequence, n, c int) sequence {
	at := n
	for at > 0 && l.less[c][list.at(at-1)] {
		at--
	}
	low := list & (1<<(4*at) - 1)
	return low | sequence(c)<<(4*at) | list>>(4*at)<<(4*at+4)
}

// sides tells of each object on which side of a cut after k it comes out. Of a
// class that the cut divides, each object may be on either side.
func (l *lists) sides(outcomes []sequence, k int) []side {
	least, most := make([]int, len(l.size)), make([]int, len(l.size))
	copy(least, l.size)
	for _, list := range outcomes {
		n := make([]int, len(l.size))
		for i := range k {
			n[list.at(i)]++
		}
		for c := range n {
			least[c], most[c] = min(least[c], n[c]), max(most[c], n[c])
		}
	}
	out := make([]side, len(l.class))
	for i, c := range l.class {
		switch {
		case least[c] == l.size[c]:
			out[i] = before
		case most[c] == 0:
			out[i] = after
		default:
			out[i] = either
		}
	}
	return out
}
