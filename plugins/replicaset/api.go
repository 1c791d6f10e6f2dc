package replicaset

import (
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/expectations"
)

// Given is what a sync starts from besides the View. The zero Given is what
// can be assumed of a controller that was just started: no expectations, and
// an API server that accepts what it is asked.
type Given struct {
	// Expectations is the record for the target, nil for none.
	Expectations *expectations.Record
	// Behind are the caches that do not hold the controller's own last writes.
	// Only a controller that reads back cares, since 1.36.
	Behind []*expectations.Stale
	// API answers the sync's writes.
	API API
	// Alone reports whether no sibling is synced at the same time.
	Alone bool
}

// API predicts how the API server answers. A nil func accepts everything.
type API struct {
	// Create answers the call-th creation of the sync, counted from 0.
	Create func(call int) error
	// Delete, Adopt and Release answer for a pod by name. Deletions of pods
	// among which chance picks must be refused all, or none: what follows from
	// a refusal that may not be met is not determined.
	Delete  func(pod string) error
	Adopt   func(pod string) error
	Release func(pod string) error
	// Live is the uncached read of the set before the first adoption. A nil
	// func finds it as the View has it.
	Live func() (metav1.Object, error)
	// Status answers the first and the second try (0, 1) to update the status,
	// Reread the read of the set between them.
	Status func(try int) error
	Reread func() error
}

// errNoLabels is the refusal of a template that RealPodControl will not create from.
var errNoLabels = errors.New("unable to create pods, no labels")

// claim answers for the adoption or release of a Pod.
func (a API) claim(verb decision.Verb, pod string) error {
	if verb == decision.Adopt {
		return answer(a.Adopt, pod)
	}
	return answer(a.Release, pod)
}

func answer[T any](f func(T) error, arg T) error {
	if f == nil {
		return nil
	}
	return f(arg)
}
