package cluster

import (
	"errors"
	"fmt"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Refusals of the API server that controllers tell apart, by errors.Is. The reasons stand in
// apimachinery's pkg/apis/meta/v1/types.go, the text of a conflict in OptimisticLockErrorMsg
// of k8s.io/apiserver/pkg/registry/generic/registry/store.go (v0.37.1).
var (
	ErrNotFound             = errors.New("not found")
	ErrInvalid              = errors.New("invalid")
	ErrConflict             = errors.New("the object has been modified; please apply your changes to the latest version and try again")
	ErrAlreadyExists        = errors.New("already exists")
	ErrNamespaceTerminating = errors.New("namespace is being terminated")
)

// Conflict is the refusal of a write of an object that is out of date.
type Conflict struct {
	Kind view.Kind
	Name string
}

func (c *Conflict) Error() string {
	return fmt.Sprintf("Operation cannot be fulfilled on %s %q: %v", c.Kind.GroupResource(), c.Name, ErrConflict)
}

func (c *Conflict) Unwrap() error { return ErrConflict }
