package ranking

// Tied reports whether no criterion tells any two objects of a block apart.
func Tied[T any](items []T, criteria []Criterion[T], block []int) bool {
	for _, i := range block[1:] {
		if Compare(criteria, &items[block[0]], &items[i]).Step >= 0 {
			return false
		}
	}
	return true
}

// searched bounds how many objects of a block are looked at for a witness.
const searched = 48

// Witness shows why a block that is not Tied has no order: three objects of
// which each comes before the next, or ties with it, and the last before the
// first, or ties with it; at least one of them comes before. Every such block
// holds one, but of a large one only a sample is searched: nil says that none
// was found in it.
func Witness[T any](items []T, criteria []Criterion[T], block []int) []int {
	sample := spread(block, searched)
	less := func(a, b int) bool { return Compare(criteria, &items[a], &items[b]).Sign < 0 }
	notAfter := func(a, b int) bool { return !less(b, a) }
	if strict := cycleOf3(sample, less, less); strict != nil {
		return strict
	}
	return cycleOf3(sample, less, notAfter)
}

// spread picks up to n of a block, evenly: its first objects come before most
// of the others and its last before few.
func spread(block []int, n int) []int {
	if len(block) <= n {
		return block
	}
	out := make([]int, n)
	for i := range out {
		out[i] = block[i*(len(block)-1)/(n-1)]
	}
	return out
}

// cycleOf3 finds a, b and c with a before b as first tells, and b before c and
// c before a as then tells.
func cycleOf3(block []int, first, then func(a, b int) bool) []int {
	for _, a := range block {
		for _, b := range block {
			if a == b || !first(a, b) {
				continue
			}
			for _, c := range block {
				if c != a && c != b && then(b, c) && then(c, a) {
					return []int{a, b, c}
				}
			}
		}
	}
	return nil
}
