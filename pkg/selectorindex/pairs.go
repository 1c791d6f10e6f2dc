package selectorindex

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/labels"
)

// Pairs tells found of every two selectors that some labels would match both,
// with such labels, until it returns false. Selectors are divided by the
// values of the keys that most of them name, so that those which a value keeps
// apart are never compared. It is false when found ended the search, or when
// the selectors are so many and so little kept apart that not all were compared.
func Pairs(selectors []labels.Selector, found func(i, j int, witness labels.Set) bool) bool {
	p := &pairing{
		selectors: selectors, keys: make([]map[string][]string, len(selectors)), seen: map[[2]int]bool{}, found: found,
		left: stepsEach*len(selectors) + stepsMore,
	}
	all := make([]int, len(selectors))
	for i, sel := range selectors {
		all[i] = i
		p.keys[i] = valuesByKey(sel)
	}
	p.cross(all, all, nil)
	return !p.done
}

// stepsEach and stepsMore bound the comparisons: so many for each selector, and
// so many more. Selectors that one key tells apart take five each.
const (
	stepsEach = 50
	stepsMore = 10_000
)

type pairing struct {
	selectors []labels.Selector
	// keys holds, for each selector, the values it allows a key.
	keys  []map[string][]string
	seen  map[[2]int]bool
	found func(i, j int, witness labels.Set) bool
	done  bool
	// left is how many steps the search may still take.
	left int
}

// step reports whether the search goes on for another n steps.
func (p *pairing) step(n int) bool {
	p.left -= n
	p.done = p.done || p.left < 0
	return !p.done
}

func valuesByKey(sel labels.Selector) map[string][]string {
	byKey := map[string][]string{}
	for _, p := range wanted(sel) {
		byKey[p.key] = append(byKey[p.key], p.value)
	}
	return byKey
}

// cross compares each of as with each of bs, dividing both by one key at a time.
func (p *pairing) cross(as, bs []int, used []string) {
	if len(as) == 0 || len(bs) == 0 || !p.step(len(as)+len(bs)) {
		return
	}
	key, ok := p.divider(as, bs, used)
	if !ok {
		p.product(as, bs)
		return
	}
	used = append(slices.Clone(used), key)
	aBy, aFree := p.divide(as, key)
	bBy, bFree := p.divide(bs, key)
	for _, value := range slices.Sorted(maps.Keys(aBy)) {
		p.cross(aBy[value], bBy[value], used)
	}
	p.cross(without(as, aFree), bFree, used)
	p.cross(aFree, bs, used)
}

// divider is the key that tells most of both sides apart.
func (p *pairing) divider(as, bs []int, used []string) (string, bool) {
	a, b := p.count(as), p.count(bs)
	best, score := "", 0
	for key, n := range a {
		n = min(n, b[key])
		if !slices.Contains(used, key) && (n > score || n == score && key < best) {
			best, score = key, n
		}
	}
	return best, score > 0
}

func (p *pairing) count(side []int) map[string]int {
	n := map[string]int{}
	for _, i := range side {
		for key := range p.keys[i] {
			n[key]++
		}
	}
	return n
}

// divide puts selectors under each value they allow the key; free are those
// that do not name it.
func (p *pairing) divide(side []int, key string) (by map[string][]int, free []int) {
	by = map[string][]int{}
	for _, i := range side {
		values, named := p.keys[i][key]
		if !named {
			free = append(free, i)
		}
		for _, v := range values {
			by[v] = append(by[v], i)
		}
	}
	return by, free
}

// without takes from side what free, a part of it in the same order, holds.
func without(side, free []int) []int {
	var rest []int
	for _, i := range side {
		if len(free) > 0 && free[0] == i {
			free = free[1:]
			continue
		}
		rest = append(rest, i)
	}
	return rest
}

func (p *pairing) product(as, bs []int) {
	for _, i := range as {
		for _, j := range bs {
			if !p.step(1) {
				return
			}
			if i != j {
				p.compare(min(i, j), max(i, j))
			}
		}
	}
}

func (p *pairing) compare(i, j int) {
	if p.seen[[2]int{i, j}] {
		return
	}
	p.seen[[2]int{i, j}] = true
	if witness, meet := Witness(p.selectors[i], p.selectors[j]); meet {
		p.done = !p.found(i, j, witness)
	}
}
