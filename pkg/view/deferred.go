package view

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Deferred is a full object that is held as its metadata until somebody asks
// for the whole: most objects of a large input are only looked over.
type Deferred interface {
	metav1.Object
	// Decoded is the full object, and the same one as long as anybody has it. It
	// may be called from anywhere at once.
	Decoded() metav1.Object
	// Weight is about how many bytes of memory the full object takes.
	Weight() int
}

// Decoded is the full object that obj stands for. What is full, or nothing but
// metadata, is returned as it is.
//
//go:noinline
func Decoded(obj metav1.Object) metav1.Object {
	if d, ok := obj.(Deferred); ok {
		return d.Decoded()
	}
	return obj
}

// decoded are the full objects that objs stand for; objs stay as they are.
func decoded(objs []metav1.Object) []metav1.Object {
	var out []metav1.Object
	for i, obj := range objs {
		if d, ok := obj.(Deferred); ok {
			if out == nil {
				out = append(make([]metav1.Object, 0, len(objs)), objs[:i]...)
			}
			obj = d.Decoded()
		}
		if out != nil {
			out = append(out, obj)
		}
	}
	if out == nil {
		return objs
	}
	return out
}
