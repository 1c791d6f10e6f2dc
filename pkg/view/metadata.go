package view

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Objects returns the metadata of the need's objects, of all namespaces when
// it names none, ordered by namespace and name.
func (r *Reader) Objects(need Need) []metav1.Object {
	need.Detail = Metadata
	if r.ask(need) != nil {
		return nil
	}
	return r.inNamespace(need)
}

// Object returns the metadata of the one object of a need with a name, or nil
// when there is none, or the error that reading it met.
func (r *Reader) Object(need Need) (metav1.Object, error) {
	need.Detail = Metadata
	if err := r.ask(need); err != nil {
		return nil, err
	}
	s, ok := r.stores[need.Kind.GroupKind()]
	if !ok {
		return nil, nil
	}
	obj, _ := s.get(types.NamespacedName{Namespace: need.Namespace, Name: need.Name})
	return obj, nil
}
