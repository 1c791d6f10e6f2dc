package view

import "fmt"

// Target names one object that a decision is about.
type Target struct {
	Kind            Kind
	Namespace, Name string
}

// Key is namespace/name, as the work queues of controllers have it.
//
//go:noinline
func (t Target) Key() string { return t.Namespace + "/" + t.Name }

// NotFound is the error for a target that a View does not hold.
type NotFound struct{ Target }

func (e *NotFound) Error() string {
	if e.Namespace == "" {
		return fmt.Sprintf("%s %q not found in the input", e.Kind.GroupResource(), e.Name)
	}
	return fmt.Sprintf("%s %q not found in namespace %q", e.Kind.GroupResource(), e.Name, e.Namespace)
}
