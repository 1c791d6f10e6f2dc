package view

import "sync"

// derived holds what was made of a View's objects.
type derived struct {
	mu  sync.Mutex
	all map[any]any
}

func newDerived() *derived { return &derived{all: map[any]any{}} }

// Derived is what build makes of the View's objects, made once for each key and
// shared by all who read the View. build must depend on the key and the objects
// alone, and must not call Derived.
func Derived[T any](v *View, key any, build func() T) T {
	v.derived.mu.Lock()
	defer v.derived.mu.Unlock()
	if made, ok := v.derived.all[key].(T); ok {
		return made
	}
	made := build()
	v.derived.all[key] = made
	return made
}
