package decision

import "strings"

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
