package cloneset

import "time"

// timeout is how long an expectation holds a CloneSet back before anything is
// made of it (--expectation-timeout, pkg/util/expectations/init.go, v1.9.1).
const timeout = 5 * time.Minute

// Given is what a sync starts from besides the View. The zero Given is what
// can be assumed of a manager that was just started: no expectations, and an
// API server that accepts what it is asked.
type Given struct {
	Scale *ScaleRecord
	// Versions are the pods, by name, whose last write was not seen yet, and
	// since when a sync has waited for each.
	Versions map[string]time.Time
	API      API
}

// ScaleRecord are the objects, pods and volume claims alike, whose creation or
// deletion was not seen yet.
type ScaleRecord struct {
	Creates, Deletes []string
	// Since is when a sync was first held back; zero when none was yet.
	Since time.Time
}

// API foretells how the API server answers. A nil func accepts everything.
type API struct {
	// Create answers the call-th creation of a pod in the sync, from 0.
	Create func(call int) error
	// Claim, Delete and Update answer for a pod by name.
	Claim  func(pod string) error
	Delete func(pod string) error
	Update func(pod string) error
}

func answer[T any](f func(T) error, arg T) error {
	if f == nil {
		return nil
	}
	return f(arg)
}
