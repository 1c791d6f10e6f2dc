package decision

import (
	"fmt"
	"strings"
)

// Ref names one object of the cluster.
type Ref struct {
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name,omitempty"`
	UID        string `json:"uid,omitempty"`
}

// String is the short form that kubectl users type: replicaset/web.
func (r Ref) String() string {
	return strings.ToLower(r.Kind) + "/" + r.Name
}

// Qualified is kind/namespace/name, the form that errors use; cluster-scoped
// objects have no namespace part.
func (r Ref) Qualified() string {
	if r.Namespace == "" {
		return r.String()
	}
	return strings.ToLower(r.Kind) + "/" + r.Namespace + "/" + r.Name
}

// NotNegative returns an error that names the object and the field where n is
// negative. The API server stores no such number there, and what a controller
// does with one is not defined: a file holds it, or a validating webhook is off.
func NotNegative(object Ref, path string, n int32) error {
	if n >= 0 {
		return nil
	}
	return fmt.Errorf("%s: %s is %d, and must not be negative: correct it in the object or the file", object.Qualified(), path, n)
}
