package view

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// carried is what decisions on Views that are made from one another found out about
// their objects.
type carried map[any]any

// Carrying is the View of which those that are made from it share what is Carried. They
// are for one goroutine.
func (v *View) Carrying() *View {
	over := *v
	over.carried = carried{}
	return &over
}

// Carried is what decisions on earlier Views left under a key for the next to go on
// from; a new T where there was none. What it says of an object holds as long as the
// View has that same object: objects in Views do not change.
func Carried[T any](v *View, key any) *T {
	if left, ok := v.carried[key].(*T); ok {
		return left
	}
	left := new(T)
	if v.carried != nil {
		v.carried[key] = left
	}
	return left
}

// Finding is what was found about one object.
type Finding[T any] struct {
	Of    metav1.Object
	Found T
}

// Refound is what find says about each of some objects, which are ordered by namespace and
// name; what an earlier one of these findings says of the same object is taken over. The
// new ones take its place, and hold until the next.
func Refound[O metav1.Object, T any](earlier *[]Finding[T], objs []O, find func(O) T) []Finding[T] {
	was := *earlier
	all := was
	if len(all) != len(objs) {
		all = make([]Finding[T], len(objs))
	}
	for i, obj := range objs { // all may be was: its first i are over
		of := metav1.Object(obj)
		for len(was) > 0 && was[0].Of != of && compareTo(was[0].Of, keyOf(of)) < 0 {
			was = was[1:]
		}
		if len(was) > 0 && was[0].Of == of {
			all[i], was = was[0], was[1:]
		} else {
			all[i] = Finding[T]{of, find(obj)}
		}
	}
	*earlier = all
	return all
}
