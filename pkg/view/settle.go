package view

import (
	"context"
	"fmt"
)

// Settled is an answer for which nothing was missing. Only Settle makes one:
// what takes a *Settled can't be given a provisional answer.
type Settled[T any] struct {
	value T
	view  *View
}

// Value is the answer.
func (s *Settled[T]) Value() T { return s.value }

// View is what the answer was made on.
func (s *Settled[T]) View() *View { return s.view }

// Settle lets decide read through fresh Readers until nothing that it asks for
// is missing, and loads what was missing in between. decide may ask through
// several Readers, one for each target. While something is missing, its answer
// and its error are provisional, and both are dropped; so decide must not keep
// the answer elsewhere. Errors: those of Load, that of decide when nothing was
// missing, and the cause of ctx when that ended on the way.
func Settle[T any](ctx context.Context, src Source, decide func(*View) (T, []*Reader, error)) (*Settled[T], error) {
	var needs []Need
	for {
		v, err := src.Load(ctx, needs)
		if err != nil {
			return nil, err
		}
		value, readers, err := decide(v)
		if ctx.Err() != nil {
			return nil, fmt.Errorf("no answer: %w", context.Cause(ctx))
		}
		if needs = missing(readers); len(needs) > 0 {
			continue
		}
		if err != nil {
			return nil, err
		}
		return &Settled[T]{value, v}, nil
	}
}

func missing(readers []*Reader) []Need {
	var all []Need
	seen := map[string]bool{}
	for _, r := range readers {
		for _, n := range r.Missing() {
			if !seen[n.ID()] {
				seen[n.ID()] = true
				all = append(all, n)
			}
		}
	}
	return all
}
