package cloneset

import (
	"time"

	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/core"
)

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

// refused is the API server's answer to a call.
func (s *sync) refused(c Call) error {
	if s.given.Refuse == nil {
		return nil
	}
	return s.given.Refuse(c)
}

func (s *sync) patchRefused(pod string) error {
	return s.refused(Call{Verb: "patch", Kind: "Pod", Name: pod})
}

// anyRefused tells which of several pods, whose order is not deterministic, a sync fails
// at: it stops there, and with some refused and some not, chance decides what
// it gets done before.
func (s *sync) anyRefused(pods []*core.PodState, ask func(*core.PodState) error) error {
	var last error
	n := 0
	for _, m := range pods {
		if err := ask(m); err != nil {
			n, last = n+1, err
		}
	}
	s.chance.fail(0 < n && n < len(pods))
	return last
}
