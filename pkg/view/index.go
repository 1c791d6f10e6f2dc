package view

import (
	"sort"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// index finds objects of one kind; each list is ordered by namespace and name.
type index struct {
	all         []metav1.Object
	byNamespace map[string][]metav1.Object
	controlled  map[types.UID][]metav1.Object
	orphans     map[string][]metav1.Object
	// load is that of all.
	load load
}

// place is what an index goes by. Neighbours mostly share theirs, so that they
// are filed together.
type place struct {
	namespace  string
	controller types.UID
	orphan     bool
}

func placeOf(obj metav1.Object) place {
	ref := metav1.GetControllerOfNoCopy(obj)
	if ref == nil {
		return place{namespace: obj.GetNamespace(), orphan: true}
	}
	return place{namespace: obj.GetNamespace(), controller: ref.UID}
}

func buildIndex(all []metav1.Object) index {
	ix := index{
		all:         all,
		byNamespace: byNamespace(all),
		controlled:  map[types.UID][]metav1.Object{},
		orphans:     map[string][]metav1.Object{},
		load:        loadOf(all),
	}
	for len(all) > 0 {
		p, n := placeOf(all[0]), 1
		for n < len(all) && placeOf(all[n]) == p {
			n++
		}
		ix.file(p, all[:n])
		all = all[n:]
	}
	return ix
}

// byNamespace are the parts of a list that is ordered by namespace.
func byNamespace(all []metav1.Object) map[string][]metav1.Object {
	parts := map[string][]metav1.Object{}
	for len(all) > 0 {
		namespace := all[0].GetNamespace()
		n := sort.Search(len(all), func(i int) bool { return all[i].GetNamespace() > namespace })
		parts[namespace], all = all[:n:n], all[n:]
	}
	return parts
}

func (ix *index) file(p place, objs []metav1.Object) {
	if p.orphan {
		ix.orphans[p.namespace] = append(ix.orphans[p.namespace], objs...)
	} else {
		ix.controlled[p.controller] = append(ix.controlled[p.controller], objs...)
	}
}
