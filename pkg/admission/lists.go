package admission

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// add adds every quantity of more to list.
func add(list, more corev1.ResourceList) {
	for name, q := range more {
		sum := list[name].DeepCopy()
		sum.Add(q)
		list[name] = sum
	}
}

// times is list with every quantity n times.
func times(list corev1.ResourceList, n int64) corev1.ResourceList {
	all := corev1.ResourceList{}
	for name, q := range list {
		each := q.DeepCopy()
		each.Mul(n)
		all[name] = each
	}
	return all
}

// raise raises every quantity of list to that of floor.
func raise(list, floor corev1.ResourceList) {
	for name, q := range floor {
		if have, ok := list[name]; !ok || q.Cmp(have) > 0 {
			list[name] = q.DeepCopy()
		}
	}
}

// fill sets what list lacks. A list that is nil is made, as Go's maps want it.
func fill(list *corev1.ResourceList, from corev1.ResourceList) {
	for name, q := range from {
		if _, ok := (*list)[name]; ok {
			continue
		}
		if *list == nil {
			*list = corev1.ResourceList{}
		}
		(*list)[name] = q.DeepCopy()
	}
}

// sorted lists the names of a list, so that messages come out the same.
func sorted[T any](list map[corev1.ResourceName]T) []corev1.ResourceName {
	return slices.Sorted(maps.Keys(list))
}
