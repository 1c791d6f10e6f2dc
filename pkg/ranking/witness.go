package ranking

// Witness shows why a block has no order: objects of which each comes before
// the next, or ties with it, and the last before the first. Two objects are a
// tie. It returns nil for a block of one.
//
// The search looks at the first few dozen objects of the block only; a block
// larger than that always holds a short witness among them or is left without
// one (nil), which takes nothing from the block itself.
func Witness[T any](items []T, criteria []Criterion[T], block []int) []int {
	const enough = 48
	if len(block) > enough {
		block = block[:enough]
	}
	less := func(a, b int) bool { return Compare(criteria, &items[a], &items[b]).Sign < 0 }
	if cycle := cycleOf3(block, less); cycle != nil {
		return cycle
	}
	for i, a := range block {
		for _, b := range block[i+1:] {
			if !less(a, b) && !less(b, a) {
				return []int{a, b}
			}
		}
	}
	return nil
}

func cycleOf3(block []int, less func(a, b int) bool) []int {
	for _, a := range block {
		for _, b := range block {
			if !less(a, b) {
				continue
			}
			for _, c := range block {
				if less(b, c) && less(c, a) {
					return []int{a, b, c}
				}
			}
		}
	}
	return nil
}
