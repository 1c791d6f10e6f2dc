package ranking

// Criterion is one step of a comparator. Steps are tried in turn; the first
// one that tells two objects apart decides.
type Criterion[T any] struct {
	// ID is the rule that the step mirrors.
	ID string
	// Bucket is by what this step alone orders objects.
	Bucket func(*T) Key
	// Exact and Within are set together for steps that compare in buckets.
	// Objects of one bucket that differ under Exact are decided by Within, for
	// good: even when Within finds them equal no later step is asked.
	Exact  func(*T) Key
	Within func(*T) Key
}

// Result says how two objects compare.
type Result struct {
	// Sign is negative when the first object goes first, 0 for a tie.
	Sign int
	// Step is the index of the criterion that decided, -1 when none did.
	Step int
	// Inside is true when Within decided, the two being in one bucket.
	Inside bool
}

// Compare asks the criteria in turn.
func Compare[T any](criteria []Criterion[T], a, b *T) Result {
	for i := range criteria {
		c := &criteria[i]
		if sign := c.Bucket(a).Compare(c.Bucket(b)); sign != 0 {
			return Result{sign, i, false}
		}
		if c.Exact != nil && c.Exact(a) != c.Exact(b) {
			return Result{c.Within(a).Compare(c.Within(b)), i, true}
		}
	}
	return Result{Step: -1}
}
