package view

import (
	"fmt"
)

// Detail is how much of an object a Need asks for.
type Detail int

// Metadata is enough for claims and owners, Full for everything else.
const (
	Metadata Detail = iota
	Full
)

// Need is one question to the cluster: a set of objects of one kind.
type Need struct {
	Kind Kind
	// Namespace is empty for all namespaces and for cluster-scoped kinds.
	Namespace string
	// Name asks for one object, Selector for those with matching labels (in
	// labels.Selector's own canonical form); both empty ask for all.
	Name     string
	Selector string
	// Fields is a field selector, for event and pod lists that only the server can narrow.
	Fields string
	Detail Detail
	// IfMissing says what the answer lacks when this cannot be read; empty when
	// the answer cannot be given at all.
	IfMissing string
	// Explains is true for what explains an answer and can't change it: without
	// it, the same objects are found, and the same actions.
	Explains bool
	// Spare: nothing shows that there is any, so that files which hold none lack nothing.
	Spare bool
	// Extra: it adds to an answer that is whole without it. Files that don't hold it lack
	// nothing, nor does a cluster without the one that is named.
	Extra bool
}

// ID identifies what is asked for, whoever asks and why.
func (n Need) ID() string {
	return fmt.Sprintf("%s|%s|%s|%s|%s|%d", n.Kind.GroupVersionKind, n.Namespace, n.Name, n.Selector, n.Fields, n.Detail)
}

// Required reports whether an answer is impossible without it.
func (n Need) Required() bool { return n.IfMissing == "" }

// PredictedHash stands in a label for the hash of what is only predicted, where it has to be
// a valid value. No real hash has vowels.
const PredictedHash = "hash-is-predicted"

// All reports whether it asks for all objects of a kind: in a namespace, or in all.
func (n Need) All() bool { return n.Name == "" && n.Selector == "" && n.Fields == "" }

// String names the need for messages: "pods in shop with app=web".
func (n Need) String() string {
	s := n.Kind.GroupResource()
	if n.Name != "" {
		s += " " + n.Name
	}
	switch {
	case n.Namespace != "":
		s += " in namespace " + n.Namespace
	case n.Kind.Namespaced:
		s += " in all namespaces"
	}
	if n.Selector != "" {
		s += " with " + n.Selector
	}
	if n.Fields != "" {
		s += " where " + n.Fields
	}
	return s
}

// Covers reports whether objects read for n include those that m asks for.
func (n Need) Covers(m Need) bool {
	return n.Kind.GroupKind() == m.Kind.GroupKind() &&
		n.Detail >= m.Detail &&
		(n.Namespace == "" || n.Namespace == m.Namespace) &&
		(n.Name == "" || n.Name == m.Name) &&
		narrows(m.Fields, n.Fields) &&
		narrows(m.Selector, n.Selector)
}
