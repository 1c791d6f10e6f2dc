package reconcile

import (
	"time"
)

// Timeout is how long an expectation holds a CloneSet back before anything is
// made of it (--expectation-timeout, pkg/util/expectations/init.go, v1.9.1).
const Timeout = 5 * time.Minute

// Given is what a sync starts from besides the View. The zero Given is what
// can be assumed of a manager that was just started: no expectations, and an
// API server that accepts what it is asked.
type Given struct {
	Scale *ScaleRecord
	// Versions are the pods, by name, whose last write was not seen yet, and
	// since when a sync has waited for each.
	Versions map[string]time.Time
	// Refuse returns the refusal of a call that the API server does not accept; nil
	// for a server that accepts all.
	Refuse func(Call) error
}

// ScaleRecord are the objects, pods and volume claims alike, whose creation or
// deletion was not seen yet.
type ScaleRecord struct {
	Creates, Deletes []string
	// Since is when a sync was first held back; zero when none was yet.
	Since time.Time
}

// Call is one request to the API server that changes something.
type Call struct {
	Verb, Kind, Subresource string
	// Name is empty for a creation, which is the Index-th of its kind, from 0.
	Name  string
	Index int
	// Retried: after a conflict, upstream tries again.
	Retried bool
}

// Refused returns the API server's answer to a call.
//
//go:noinline // it is called at many places
func (s *Run) Refused(c Call) error {
	if s.Given.Refuse == nil {
		return nil
	}
	return s.Given.Refuse(c)
}
