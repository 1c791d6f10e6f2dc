package ranking

import (
	"cmp"
	"math"
	"time"
)

// Key is by what a step orders an object: what has the lower key goes first, by
// High and then by Low.
type Key struct{ High, Low int64 }

// Compare is negative where k goes first.
func (k Key) Compare(other Key) int {
	if k.High != other.High {
		return cmp.Compare(k.High, other.High)
	}
	return cmp.Compare(k.Low, other.Low)
}

// First puts what has a trait before what has not.
func First(has bool) Key {
	if has {
		return Key{}
	}
	return Key{High: 1}
}

// Least puts lower numbers first.
func Least[N int | int32 | int64](n N) Key { return Key{High: int64(n)} }

// Most puts higher numbers first.
func Most[N int | int32](n N) Key { return Key{High: -int64(n)} }

// Heaviest puts higher weights first. None may be negative.
func Heaviest(weight float64) Key { return Key{High: -int64(math.Float64bits(weight))} }

// Latest mirrors afterOrZero of pkg/controller/controller_utils.go (v1.37.1): no
// time at all counts as the latest.
func Latest(t time.Time) Key {
	if t.IsZero() {
		return Key{High: math.MinInt64}
	}
	return Key{-t.Unix(), -int64(t.Nanosecond())}
}
