package random

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"pgregory.net/rapid"
)

// Source makes choices.
type Source interface {
	// Between is a number from low to high, both included, more often a small one.
	Between(low, high int) int
}

// Rapid is a source that a property test can shrink.
type Rapid struct{ *rapid.T }

// Between is a number of rapid's.
func (r Rapid) Between(low, high int) int { return rapid.IntRange(low, high).Draw(r.T, "number") }

// Seeded is a source of which a seed names all choices.
type Seeded struct{ rng *rand.Rand }

// New is the source of a seed.
func New(seed uint64) Seeded { return Seeded{rand.New(rand.NewPCG(seed, 1))} }

// How Seeded favours small numbers, as rapid does (genUintNBiased, v1.3.0): of a
// number's bits as many are drawn as a geometric distribution says, and a very
// large count of bits stands for the largest number there is.
const (
	// stop is how likely it is that there is no further bit.
	stop = 1.0 / 9
	// allBits is the count from which the largest number is taken.
	allBits = 32
)

// Between is a number from low to high.
func (s Seeded) Between(low, high int) int {
	span := uint64(high - low)
	drawn := 1 + int(math.Log1p(-s.rng.Float64())/math.Log1p(-stop))
	if drawn >= allBits {
		return high
	}
	mask := uint64(1)<<min(drawn, bits.Len64(span)) - 1
	for {
		if n := s.rng.Uint64() & mask; n <= span {
			return low + int(n)
		}
	}
}
