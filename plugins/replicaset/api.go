package replicaset

import (
	"errors"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/expectations"
)

// Given is what a sync starts from besides the View. The zero Given is what
// can be assumed of a controller that was just started: no expectations, and
// an API server that accepts what it is asked.
type Given struct {
	// Expectations is the record for the target, nil for none.
	Expectations *expectations.Record
	// API answers the sync's writes.
	API API
}

// API foretells how the API server answers. A nil func accepts everything.
type API struct {
	// Create answers the call-th creation of the sync, counted from 0.
	Create func(call int) error
	// Delete, Adopt and Release answer for a pod by name.
	Delete  func(pod string) error
	Adopt   func(pod string) error
	Release func(pod string) error
	// Recheck is the live read before the first adoption.
	Recheck func() error
}

// Errors of the API server that the controller tells apart from others.
var (
	ErrNotFound             = errors.New("not found")
	ErrInvalid              = errors.New("invalid")
	ErrNamespaceTerminating = errors.New("namespace is being terminated")
)

func answer[T any](f func(T) error, arg T) error {
	if f == nil {
		return nil
	}
	return f(arg)
}

// isAny tells whether err is one of kinds.
func isAny(err error, kinds ...error) bool {
	for _, k := range kinds {
		if errors.Is(err, k) {
			return true
		}
	}
	return false
}
