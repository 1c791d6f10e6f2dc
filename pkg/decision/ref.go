package decision

import (
	"fmt"
	"strings"
)

// Ref names one object of the cluster.
type Ref struct {
	// APIVersion is the group and version, v1 for the core group.
	APIVersion string `json:"apiVersion,omitempty"`
	// Kind is the kind.
	Kind string `json:"kind"`
	// Namespace is the namespace; absent for objects without one.
	Namespace string `json:"namespace,omitempty"`
	// Name is the name; absent for an object that is to be created.
	Name string `json:"name,omitempty"`
	// UID is the UID; absent where it is not known.
	UID string `json:"uid,omitempty"`
}

// String is the short form that kubectl users type: replicaset/web. Like F, it is called
// too often to stand in line.
//
//go:noinline
func (r Ref) String() string {
	return strings.ToLower(r.Kind) + "/" + r.Name
}

// identity is the object by its name alone: one that is to be created has a made-up UID.
func (r Ref) identity() Ref {
	r.UID = ""
	return r
}

// Printed is the form of kubectl's -o name: pod/web, replicaset.apps/web.
func (r Ref) Printed() string {
	group, _, grouped := strings.Cut(r.APIVersion, "/")
	if !grouped {
		return r.String()
	}
	return strings.ToLower(r.Kind) + "." + group + "/" + r.Name
}

// Qualified is kind/namespace/name, the form that errors use; cluster-scoped
// objects have no namespace part.
func (r Ref) Qualified() string {
	if r.Namespace == "" {
		return r.String()
	}
	return strings.ToLower(r.Kind) + "/" + r.Namespace + "/" + r.Name
}

// Undecidable is the error of one object about which nothing can be decided. Other
// objects are answered, and a snapshot still holds what was read.
type Undecidable struct{ Err error }

func (u *Undecidable) Error() string { return u.Err.Error() }
func (u *Undecidable) Unwrap() error { return u.Err }

// Unanswered is the error of one object about which there is no answer, because what
// it needs was not read. A snapshot still holds the rest, and says what it lacks.
type Unanswered struct{ Err error }

func (u *Unanswered) Error() string { return u.Err.Error() }
func (u *Unanswered) Unwrap() error { return u.Err }

// NotNegative returns an *Undecidable that names the object and the field where n is
// negative. The API server stores no such number there, and what a controller
// does with one is not defined: a file holds it, or a validating webhook is off.
func NotNegative(object Ref, path string, n int32) error {
	if n >= 0 {
		return nil
	}
	return &Undecidable{fmt.Errorf("%s: %s is %d, and must not be negative: correct it in the object or the file", object.Qualified(), path, n)}
}
