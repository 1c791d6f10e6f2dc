package ranking

import (
	"fmt"
	"math/rand"
	"slices"
	"sort"
	"testing"

	"pgregory.net/rapid"
)

// inParts are pods of which those with an odd key stand in the second part of
// the list; the key is no criterion.
func inParts(n int) *rapid.Generator[[]pod] {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) pod {
		return pod{
			key: rapid.IntRange(0, 1).Draw(t, "part"), age: rapid.IntRange(0, 11).Draw(t, "age") / 4,
			restarts: rapid.IntRange(0, 2).Draw(t, "restarts"), created: rapid.IntRange(0, 12).Draw(t, "created") / 6,
			uid: rapid.IntRange(0, 9).Draw(t, "uid"),
		}
	}), 2, n)
}

var listed = Input[pod]{Part: func(p *pod) int { return p.key }, Insertion: maxInsertion}

// byIndex is sort.Sort's view of a list of indexes.
type byIndex struct {
	list  []int
	items []pod
}

func (b byIndex) Len() int      { return len(b.list) }
func (b byIndex) Swap(i, j int) { b.list[i], b.list[j] = b.list[j], b.list[i] }
func (b byIndex) Less(i, j int) bool {
	return Compare(criteria[1:], &b.items[b.list[i]], &b.items[b.list[j]]).Sign < 0
}

// tally counts in how many outcomes each item comes before the cut.
type tally struct {
	items  []pod
	before []int
	lists  int
}

func (c *tally) sort(list []int, k int) {
	sorted := slices.Clone(list)
	sort.Sort(byIndex{sorted, c.items})
	for _, i := range sorted[:k] {
		c.before[i]++
	}
	c.lists++
}

// permute calls f with every order of list[at:].
func permute(list []int, at int, f func()) {
	if at >= len(list) {
		f()
		return
	}
	for i := at; i < len(list); i++ {
		list[at], list[i] = list[i], list[at]
		permute(list, at+1, f)
		list[at], list[i] = list[i], list[at]
	}
}

func partsOf(items []pod) (first, second []int) {
	for i := range items {
		if listed.Part(&items[i]) == 0 {
			first = append(first, i)
		} else {
			second = append(second, i)
		}
	}
	return first, second
}

// every sorts each list that the items may come in.
func every(items []pod, k int) *tally {
	c := &tally{items: items, before: make([]int, len(items))}
	first, second := partsOf(items)
	permute(first, 0, func() {
		permute(second, 0, func() { c.sort(slices.Concat(first, second), k) })
	})
	return c
}

// check demands that the items before the block of the cut, and in it those that
// are split off, are before the cut from every list, and so on. Where the tally
// is not of every list, an item in the block need not have been seen on both
// sides.
func (c *tally) check(t *rapid.T, order Order, k int, whole bool) (undecided int) {
	for _, b := range order.Blocks() {
		for _, i := range order.Items[b.Start:b.End] {
			n := c.before[i]
			switch {
			case b.End <= k && n != c.lists, b.Start >= k && n != 0:
				t.Fatalf("%+v in block %v of the cut %d: before it from %d of %d lists; %+v", c.items[i], b, k, n, c.lists, c.items)
			case b.Start < k && k < b.End && (n == 0 || n == c.lists):
				if whole {
					t.Fatalf("%+v is called possible: before the cut %d from %d of %d lists; %+v", c.items[i], k, n, c.lists, c.items)
				}
				undecided++
			}
		}
	}
	return undecided
}

// Go's own sort is asked about every list: what comes before the cut from each
// is certain, what from none is safe, and all else does both.
func TestCutIsThatOfEveryList(t *testing.T) {
	met := map[string]int{}
	every7 := func(t *rapid.T) {
		items := inParts(7).Draw(t, "pods")
		k := rapid.IntRange(1, len(items)-1).Draw(t, "cut")
		order := Sort(items, criteria[1:])
		split, exact := Cut(items, criteria[1:], order, k, listed)
		if !exact {
			t.Fatal("seven are few enough")
		}
		every(items, k).check(t, split, k, true)
		if b, ok := order.Straddling(k); ok {
			met[fmt.Sprintf("tied %v, split %v", Tied(items, criteria[1:], order.Items[b.Start:b.End]), len(split.Ends) > len(order.Ends))]++
		}
	}
	for range 20 { // one of the four is rare
		if rapid.Check(t, every7); len(met) == 4 {
			break
		}
	}
	if len(met) < 4 {
		t.Errorf("only met %v", met)
	}
}

// Of up to forty, lists are tried at random.
func TestCutHoldsForLongerLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := inParts(rapid.SampledFrom([]int{12, 12, 40}).Draw(t, "most")).Draw(t, "pods")
		if rapid.IntRange(0, 9).Draw(t, "alike") == 0 { // but for their parts
			for i := range items {
				items[i] = pod{key: items[i].key}
			}
		}
		k := rapid.IntRange(1, len(items)-1).Draw(t, "cut")
		split, exact := Cut(items, criteria[1:], Sort(items, criteria[1:]), k, listed)
		c := &tally{items: items, before: make([]int, len(items))}
		first, second := partsOf(items)
		rng := rand.New(rand.NewSource(rapid.Int64().Draw(t, "seed")))
		for range 200 {
			rng.Shuffle(len(first), func(i, j int) { first[i], first[j] = first[j], first[i] })
			rng.Shuffle(len(second), func(i, j int) { second[i], second[j] = second[j], second[i] })
			c.sort(slices.Concat(first, second), k)
		}
		if c.check(t, split, k, false); exact && len(items) > maxInsertion && len(split.Ends) > len(Sort(items, criteria[1:]).Ends) && !Tied(items, criteria[1:], split.Items) {
			t.Fatal("what pdqsort makes of such a list is not known")
		}
	})
}

func TestCutOfTwelve(t *testing.T) {
	// Owned and adopted in turn, all tied.
	var items []pod
	for i := range 12 {
		items = append(items, pod{key: i % 2})
	}
	for k, want := range map[int][]int{3: {6, 12}, 6: {6, 12}, 9: {6, 12}} {
		split, exact := Cut(items, criteria[1:], Sort(items, criteria[1:]), k, listed)
		if !exact || !slices.Equal(split.Ends, want) {
			t.Errorf("cut %d: ends %v (exact: %v), want %v", k, split.Ends, exact, want)
		}
	}
	older := Input[pod]{Part: func(*pod) int { return 0 }, Insertion: 6}
	if split, exact := Cut(items, criteria[1:], Sort(items, criteria[1:]), 3, older); !exact || len(split.Ends) != 1 {
		t.Errorf("of one part each may come first; got %v, exact: %v", split.Ends, exact)
	}
	more := append(slices.Clone(items), pod{age: 500})
	if split, exact := Cut(more, criteria[1:], Sort(more, criteria[1:]), 3, listed); exact || !slices.Equal(split.Ends, []int{12, 13}) {
		t.Errorf("thirteen are not inserted; got %v, exact: %v", split.Ends, exact)
	}
}
